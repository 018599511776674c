// SPDX-License-Identifier: GPL-3.0-or-later
// The Kernels screen: its widgets, and how they act together.
#include "widgets/screens/kernels_screen.h"

#include <optional>

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyleOptionHeaderV2>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "widgets/charts/delay_histogram.h"
#include "widgets/charts/flame_graph.h"
#include "widgets/charts/roofline_plot.h"
#include "widgets/command_table.h"
#include "widgets/language.h"
#include "widgets/module_tree.h"
#include "widgets/plot_export.h"
#include "widgets/screens/analysis_table.h"
#include "widgets/screens/column_model.h"
#include "widgets/screens/instance_query.h"
#include "widgets/toggle_button.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

QLabel* quietLabel() {
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

/// The last word of a heading, a unit mostly, is in a line below: columns of numbers become narrow, and names get the
/// room.
class NarrowHeader : public QHeaderView {
public:
    explicit NarrowHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
        setSectionsClickable(true); // as the header that a table makes for itself
        connect(this, &QHeaderView::sortIndicatorChanged, this, [this] { resizeSections(); });
    }

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override {
        QHeaderView::initStyleOptionForIndex(option, section);
        if (const qsizetype last = option->text.lastIndexOf(u' '); last > 0)
            option->text[last] = u'\n';
    }
    /// As the base class, which takes the text from the model, in one line, and leaves each room for the arrow.
    QSize sectionSizeFromContents(int section) const override {
        QStyleOptionHeaderV2 option;
        initStyleOption(&option);
        initStyleOptionForIndex(&option, section);
        if (isSortIndicatorShown() && section == sortIndicatorSection())
            option.sortIndicator = QStyleOptionHeader::SortDown;
        return style()->sizeFromContents(QStyle::CT_HeaderSection, &option, QSize(), this);
    }
};

/// The page, or in its place why it is empty.
QStackedWidget* orWords(QWidget* page, const QString& words) {
    auto* pages = new QStackedWidget;
    QLabel* label = quietLabel();
    label->setAlignment(Qt::AlignCenter);
    label->setText(words);
    pages->addWidget(page);
    pages->addWidget(label);
    return pages;
}

} // namespace

KernelsScreen::KernelsScreen(QWidget* parent) : AnalysisScreen(parent) {
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(18, 6, 18, 12);
    layout->addWidget(buildBar());
    tabs_ = new QTabWidget;
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Parts of the screen"));
    kernels_ = buildTable(kernelTable_, tr("Kernels"),
                          [this](int row) { return contents_->kernels[static_cast<std::size_t>(row)].name; });
    tabs_->addTab(kernelTable_, tr("Kernels"));
    tabs_->addTab(buildOperators(), tr("Operators"));
    tabs_->addTab(buildModules(), tr("Modules"));
    tabs_->addTab(buildLaunches(), tr("Launches"));
    tabs_->addTab(buildRoofline(), tr("Roofline"));
    layout->addWidget(tabs_, 1);
    setPage(page);
    choose();
}

QWidget* KernelsScreen::buildBar() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    auto* rankLabel = new QLabel(tr("&Rank:"));
    rankChoice_ = new QComboBox;
    rankChoice_->setAccessibleName(tr("Rank"));
    rankChoice_->addItem(tr("All ranks"));
    rankLabel->setBuddy(rankChoice_);
    filter_ = new QLineEdit;
    filter_->setPlaceholderText(tr("Part of a name"));
    filter_->setClearButtonEnabled(true);
    filter_->setAccessibleName(tr("Filter by name"));
    row->addWidget(filter_, 1);
    row->addSpacing(12);
    row->addWidget(rankLabel);
    row->addWidget(rankChoice_);
    connect(rankChoice_, &QComboBox::activated, this, &KernelsScreen::choose);
    connect(filter_, &QLineEdit::textChanged, this, &KernelsScreen::applyFilter);
    return bar;
}

KernelsScreen::Sorted KernelsScreen::buildTable(QTableView*& table, const QString& name,
                                                std::function<NameId(int row)> nameOfRow) {
    table = new QTableView;
    Sorted sorted{new ColumnModel(this), nullptr};
    sorted.order = new ColumnOrder(sorted.model);
    table->setModel(sorted.order);
    table->setHorizontalHeader(new NarrowHeader(table));
    prepareTable(*table, name);
    table->setSortingEnabled(true);
    const auto ask = [this, table, order = sorted.order, nameOfRow = std::move(nameOfRow)](const QModelIndex& index) {
        if (contents_ && index.isValid())
            askInstances(nameOfRow(order->sourceRow(index)));
    };
    auto* all = new QAction(tr("Show all of this name in the &timeline"), table);
    table->addAction(all);
    connect(all, &QAction::triggered, this, [table, ask] { ask(table->currentIndex()); });
    connect(table, &QTableView::activated, this, ask);
    return sorted;
}

QWidget* KernelsScreen::buildOperators() {
    flames_ = new FlameGraph;
    markAsPlot(*flames_, tr("Flame graph of operators"));
    QScrollArea* area = scrolledFlames(flames_);
    auto* controls = new QHBoxLayout;
    auto* widthLabel = new QLabel(tr("&Width:"));
    weight_ = new QComboBox;
    weight_->addItems({tr("GPU time"), tr("CPU time")});
    weight_->setAccessibleName(tr("What the width stands for"));
    widthLabel->setBuddy(weight_);
    annotations_ = new ToggleButton(tr("Annotations"));
    annotations_->setChecked(true);
    annotations_->setToolTip(tr("Annotations of the program as parts of the paths"));
    python_ = new ToggleButton(tr("Python"));
    python_->setToolTip(tr("Python functions as parts of the paths, where they were recorded (with_stack=True)"));
    unattributed_ = quietLabel();
    controls->addWidget(widthLabel);
    controls->addWidget(weight_);
    controls->addSpacing(12);
    controls->addWidget(annotations_);
    controls->addWidget(python_);
    controls->addSpacing(12);
    controls->addWidget(unattributed_, 1);
    auto* top = new QWidget;
    auto* column = new QVBoxLayout(top);
    column->setContentsMargins(0, 8, 0, 0);
    column->addLayout(controls);
    column->addWidget(area, 1);
    operators_ = buildTable(operatorTable_, tr("Operators"),
                            [this](int row) { return contents_->operators[static_cast<std::size_t>(row)].name; });
    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(top);
    split->addWidget(operatorTable_);
    split->setChildrenCollapsible(false);
    split->setSizes({300, 280});
    connect(weight_, &QComboBox::currentIndexChanged, flames_,
            [this](int index) { flames_->setWeight(static_cast<FlameWeight>(index)); });
    connect(annotations_, &QToolButton::toggled, this, &KernelsScreen::choose);
    connect(python_, &QToolButton::toggled, this, &KernelsScreen::choose);
    connect(flames_, &FlameGraph::nodeActivated, this,
            [this](std::uint32_t node) { askInstances(contents_->tree.nodes[node].name); });
    operatorPages_ =
        orWords(split, tr("No operators: the trace has no CPU activity (record with ProfilerActivity.CPU)."));
    return operatorPages_;
}

QWidget* KernelsScreen::buildModules() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 8, 0, 0);
    moduleWords_ = quietLabel();
    modules_ = new ModuleTree(tr("Modules of the model"));
    column->addWidget(moduleWords_);
    column->addWidget(modules_, 1);
    connect(modules_, &ModuleTree::moduleActivated, this, [this](const QString& module) {
        Q_EMIT instancesAsked(instanceQuery("nn.Module: " + module.toStdString(), {}));
    });
    modulePages_ = orWords(page, tr("No modules: no frame around the kernels names one (record with with_stack=True or "
                                    "with_modules=True, or keep the captures of graphs beside the trace)."));
    return modulePages_;
}

QWidget* KernelsScreen::buildLaunches() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 10, 0, 0);
    delayWords_ = quietLabel();
    delays_ = new DelayHistogram;
    markAsPlot(*delays_, tr("Launch delays"));
    column->addWidget(delayWords_);
    column->addWidget(delays_, 1);
    launchPages_ = orWords(page, tr("No launches: the trace does not have the calls that launched its kernels."));
    return launchPages_;
}

QWidget* KernelsScreen::buildRoofline() {
    roofline_ = new RooflinePlot;
    markAsPlot(*roofline_, tr("Roofline"));
    rooflineWords_ = quietLabel();
    points_ = buildTable(rooflineTable_, tr("Operators under the roofline"),
                         [this](int row) { return contents_->roofline[static_cast<std::size_t>(row)].row.name; });
    auto* top = new QWidget;
    auto* column = new QVBoxLayout(top);
    column->setContentsMargins(0, 8, 0, 0);
    column->addWidget(rooflineWords_);
    column->addWidget(roofline_, 1);
    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(top);
    split->addWidget(rooflineTable_);
    split->setChildrenCollapsible(false);
    split->setSizes({380, 200});
    connect(roofline_, &RooflinePlot::rowClicked, this, &KernelsScreen::showRooflineRow);
    connect(
        roofline_, &RooflinePlot::rowActivated, this,
        [this](std::size_t row) { askInstances(contents_->roofline[row].row.name); });
    connect(rooflineTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                roofline_->setCurrent(index.isValid()
                                          ? std::optional(static_cast<std::size_t>(points_.order->sourceRow(index)))
                                          : std::nullopt);
            });
    rooflinePages_ = orWords(
        split,
        tr("No points: they need operators with recorded shapes that a model knows (record with record_shapes=True)."));
    return rooflinePages_;
}

void KernelsScreen::useCommands(CommandTable& table) {
    table.addPlace({u"kernels"_s, tr("Kernels"), this});
    table.addGesture({u"kernels"_s, tr("Enter, double-click"), tr("Show all events of this name in the timeline")});
    table.addGesture({u"kernels"_s, tr("Click, Space in the flame graph"), tr("Let this call fill the width")});
    table.addGesture({u"kernels"_s, tr("Backspace, Escape in the flame graph"), tr("Back to its caller")});
    table.addGesture({u"kernels"_s, tr("Arrow keys in the flame graph"),
                      tr("To the caller, the first call inside, or the calls beside")});
    table.addGesture({u"kernels"_s, tr("Ctrl+C"), tr("Copy the table's selected rows, tab-separated")});
}

void KernelsScreen::showTab(Tab tab) { tabs_->setCurrentIndex(tab); }

/// Takes up rank and parts as they are chosen, and computes anew.
void KernelsScreen::choose() {
    KernelsChoice choice{{}, {annotations_->isChecked(), python_->isChecked()}};
    if (rankChoice_->currentIndex() > 0)
        choice.rank = static_cast<std::size_t>(rankChoice_->currentIndex() - 1);
    setPreparation(
        [this, choice](const std::shared_ptr<const AnalysedRun>& analysed, const std::stop_token& stop) -> Show {
            auto contents = kernelsContents(analysed->analysis, choice, stop);
            return [this, contents] { setContents(contents); };
        });
    prepareAgain();
}

void KernelsScreen::setContents(std::shared_ptr<const KernelsContents> contents) {
    contents_ = std::move(contents);
    if (contents_->kernels.empty() && contents_->operators.empty())
        return showMessage(tr("No kernels"),
                           tr("This selection of the run has neither GPU work nor operators. Record both with\n\n"
                              "torch.profiler.profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])"));
    fillRanks();
    inBothLanguages([this] {
        fillKernels();
        fillOperators();
        fillModules();
    });
    fillLaunches();
    inBothLanguages([this] { fillRoofline(); });
    applyFilter();
    showPage();
}

void KernelsScreen::fillRanks() {
    const auto& ranks = contents_->analysis->run().ranks;
    QStringList titles{tr("All ranks")};
    for (const auto& rank : ranks)
        titles << tr("Rank %1").arg(rank->rank);
    const QSignalBlocker quiet(rankChoice_);
    rankChoice_->clear();
    rankChoice_->addItems(titles);
    rankChoice_->setCurrentIndex(contents_->choice.rank ? static_cast<int>(*contents_->choice.rank) + 1 : 0);
    rankChoice_->setEnabled(ranks.size() > 1);
}

void KernelsScreen::applyFilter() {
    const QString text = filter_->text().trimmed();
    for (const Sorted& table : {kernels_, operators_, points_})
        table.order->setFilterFixedString(text);
    flames_->setHighlight(text);
    modules_->setFilter(text);
}

void KernelsScreen::askInstances(NameId name) {
    std::optional<int> rank;
    if (contents_->choice.rank)
        rank = contents_->analysis->run().ranks[*contents_->choice.rank]->rank;
    Q_EMIT instancesAsked(instanceQuery(contents_->names().view(name), rank));
}

void KernelsScreen::showRooflineRow(std::size_t row) {
    const QModelIndex index = points_.order->mapFromSource(points_.model->index(static_cast<int>(row), 0));
    if (!index.isValid())
        return roofline_->setCurrent(row); // the filter hides its line
    rooflineTable_->setCurrentIndex(index);
    rooflineTable_->scrollTo(index);
}

} // namespace rankscope
