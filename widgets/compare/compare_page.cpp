// SPDX-License-Identifier: GPL-3.0-or-later
// The Compare screen: which runs, and what is shown of them.
#include "widgets/compare/compare_page.h"

#include <cmath>

#include <QCheckBox>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

#include "core/metrics/evidence.h"
#include "widgets/compare/change_waterfall.h"
#include "widgets/compare/config_change_model.h"
#include "widgets/compare/linked_timelines.h"
#include "widgets/compare/memory_changes.h"
#include "widgets/compare/metric_change_model.h"
#include "widgets/compare/operator_change_model.h"
#include "widgets/compare/overlaid_histograms.h"
#include "widgets/language.h"
#include "widgets/message_page.h"
#include "widgets/module_tree.h"
#include "widgets/panels/runs_model.h"
#include "widgets/time_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

QString chosenPath(const QComboBox* choice) { return choice->currentData().toString(); }

void fillChoice(QComboBox* choice, const std::vector<RunChoice>& runs, const QString& chosen) {
    const QSignalBlocker quiet(choice);
    choice->clear();
    for (const RunChoice& run : runs) {
        choice->addItem(run.name, run.path);
        choice->setItemData(choice->count() - 1, run.path, Qt::ToolTipRole);
    }
    choice->setCurrentIndex(choice->findData(chosen));
}

} // namespace

ComparePage::ComparePage(QWidget* parent)
    : QWidget(parent), metrics_(new MetricChangeModel(this)), config_(new ConfigChangeModel(this)),
      operators_(new OperatorChangeModel(this)) {
    setAcceptDrops(true);
    tabs_ = new QTabWidget;
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Views of the comparison"));
    timelines_ = new LinkedTimelines;
    tabs_->addTab(buildChanges(), tr("Cha&nges"));
    tabs_->addTab(timelines_, tr("&Linked timelines"));
    tabs_->addTab(buildOperators(), tr("Ope&rators and kernels"));
    modules_ = new ModuleTree(tr("Modules of both runs"));
    tabs_->addTab(modules_, tr("&Modules"));
    memory_ = new MemoryChanges;
    tabs_->addTab(memory_, tr("Memor&y"));
    hint_ = new MessagePage;
    pages_ = new QStackedWidget;
    pages_->addWidget(hint_);
    pages_->addWidget(tabs_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 4, 12, 6);
    layout->addWidget(buildBar());
    layout->addWidget(pages_, 1);
    setChoices({}, {});
}

QWidget* ComparePage::buildBar() {
    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    const auto choice = [&](const QString& title, const QString& name) {
        auto* label = new QLabel(title);
        auto* box = new QComboBox;
        box->setAccessibleName(name);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(18);
        label->setBuddy(box);
        layout->addWidget(label);
        layout->addWidget(box, 1);
        return box;
    };
    baselineChoice_ = choice(tr("&Baseline"), tr("Run that is the baseline"));
    swap_ = new QToolButton;
    swap_->setText(u"\u21c4"_s);
    swap_->setToolTip(tr("Swap baseline and test"));
    swap_->setAccessibleName(tr("Swap baseline and test"));
    layout->addWidget(swap_);
    testChoice_ = choice(tr("T&est"), tr("Run that is compared with the baseline"));
    addRun_ = new QToolButton;
    addRun_->setText(tr("Add run"));
    addRun_->setToolTip(tr("Compare a further run with the baseline"));
    addRun_->setPopupMode(QToolButton::InstantPopup);
    layout->addWidget(addRun_);
    shownTest_ = choice(tr("&Details of"), tr("Test whose details the tabs show"));
    connect(baselineChoice_, &QComboBox::activated, this, &ComparePage::askFromBar);
    connect(testChoice_, &QComboBox::activated, this, &ComparePage::askFromBar);
    connect(swap_, &QToolButton::clicked, this, &ComparePage::swap);
    connect(shownTest_, &QComboBox::activated, this, &ComparePage::compareShown);
    return bar;
}

void ComparePage::setChoices(const std::vector<RunChoice>& choices, const QStringList& compared) {
    choices_ = choices;
    compared_ = compared;
    // The only run there is needs no choosing.
    fillChoice(baselineChoice_, choices,
               compared.isEmpty() && choices.size() == 1 ? choices.front().path : compared.value(0));
    fillChoice(testChoice_, choices, compared.value(1));
    auto* menu = new QMenu(addRun_);
    for (const RunChoice& run : choices)
        if (!compared.contains(run.path))
            connect(menu->addAction(QString(run.name).replace(u'&', u"&&"_s)), &QAction::triggered, this,
                    [this, path = run.path] { Q_EMIT comparisonAsked(compared_ + QStringList{path}); });
    delete addRun_->menu();
    addRun_->setMenu(menu);
    addRun_->setEnabled(!menu->isEmpty() && compared.size() >= 2);
    swap_->setEnabled(compared.size() >= 2);
    std::vector<RunChoice> tests;
    for (const QString& path : compared.mid(1))
        for (const RunChoice& run : choices)
            if (run.path == path)
                tests.push_back(run);
    fillChoice(shownTest_, tests, compared.value(1));
    const bool several = compared.size() > 2;
    shownTest_->setVisible(several);
    for (QLabel* label : findChildren<QLabel*>())
        if (label->buddy() == shownTest_)
            label->setVisible(several);
    if (compared.size() < 2)
        setRuns({}, tr("Two runs are needed"),
                choices.size() < 2 ? tr("Drop a second run or folder here, or open one.")
                                   : tr("Drop a run or folder here, or choose both runs above."));
}

void ComparePage::askFromBar() {
    const QString baseline = chosenPath(baselineChoice_);
    const QString test = chosenPath(testChoice_);
    if (baseline.isEmpty() || test.isEmpty() || baseline == test) {
        setRuns({}, tr("Two runs are needed"), tr("Choose two different runs above."));
        return;
    }
    QStringList wanted{baseline, test};
    for (const QString& path : compared_.mid(2))
        if (!wanted.contains(path))
            wanted << path;
    Q_EMIT comparisonAsked(wanted);
}

void ComparePage::swap() {
    if (compared_.size() < 2)
        return;
    QStringList swapped = compared_;
    // Of several tests the one in the tabs becomes the baseline.
    const qsizetype shown = std::max<qsizetype>(1, swapped.indexOf(chosenPath(shownTest_)));
    swapped.swapItemsAt(0, shown);
    Q_EMIT comparisonAsked(swapped);
}

void ComparePage::setRuns(std::vector<std::shared_ptr<const AnalysedRun>> runs, const QString& title,
                          const QString& words) {
    runs_ = std::move(runs);
    comparison_.reset();
    ready_ = false;
    comparing_.stop();
    memory_->setComparison(nullptr);
    if (runs_.size() < 2) {
        hint_->setMessage(title, words);
        pages_->setCurrentWidget(hint_);
        timelines_->setRuns(nullptr, nullptr);
        metrics_->setRuns({});
        countUnchanged();
        config_->setConfigs({});
        operators_->setChanges({});
        return;
    }
    metrics_->setRuns(runs_);
    countUnchanged();
    metricTable_->resizeColumnsToContents();
    compareShown();
}

QString ComparePage::message() const { return pages_->currentWidget() == hint_ ? hint_->message() : QString(); }

void ComparePage::compareShown() {
    if (runs_.size() < 2)
        return;
    const qsizetype place = compared_.indexOf(chosenPath(shownTest_));
    const auto test = static_cast<std::size_t>(place >= 1 && place < static_cast<qsizetype>(runs_.size()) ? place : 1);
    ready_ = false;
    comparing_.stop();
    comparing_.run(
        {comparisonJob},
        [runs = runs_, test](const std::stop_token&) {
            ComparedRuns compared = compareRuns(runs.front(), runs[test]);
            compared.all = allSideBySide(runs);
            return std::make_shared<const ComparedRuns>(std::move(compared));
        },
        [this](std::shared_ptr<const ComparedRuns> comparison) {
            comparison_ = std::move(comparison);
            show(*comparison_);
        },
        [this](const QString& reason) { setRuns({}, reason); });
}

void ComparePage::show(const ComparedRuns& comparison) {
    showWords(comparison);
    if (comparison.comparison->comparability().comparable())
        waterfall_->setChange(QString::fromStdString(comparison.baseline->label),
                              QString::fromStdString(comparison.test->label), comparison.comparison->explanation());
    else
        waterfall_->clear();
    config_->setConfigs(comparison.comparison->config(), comparison.comparison->metrics());
    configTitle_->setText(
        config_->differences() == 1
            ? tr("Configuration: 1 difference")
            : tr("Configuration: %1 differences", nullptr, plural(config_->differences())).arg(config_->differences()));
    const auto [baselineSteps, testSteps] = comparison.comparison->summed_steps();
    const bool perStep = baselineSteps > 0 && testSteps > 0; // as all else on this screen
    const std::vector<OperatorChange>& operators = comparison.comparison->operators();
    operators_->setChanges(perStep ? per_step(operators, baselineSteps, testSteps) : operators, perStep);
    histograms_->setMessage(tr("Select a kernel to see how its durations are spread in both runs."));
    operatorTable_->selectRow(0); // what costs most
    showModules(comparison);
    memory_->setComparison(comparison.comparison);
    tabs_->setTabVisible(memoryTab, !comparison.comparison->memory().empty());
    timelines_->setRuns(comparison.baseline->analysis, comparison.test->analysis);
    pages_->setCurrentWidget(tabs_);
    QTimer::singleShot(0, this, &ComparePage::fitWords);
    ready_ = true;
    Q_EMIT ready();
}

QString ComparePage::allRunsHtml(const std::vector<RunBesideOthers>& rows) const {
    if (rows.size() != runs_.size())
        return {};
    const auto line = [](const QStringList& cells, const QString& tag) -> QString { // no builder of its local
        QString html = u"<tr>"_s;
        for (qsizetype i = 0; i < cells.size(); ++i)
            html += u"<%1 align='%2' style='padding-right:16px'>%3</%1>"_s.arg(
                tag, i == 0 || i + 1 == cells.size() ? u"left"_s : u"right"_s, cells[i].toHtmlEscaped());
        return html + u"</tr>"_s;
    };
    QString html = u"<table cellspacing='0' style='margin-bottom:6px'>"_s +
                   line({tr("Run"), tr("Step"), tr("Against the first"), tr("Against the best"), {}}, u"th"_s);
    for (std::size_t i = 0; i < rows.size(); ++i)
        html += line({QString::fromUtf8(runs_[i]->label),
                      rows[i].step_ms ? durationText(std::llround(*rows[i].step_ms * 1e6)) : u"\u2013"_s,
                      messageText(step_change_words(rows[i].against_first)),
                      messageText(step_change_words(rows[i].against_best)), messageText(note_of(rows[i]))},
                     u"td"_s);
    return html + u"</table>"_s;
}

void ComparePage::showWords(const ComparedRuns& comparison) {
    const ChangeExplanation& explanation = comparison.comparison->explanation();
    QString html = allRunsHtml(comparison.all);
    for (std::size_t i = 0; i < explanation.sentences.size(); ++i) {
        const QString sentence = messageText(explanation.sentences[i]).toHtmlEscaped();
        html += i == 0 ? u"<p style='margin:0 0 4px 0'><b>"_s + sentence + u"</b></p>"_s
                       : u"<p style='margin:0 0 2px 10px'>\u2022 "_s + sentence + u"</p>"_s;
    }
    words_->setText(html);
}

void ComparePage::countUnchanged() {
    const int rows = metrics_->unchanged();
    showUnchanged_->setText(rows == 1 ? tr("Show 1 row without a difference")
                                      : tr("Show %1 rows without a difference", nullptr, rows).arg(rows));
    showUnchanged_->setVisible(rows > 0);
}

void ComparePage::fitWords() {
    if (!wordsFit_ || !comparison_)
        return;
    const int room = changes_->height();
    const int scrollBar = 2 * words_->fontMetrics().height();
    const bool drawn = !waterfall_->isHidden();
    const int words = words_->heightForWidth((drawn ? words_->width() : changes_->width()) - scrollBar);
    const int wanted = std::min(std::max(words, drawn ? waterfall_->sizeHint().height() : 0), 2 * room / 5);
    changes_->setSizes({wanted, room - wanted});
}

void ComparePage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    QTimer::singleShot(0, this, &ComparePage::fitWords); // once the pages inside have their size
}

/// Metrics of kernels and operators are explained by their table, all others by a stretch of the timeline.
void ComparePage::showMetric(const QString& id) {
    static const QStringList byName{u"kernel_breakdown"_s, u"operators"_s, u"launch_stats"_s,
                                    u"roofline"_s,         u"mfu"_s,       u"sm"_s};
    if (!comparison_)
        return;
    if (byName.contains(id)) {
        operatorTable_->sortByColumn(OperatorChangeModel::costColumn, Qt::DescendingOrder);
        operatorTable_->selectRow(0);
        return showTab(operatorsTab);
    }
    showTab(timelinesTab);
    const MetricPointer metric = find_metric(id.toStdString(), comparison_->test->analysis->rules().metrics);
    if (const auto evidence = metric ? evidence_of(*metric, *comparison_->test->analysis) : std::nullopt)
        timelines_->showEvidence(CompareSide::test, evidence->rank, evidence->range);
}

void ComparePage::showTab(Tab tab) { tabs_->setCurrentIndex(tab); }

ComparePage::Tab ComparePage::shownTab() const { return static_cast<Tab>(tabs_->currentIndex()); }

void ComparePage::dragEnterEvent(QDragEnterEvent* event) {
    if (!localPaths(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void ComparePage::dropEvent(QDropEvent* event) {
    const QStringList paths = localPaths(*event->mimeData());
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    // One run joins what is compared, or takes the test's place; two or more are the comparison.
    Q_EMIT comparisonAsked(paths.size() > 1 || compared_.isEmpty() ? paths
                                                                   : QStringList{compared_.front(), paths.front()});
}

} // namespace rankscope
