// SPDX-License-Identifier: GPL-3.0-or-later
// The Hang screen.
#include "widgets/screens/hang_screen.h"

#include <algorithm>

#include <QAction>
#include <QDateTime>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QTimeZone>
#include <QVBoxLayout>

#include "core/input/find/run_folder.h"
#include "core/report/hang_report.h"
#include "widgets/command_table.h"
#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/plot_export.h"
#include "widgets/screens/analysis_table.h"
#include "widgets/screens/column_model.h"
#include "widgets/screens/hang_waits_view.h"
#include "widgets/words_label.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

QString timeOfDay(TimeNs time) {
    return time == 0 ? u"–"_s
                     : QDateTime::fromMSecsSinceEpoch(time / 1'000'000, QTimeZone::utc()).toString(u"HH:mm:ss.zzz"_s);
}

/// The whole of it stands with the selected rank.
QString shortCall(const HangCall& call) {
    if (call.source >= 0)
        return HangScreen::tr("message %1, %2 to %3").arg(call.seq).arg(call.source).arg(call.destination);
    return call.kind.empty() ? HangScreen::tr("call %1").arg(call.seq)
                             : nameText(call.kind) + u' ' + QString::number(call.seq);
}

/// Its description without what all of them end in.
QString shortGroup(const HangCall& call) {
    std::string_view name = call.description == "undefined" ? std::string_view() : std::string_view(call.description);
    for (const std::string_view ending : {"_GROUP", "_PARALLEL", "_MODEL"}) // TENSOR_MODEL_PARALLEL_GROUP: TENSOR
        if (name.ends_with(ending))
            name.remove_suffix(ending.size());
    return name.empty() ? HangScreen::tr("group %1").arg(nameText(call.group)) : nameText(name);
}

} // namespace

HangScreen::HangScreen(QWidget* parent)
    : AnalysisScreen(parent), table_(new QTableView), mismatches_(new QTableView), model_(new ColumnModel(this)),
      mismatchModel_(new ColumnModel(this)), waits_(new HangWaitsView), details_(new QPlainTextEdit) {
    markAsPlot(*waits_, tr("Who waits for whom"));
    headline_ = headlineLabel(1.2);
    headline_->setAccessibleName(tr("Why the job hangs"));
    words_ = wordsLabel();
    words_->setAccessibleName(tr("What happened, and what to do"));
    order_ = new ColumnOrder(model_);
    table_->setModel(order_);
    prepareTable(*table_, tr("Ranks of the job that hangs"));
    table_->setSortingEnabled(true);
    auto* show = new QAction(tr("Show its last calls in the &timeline"), table_);
    table_->addAction(show);
    connect(
        show, &QAction::triggered, this, [this] { showInTimeline(order_->sourceRow(table_->currentIndex())); });
    connect(
        table_, &QTableView::activated, this,
        [this](const QModelIndex& index) { showInTimeline(order_->sourceRow(index)); });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) { showRank(index.isValid() ? order_->sourceRow(index) : -1); });
    mismatches_->setModel(mismatchModel_);
    prepareTable(*mismatches_, tr("Calls that differ between ranks"));
    connect(waits_, &HangWaitsView::rankChosen, this, &HangScreen::selectRank);
    details_->setReadOnly(true);
    details_->setAccessibleName(tr("The selected rank"));

    auto* left = new QSplitter(Qt::Vertical);
    left->addWidget(table_);
    left->addWidget(mismatches_);
    left->setChildrenCollapsible(false);
    left->setSizes({400, 160});
    auto* scroll = new QScrollArea;
    scroll->setAccessibleName(tr("Who waits for whom"));
    scroll->setWidget(waits_);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* right = new QSplitter(Qt::Vertical);
    right->addWidget(scroll);
    right->addWidget(details_);
    right->setChildrenCollapsible(false);
    right->setSizes({360, 220});
    auto* split = new QSplitter(Qt::Horizontal);
    split->addWidget(left);
    split->addWidget(right);
    split->setChildrenCollapsible(false);
    split->setSizes({640, 340});
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(18, 10, 18, 12);
    layout->setSpacing(8);
    layout->addWidget(headline_);
    layout->addWidget(words_);
    layout->addWidget(split, 1);
    setPage(page);
    setPreparation([this](const std::shared_ptr<const AnalysedRun>& analysed, const std::stop_token&) -> Show {
        auto contents = std::make_shared<Contents>();
        contents->analysis = analysed->analysis;
        if (const Hang* hang = analysed->analysis->hang(); hang != nullptr) {
            contents->hang = {analysed->analysis, hang}; // lives as long as the analysis
            contents->headline = messageText(hang_headline(*hang));
            for (const Message& sentence : hang_summary(*hang))
                contents->summary << messageText(sentence);
        }
        return [this, contents] { setContents(contents); };
    });
}

void HangScreen::useCommands(CommandTable& table) {
    table.addPlace({u"hang"_s, tr("Hang"), this});
    table.addGesture({u"hang"_s, tr("Click in the matrix"), tr("Select the rank of that row or column")});
    table.addGesture(
        {u"hang"_s, tr("Enter, double-click in the table"), tr("Show the rank's last calls in the timeline")});
    table.addGesture({u"hang"_s, tr("Ctrl+C"), tr("Copy the table's selected rows, tab-separated")});
}

QString HangScreen::headline() const { return headline_->text(); }

QString HangScreen::details() const { return details_->toPlainText(); }

void HangScreen::setContents(std::shared_ptr<const Contents> contents) {
    contents_ = std::move(contents);
    if (!contents_->hang && std::ranges::any_of(contents_->analysis->run().notices, tells_of_dumps))
        return showMessage(tr("The dumps of this job are another capture of it"),
                           tr("The folder holds a profile, which is shown, and dumps of the Flight Recorder.\n\nThe "
                              "button beside the run's name opens the dumps."));
    if (!contents_->hang)
        return showMessage(tr("No dumps of a job that hangs"),
                           tr("This run is a recording of a job that ran. When a job hangs, PyTorch leaves one dump a "
                              "rank if it was told to:\n\nTORCH_NCCL_TRACE_BUFFER_SIZE=2000\n"
                              "TORCH_NCCL_DUMP_ON_TIMEOUT=1\n\nOpen the folder with these dumps."));
    const Hang& hang = *contents_->hang;
    headline_->setText(contents_->headline);
    words_->setText(contents_->summary.join(u'\n'));
    const auto rank = [contents = contents_](int row) -> const HangRank& {
        return contents->hang->ranks[static_cast<std::size_t>(row)];
    };
    inBothLanguages([&] {
        model_->setContents(
            {{tr("Rank"), tr("Its number in the job"), [=](int r) { return QString::number(rank(r).rank); },
              [=](int r) { return static_cast<double>(rank(r).rank); }},
             {tr("Verdict"),
              tr("Culprit: the dumps prove it. Possible: nothing proves it and nothing clears it"),
              [=](int r) { return coreText(hang_verdict_word(rank(r).verdict)); },
              [=](int r) { return 1e10 * static_cast<double>(rank(r).verdict) + rank(r).rank; }, // then by rank
              {},
              true},
             {tr("Waits for"), tr("Who holds up its oldest open call"),
              [=](int r) {
                  const HangRank& of = rank(r);
                  return of.waits.empty() || of.waits.front().ranks.empty()
                             ? u"–"_s
                             : messageText(rank_list_text(of.waits.front().ranks));
              }},
             {tr("Open call"), tr("Its oldest open call"),
              [=](int r) { return rank(r).waits.empty() ? u"–"_s : shortCall(rank(r).waits.front().call); }},
             {tr("Group"), tr("The process group of that call"),
              [=](int r) { return rank(r).waits.empty() ? u"–"_s : shortGroup(rank(r).waits.front().call); }},
             {tr("Since (UTC)"), tr("When it made that call"),
              [=](int r) { return rank(r).waits.empty() ? u"–"_s : timeOfDay(rank(r).waits.front().since); },
              [=](int r) { return rank(r).waits.empty() ? 0.0 : static_cast<double>(rank(r).waits.front().since); }},
             {tr("Last completed"), tr("The last call that is known to be finished: its number in its group"),
              [=](int r) {
                  const auto& call = rank(r).last_completed;
                  return call ? tr("%1, group %2").arg(call->seq).arg(nameText(call->group)) : u"–"_s;
              }}},
            static_cast<int>(hang.ranks.size()));
    });
    table_->sortByColumn(1, Qt::AscendingOrder);
    QHeaderView* header = table_->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setResizeContentsPrecision(40);
    header->setSectionResizeMode(4, QHeaderView::Stretch);

    struct MismatchRow {
        const HangMismatch* mismatch;
        const HangVariant* variant;
    };
    auto variants = std::make_shared<std::vector<MismatchRow>>();
    for (const HangMismatch& mismatch : hang.mismatches)
        for (const HangVariant& variant : mismatch.variants)
            variants->push_back({&mismatch, &variant});
    const auto variant = [contents = contents_, variants](int row) -> const MismatchRow& {
        return (*variants)[static_cast<std::size_t>(row)];
    };
    inBothLanguages([&] {
        mismatchModel_->setContents(
            {{tr("Called"), tr("Kind, sizes and type"), [=](int r) { return messageText(variant(r).variant->called); }},
             {tr("By"), tr("Members that called this"),
              [=](int r) { return messageText(rank_list_text(variant(r).variant->ranks)); }},
             {tr("Differs in"), tr("Kind, sizes, types, or what all send and all receive"),
              [=](int r) { return coreText(variant(r).mismatch->what); }},
             {tr("As"), tr("The call that all members should make alike"),
              [=](int r) { return messageText(hang_call_text(variant(r).mismatch->call)); }}},
            static_cast<int>(variants->size()));
    });
    mismatches_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    mismatches_->setVisible(!variants->empty());
    waits_->setHang(contents_->hang);
    showPage();
    table_->setCurrentIndex(order_->index(0, 0));
    showRank(order_->rowCount() > 0 ? order_->sourceRow(order_->index(0, 0)) : -1);
}

void HangScreen::selectRank(int rank) {
    for (int row = 0; row < order_->rowCount(); ++row)
        if (contents_->hang->ranks[static_cast<std::size_t>(order_->sourceRow(order_->index(row, 0)))].rank == rank) {
            table_->setCurrentIndex(order_->index(row, 0));
            table_->scrollTo(order_->index(row, 0));
        }
}

void HangScreen::showRank(int row) {
    if (row < 0 || !contents_ || !contents_->hang) {
        details_->clear();
        return;
    }
    const HangRank& rank = contents_->hang->ranks[static_cast<std::size_t>(row)];
    waits_->setCurrentRank(rank.rank);
    QStringList lines{tr("Rank %1: %2").arg(rank.rank).arg(coreText(hang_verdict_word(rank.verdict)))};
    if (!rank.why.empty())
        lines << messageText(rank.why);
    if (rank.last_completed)
        lines << tr("Last completed: %1 %2")
                     .arg(messageText(hang_call_text(*rank.last_completed)),
                          QString::fromStdString(utc_text(rank.last_completed_at)))
                     .trimmed();
    if (rank.last_called)
        lines << tr("Last called: %1 %2")
                     .arg(messageText(hang_call_text(*rank.last_called)),
                          QString::fromStdString(utc_text(rank.last_called_at)))
                     .trimmed();
    lines << tr("Open calls: %1").arg(groupedNumber(static_cast<std::int64_t>(rank.open_calls)));
    constexpr std::size_t kShown = 12;
    for (const HangWait& wait : std::span(rank.waits).first(std::min(kShown, rank.waits.size())))
        lines << u"  "_s + (wait.ranks.empty() ? messageText(hang_call_text(wait.call))
                                               : tr("%1, waits for %2")
                                                     .arg(messageText(hang_call_text(wait.call)),
                                                          messageText(rank_list_text(wait.ranks))));
    lines << (rank.frames.empty() ? tr("Frames: not recorded (TORCH_INCLUDE_STACK_TRACE=1 records them)")
                                  : tr("Frames of its last call:"));
    for (const FlightRecorderFrame& frame : rank.frames)
        lines << tr("  %1 at %2:%3").arg(nameText(frame.name), nameText(frame.file)).arg(frame.line);
    details_->setPlainText(lines.join(u'\n'));
}

void HangScreen::showInTimeline(int row) {
    if (row < 0 || !contents_->hang)
        return;
    const HangRank& rank = contents_->hang->ranks[static_cast<std::size_t>(row)];
    const RankTrace* trace = contents_->analysis->run().rank(rank.rank);
    if (trace == nullptr || trace->events.size() == 0)
        return;
    const TimeNs since =
        rank.waits.empty() || rank.waits.front().since == 0 ? trace->span.begin : rank.waits.front().since;
    Q_EMIT evidenceAsked(rank.rank, kNoEvent, TimeRange{since, std::max(since + 1000, trace->span.end)});
}

} // namespace rankscope
