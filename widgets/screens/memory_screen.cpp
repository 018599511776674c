// SPDX-License-Identifier: GPL-3.0-or-later
// The Memory screen.
#include "widgets/screens/memory_screen.h"

#include <algorithm>
#include <functional>

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/analysis/memory/snapshot_words.h"
#include "widgets/charts/memory_plot.h"
#include "widgets/command_table.h"
#include "widgets/core_texts.h"
#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/number_text.h"
#include "widgets/plot_export.h"
#include "widgets/screens/analysis_table.h"
#include "widgets/screens/column_model.h"
#include "widgets/time_text.h"
#include "widgets/words_label.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kStretches = 1500; ///< about as many as there are pixels

QString bytesOf(std::int64_t bytes) { return byteText(static_cast<quint64>(std::max<std::int64_t>(0, bytes))); }
} // namespace

MemoryScreen::MemoryScreen(QWidget* parent)
    : AnalysisScreen(parent), plot_(new MemoryPlot), table_(new QTableView), model_(new ColumnModel(this)) {
    markAsPlot(*plot_, tr("Memory over time"));
    order_ = new ColumnOrder(model_);
    table_->setModel(order_);
    prepareTable(*table_, tr("Live memory by operator"));
    table_->setSortingEnabled(true);
    auto* show = new QAction(tr("Show the largest in the &timeline"), table_);
    table_->addAction(show);
    connect(
        show, &QAction::triggered, this, [this] { showLargest(order_->sourceRow(table_->currentIndex())); });
    connect(table_, &QTableView::activated, this,
            [this](const QModelIndex& index) { showLargest(order_->sourceRow(index)); });
    connect(plot_, &MemoryPlot::placeChosen, this, &MemoryScreen::look);
    auto* below = new QWidget;
    auto* column = new QVBoxLayout(below);
    column->setContentsMargins(0, 6, 0, 0);
    liveWords_ = headlineLabel(1.1);
    liveWords_->setAccessibleName(tr("What was live, in a sentence"));
    column->addWidget(liveWords_);
    column->addWidget(table_, 1);
    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(plot_);
    split->addWidget(below);
    split->setChildrenCollapsible(false);
    split->setSizes({340, 300});
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(18, 6, 18, 12);
    layout->addWidget(buildBar());
    layout->addWidget(split, 1);
    setPage(page);
    setPreparation([this](const std::shared_ptr<const AnalysedRun>& analysed, const std::stop_token& stop) -> Show {
        auto contents = std::make_shared<Contents>();
        contents->analysis = analysed->analysis;
        contents->curves = memory_curves(*analysed->analysis);
        for (const MemoryCurve& curve : contents->curves)
            if (!stop.stop_requested())
                contents->lines.push_back(thinnedLine(curve, analysed->analysis->run().span.begin, kStretches));
        return [this, contents] { setContents(contents); };
    });
}

QWidget* MemoryScreen::buildBar() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    peakWords_ = wordsLabel();
    peakWords_->setForegroundRole(QPalette::PlaceholderText);
    auto* label = new QLabel(tr("&Memory of:"));
    curveChoice_ = new QComboBox;
    curveChoice_->setAccessibleName(tr("Memory of"));
    label->setBuddy(curveChoice_);
    peak_ = new QToolButton;
    peak_->setText(tr("Go to its peak"));
    peak_->setToolTip(tr("What was live when most was allocated (Home in the plot)"));
    row->addWidget(peakWords_, 1);
    row->addSpacing(12);
    row->addWidget(label);
    row->addWidget(curveChoice_);
    row->addWidget(peak_);
    const auto toPeak = [this] {
        const auto curve = static_cast<std::size_t>(curveChoice_->currentIndex());
        look(curve, contents_->curves[curve].points[contents_->curves[curve].peak].time);
    };
    connect(curveChoice_, &QComboBox::activated, this, toPeak);
    connect(peak_, &QToolButton::clicked, this, toPeak);
    return bar;
}

void MemoryScreen::useCommands(CommandTable& table) {
    table.addPlace({u"memory"_s, tr("Memory"), this});
    table.addGesture({u"memory"_s, tr("Click in the plot"), tr("What was live at that time, on that curve")});
    table.addGesture({u"memory"_s, tr("Left / Right, Home in the plot"), tr("Earlier, later, to the peak")});
    table.addGesture({u"memory"_s, tr("Enter, double-click in the table"),
                      tr("Show the operator of the largest block in the timeline")});
    table.addGesture({u"memory"_s, tr("Ctrl+C"), tr("Copy the table's selected rows, tab-separated")});
}

QString MemoryScreen::title(const MemoryCurve& curve) const {
    const int rank = contents_->analysis->run().ranks[curve.rank]->rank;
    if (curve.snapshot)
        return tr("Rank %1, GPU %2, snapshot").arg(rank).arg(curve.device);
    return curve.device_type == 0 ? tr("Rank %1, CPU").arg(rank) : tr("Rank %1, GPU %2").arg(rank).arg(curve.device);
}

void MemoryScreen::setContents(std::shared_ptr<const Contents> contents) {
    contents_ = std::move(contents);
    live_.reset();
    looking_.stop();
    if (contents_->curves.empty())
        return showMessage(tr("No memory recorded"),
                           tr("This selection of the run has no samples of the allocator. Record them "
                              "with\n\ntorch.profiler.profile(…, profile_memory=True)\n\n"
                              "The trace then has each allocation and free with its size, and the totals. Memory "
                              "snapshots of PyTorch beside the traces are shown here too."));
    const auto peakOf = [](const MemoryCurve& curve) {
        return std::pair(curve.device_type != 0, curve.points[curve.peak].allocated);
    };
    const auto highest = std::ranges::max_element(contents_->curves, {}, peakOf);
    const MemoryPoint& peak = highest->points[highest->peak];
    {
        const QSignalBlocker quiet(curveChoice_);
        curveChoice_->clear();
        for (const MemoryCurve& curve : contents_->curves)
            curveChoice_->addItem(title(curve));
    }
    const std::shared_ptr<const Contents>& all = contents_;
    plot_->setCurves({all, &all->curves}, {all, &all->lines}, all->analysis->run().span.begin);
    QString text = peak.reserved == kUnknown
                       ? tr("Highest peak: %1 on %2").arg(bytesOf(peak.allocated), title(*highest))
                       : tr("Highest peak: %1 on %2, %3 reserved then")
                             .arg(bytesOf(peak.allocated), title(*highest), bytesOf(peak.reserved));
    if (all->curves.size() > MemoryPlot::kMostLines)
        text += u". "_s + tr("Drawn: the %1 highest of %2 curves").arg(MemoryPlot::kMostLines).arg(all->curves.size());
    const auto& first = all->analysis->snapshot_memory().first_out;
    auto sentences = snapshot_sentences(all->analysis->run(), all->analysis->snapshot_memory());
    sentences.resize(
        std::min<std::size_t>(sentences.size(), first && first->peers > 0 ? 2 : 1)); // the table has the rest
    for (const Message& sentence : sentences)
        text += (text.endsWith(u'.') ? u" "_s : u". "_s) + messageText(sentence);
    peakWords_->setText(text);
    showPage();
    look(static_cast<std::size_t>(highest - all->curves.begin()), peak.time);
}

/// What was live is replayed in the background; the last one asked for wins.
void MemoryScreen::look(std::size_t curve, TimeNs time) {
    curveChoice_->setCurrentIndex(static_cast<int>(curve));
    plot_->setCurrent(curve, time);
    looking_.run(
        {},
        [contents = contents_, curve, time](const std::stop_token&) {
            return std::make_shared<const LiveMemory>(live_memory(*contents->analysis, contents->curves[curve], time));
        },
        [this](std::shared_ptr<const LiveMemory> live) {
            live_ = std::move(live);
            inBothLanguages([this] { showLive(); });
        });
}

QString MemoryScreen::words() const { return liveWords_->text(); }

void MemoryScreen::showLive() {
    const MemoryCurve& curve = contents_->curves[plot_->current()];
    const TimeNs origin = contents_->analysis->run().span.begin;
    const bool atPeak = live_->time == curve.points[curve.peak].time;
    peak_->setEnabled(!atPeak);
    const QString at =
        atPeak ? tr("%1 (its peak)").arg(timeText(live_->time - origin)) : timeText(live_->time - origin);
    QString text = tr("%1, %2: %3 allocated").arg(title(curve), at, bytesOf(live_->allocated));
    if (!live_->addresses)
        text += u". "_s + tr("The trace does not record addresses, so what was live cannot be told");
    else if (live_->from_before() > 0)
        text = tr("%1, %2 of it since before the recording").arg(text, bytesOf(live_->from_before()));
    if (curve.snapshot)
        text += u". "_s + tr("Fragmented: %1").arg(bytesOf(fragmented_bytes(*contents_->analysis, curve, live_->time)));
    liveWords_->setText(text);

    const auto row = [live = live_](int r) -> const LiveBlocksOf& { return live->blocks[static_cast<std::size_t>(r)]; };
    const auto name = [this](NameId id, const QString& none) {
        const std::string_view recorded = contents_->analysis->run().names->view(id);
        return recorded.empty() ? none : nameText(recorded);
    };
    const auto bytesColumn = [](const QString& title, const QString& tip, std::function<std::int64_t(int)> bytes) {
        return TableColumn{title, tip, [=](int r) { return bytesOf(bytes(r)); },
                           [=](int r) { return static_cast<double>(bytes(r)); }};
    };
    const bool first = model_->columnCount() == 0;
    const bool ofSnapshot = curve.snapshot.has_value();
    model_->setContents(
        {{tr("Made by"),
          ofSnapshot ? tr("The innermost frame of the program, outside of installed packages")
                     : tr("The innermost operator that does more than allocate"),
          [=](int r) { return name(row(r).maker, ofSnapshot ? tr("no stack recorded") : tr("outside of operators")); }},
         {tr("Inside"),
          ofSnapshot ? tr("Its category where the snapshot tells it, else the next frame of the program around it")
                     : tr("The outermost operator around it"),
          [=](int r) { return row(r).inside == row(r).maker ? u"–"_s : name(row(r).inside, u"–"_s); }},
         bytesColumn(tr("Live"), tr("Sum of its blocks that nobody had freed"), [row](int r) { return row(r).bytes; }),
         {tr("Share %"), tr("Of everything allocated then"),
          [row, live = live_](int r) {
              const double all = static_cast<double>(live->allocated == kUnknown ? live->traced : live->allocated);
              return all > 0 ? decimal(QString::number(100 * static_cast<double>(row(r).bytes) / all, 'f', 1)) : u"–"_s;
          },
          [row](int r) { return static_cast<double>(row(r).bytes); }},
         {tr("Blocks"), tr("How many"), [row](int r) { return groupedNumber(row(r).count); },
          [row](int r) { return static_cast<double>(row(r).count); }},
         bytesColumn(tr("Largest"), tr("The largest block of them"), [row](int r) { return row(r).largest; })},
        static_cast<int>(live_->blocks.size()));
    if (first) {
        table_->sortByColumn(2, Qt::DescendingOrder);
        QHeaderView* header = table_->horizontalHeader();
        header->setSectionResizeMode(QHeaderView::ResizeToContents);
        header->setResizeContentsPrecision(40);
        header->setMinimumSectionSize(64);
        header->setSectionResizeMode(0, QHeaderView::Stretch);
        header->setSectionResizeMode(1, QHeaderView::Stretch);
    }
}

void MemoryScreen::showLargest(int row) {
    if (!live_ || row < 0)
        return;
    const LiveBlocksOf& blocks = live_->blocks[static_cast<std::size_t>(row)];
    if (blocks.largest_call != kNoEvent)
        Q_EMIT eventActivated(contents_->analysis->run().ranks[contents_->curves[plot_->current()].rank]->rank,
                              blocks.largest_call);
}

} // namespace rankscope
