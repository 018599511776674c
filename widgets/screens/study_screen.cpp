// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/screens/study_screen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "core/compare/metric_comparison.h"
#include "core/remote/remote_run.h"
#include "widgets/command_table.h"
#include "widgets/language.h"
#include "widgets/message_page.h"
#include "widgets/name_text.h"
#include "widgets/number_text.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/runs_model.h"
#include "widgets/screens/analysis_table.h"
#include "widgets/screens/column_model.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::size_t kMostMultiples = 12;
constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
const QString kInOrder = u"order"_s;
const QString kStrong = u"strong"_s;
const QString kWeak = u"weak"_s;

QString qt(const std::string& text) { return QString::fromStdString(text); }

/// nullptr when there is none.
MetricPointer metricOf(const MetricList& measured, std::string_view id) {
    const auto found = std::ranges::find(measured, id, [](const MetricPointer& metric) { return metric->id; });
    return found == measured.end() ? nullptr : *found;
}

/// Those that most readers ask for come first, then those that changed.
MetricList metricsByInterest(const Study& study) {
    const MetricList measured = metrics_of(study.runs);
    MetricList metrics;
    const auto add = [&](const MetricPointer& metric) {
        if (metric && std::ranges::find(metrics, metric) == metrics.end())
            metrics.push_back(metric);
    };
    for (const char* id : {"step_time", "iter_time", "throughput_tokens", "mfu", "comm_comp_overlap", "straggler_lag"})
        add(metricOf(measured, id));
    for (const StudyChange& change : study.changes)
        add(change.metric);
    for (const MetricPointer& metric : measured)
        add(metric);
    return metrics;
}

QString changeText(double percent) {
    return (percent > 0 ? u"+"_s : QString()) + decimal(QString::number(percent, 'f', std::abs(percent) < 10 ? 1 : 0)) +
           u" %"_s;
}

/// "µs"; a word in the window's language.
QString unitWord(const QString& unit) { return coreText(unit.toStdString()); }

QString valueText(const StudyValue& value) {
    return value.spread ? withSpread(value.value, *value.spread) : shortNumber(value.value);
}

} // namespace

StudyScreen::StudyScreen(QWidget* parent)
    : AnalysisScreen(parent), stop_(new QPushButton(tr("Stop"))), order_(new QComboBox), metric_(new QComboBox),
      against_(new QComboBox), status_(new QLabel), model_(new ColumnModel(this)), shown_(new ColumnOrder(model_)),
      table_(new QTableView), changes_(new QListWidget), plot_(new StudyPlot), multiples_(new StudyMultiples),
      page_(new QWidget) {
    setAcceptDrops(true);
    auto* folder = new QPushButton(tr("Add folder…"));
    folder->setToolTip(tr("Add a run, or all runs of a folder"));
    auto* openRuns = new QPushButton(tr("Add open runs"));
    openRuns->setToolTip(tr("Add all open runs"));
    clear_ = new QPushButton(tr("Clear"));
    clear_->setToolTip(tr("Remove all runs from the study"));
    order_->setAccessibleName(tr("Order by"));
    order_->addItems({u"date"_s, u"world_size"_s, u"name"_s});
    metric_->setAccessibleName(tr("Metric"));
    against_->setAccessibleName(tr("Plot against"));
    for (QComboBox* box : {order_, metric_, against_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(5);
    }
    status_->setTextFormat(Qt::PlainText);
    status_->setForegroundRole(QPalette::PlaceholderText);
    status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    status_->setWordWrap(true);
    table_->setModel(shown_);
    prepareTable(*table_, tr("Runs of the study"));
    table_->setSortingEnabled(true);
    table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    changes_->setAccessibleName(tr("Changes of level"));
    changes_->setWordWrap(true);
    changes_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    auto* line = new QHBoxLayout;
    for (QPushButton* button : {folder, openRuns, clear_})
        line->addWidget(button);
    line->addSpacing(10);
    line->addWidget(status_, 1);
    line->addWidget(stop_);
    choicesRow_ = new QWidget;
    auto* bar = new QHBoxLayout(choicesRow_);
    bar->setContentsMargins(0, 0, 0, 0);
    bar->addWidget(new QLabel(tr("Order by")));
    bar->addWidget(order_, 1);
    bar->addWidget(new QLabel(tr("Plot")));
    bar->addWidget(metric_, 1);
    bar->addWidget(new QLabel(tr("against")));
    bar->addWidget(against_, 1);
    auto* upper = new QSplitter(Qt::Horizontal);
    upper->addWidget(table_);
    upper->addWidget(changes_);
    upper->setStretchFactor(0, 3);
    upper->setStretchFactor(1, 1);
    auto* lower = new QSplitter(Qt::Horizontal);
    lower->addWidget(plot_);
    lower->addWidget(multiples_);
    lower->setSizes({480, 520});
    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(upper);
    split->addWidget(lower);
    split->setChildrenCollapsible(false);
    split->setSizes({240, 340});
    auto* layout = new QVBoxLayout(page_);
    layout->setContentsMargins(18, 10, 18, 12);
    layout->setSpacing(6);
    layout->addLayout(line);
    layout->addWidget(choicesRow_);
    hint_ = new MessagePage;
    layout->addWidget(hint_, 1);
    layout->addWidget(split, 1);
    contents_ = split;
    contents_->hide();
    setPage(page_);
    showPage();

    connect(folder, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getExistingDirectory(this, tr("A run, or a folder of runs"));
        if (!path.isEmpty())
            addPaths({path});
    });
    connect(openRuns, &QPushButton::clicked, this, &StudyScreen::openRunsAsked);
    connect(clear_, &QPushButton::clicked, this, &StudyScreen::clear);
    connect(stop_, &QPushButton::clicked, this, &StudyScreen::stopReading);
    connect(
        order_, &QComboBox::currentTextChanged, this, [this] { rebuild(); });
    connect(
        metric_, &QComboBox::currentIndexChanged, this, [this] { drawPlots(); });
    connect(against_, &QComboBox::currentIndexChanged, this, [this] { drawPlots(); });
    connect(plot_, &StudyPlot::runChosen, this, &StudyScreen::chooseRun);
    connect(multiples_, &StudyMultiples::seriesChosen, this,
            [this](std::size_t series) { showMetric(small_[series]); });
    connect(
        changes_, &QListWidget::currentRowChanged, this,
        [this](int row) {
            if (!study_ || row < 0 || static_cast<std::size_t>(row) >= study_->changes.size())
                return;
            const StudyChange& change = study_->changes[static_cast<std::size_t>(row)];
            showMetric(qt(change.metric->id));
            chooseRun(change.run);
        });
    connect(
        table_, &QTableView::activated, this,
        [this](const QModelIndex& index) {
            if (const int row = shown_->sourceRow(index); study_ && row >= 0)
                Q_EMIT runActivated(qt(study_->runs[static_cast<std::size_t>(row)].path));
        });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this] { plot_->setChosen(chosenRun()); });
    rebuild();
}

StudyScreen::~StudyScreen() = default;

void StudyScreen::takeRun(std::shared_ptr<const Run> /*run*/, std::shared_ptr<const AnalysedRun> /*analysed*/) {}

void StudyScreen::useCommands(CommandTable& table) {
    const QString place = u"study"_s;
    table.addPlace({place, tr("Study"), this});
    table.addGesture({place, tr("Drop folders or files"), tr("Add their runs to the study")});
    table.addGesture({place, tr("Click on a point"), tr("Select its run in the table")});
    table.addGesture({place, tr("Click on a small plot"), tr("Show that metric in the large one")});
    table.addGesture({place, tr("Enter, double-click in the table"), tr("Open the run")});
    table.addGesture({place, tr("Ctrl+C"), tr("Copy the table's selected rows, tab-separated")});
}

void StudyScreen::dragEnterEvent(QDragEnterEvent* event) {
    if (!localPaths(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void StudyScreen::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    addPaths(localPaths(*event->mimeData()));
}

StudyLeft StudyScreen::left() const {
    if (left_)
        return *left_;
    StudyLeft left{{}, order_->currentText(), metric_->currentData().toString(), against_->currentData().toString()};
    for (const StudyRun& run : runs_)
        left.runs << qt(run.path);
    for (const auto& path : waiting_)
        left.runs << qt(path.string());
    return choices_ ? StudyLeft{left.runs, choices_->key, choices_->metric, choices_->against} : left;
}

void StudyScreen::resume(StudyLeft left) {
    if (left.runs.isEmpty())
        return;
    left_ = std::move(left);
    if (isVisible())
        addPaths({});
}

void StudyScreen::showEvent(QShowEvent* event) {
    AnalysisScreen::showEvent(event);
    if (left_)
        addPaths({});
}

void StudyScreen::addPaths(const QStringList& paths) {
    if (left_) {
        choices_ = std::exchange(left_, {});
        return addPaths(choices_->runs + paths);
    }
    std::vector<std::filesystem::path> wanted;
    for (const QString& path : paths)
        wanted.emplace_back(path.toStdString());
    status_->setText(tr("looking for runs…"));
    stop_->show();
    reading_.run(
        {1},
        [wanted](const std::stop_token& stop) -> Result<std::vector<std::filesystem::path>> {
            std::vector<std::filesystem::path> found;
            for (const auto& path : wanted) {
                const auto runs = find_paths_of_runs(path, {}, stop);
                if (!runs)
                    return tl::unexpected<Error>(runs.error());
                found.insert(found.end(), runs->begin(), runs->end());
            }
            return found;
        },
        [this](const Result<std::vector<std::filesystem::path>>& found) {
            if (!found) {
                problems_ << messageText(found.error().message);
                return say();
            }
            if (waiting_.empty()) {
                all_ = 0;
                clock_.start();
            }
            wait(*found);
            readNext();
        },
        [this](const QString& reason) {
            problems_ << reason;
            say();
        });
}

void StudyScreen::wait(const std::vector<std::filesystem::path>& paths) {
    for (const auto& path : paths)
        if (std::ranges::find(waiting_, path) == waiting_.end() &&
            std::ranges::find(runs_, path.string(), &StudyRun::path) == runs_.end()) {
            waiting_.push_back(path);
            ++all_;
        }
}

/// One after the other, so that a hundred runs take the memory of one; each is shown as it comes.
void StudyScreen::readNext() {
    say();
    if (waiting_.empty() && choices_ && study_) {
        const StudyLeft left = *std::exchange(choices_, {});
        orderBy(left.key);
        showMetric(left.metric);
        plotAgainst(left.against);
    }
    if (waiting_.empty() || reading_.isBusy({2}))
        return;
    reading_.run(
        {2},
        [how = how_, path = waiting_.front()](const std::stop_token& stop) -> tl::expected<StudyRun, Unread> {
            const auto analysis = read_for_study(how, path, stop);
            if (!analysis)
                return tl::unexpected(Unread{analysis.error().message, runs_instead_of(path, analysis.error())});
            StudyRun run = study_run(**analysis, {}, {}, stop);
            run.path = path.string();
            return run;
        },
        [this](tl::expected<StudyRun, Unread> run) {
            waiting_.erase(waiting_.begin());
            if (run) {
                addRuns({std::move(*run)});
            } else if (!run.error().instead.empty()) {
                --all_;
                wait(run.error().instead);
            } else {
                problems_ << nameText(messageText(run.error().why).toStdString());
            }
            readNext();
        },
        [this](const QString& reason) {
            waiting_.erase(waiting_.begin());
            problems_ << reason;
            readNext();
        });
}

void StudyScreen::addRuns(std::vector<StudyRun> runs) {
    for (StudyRun& run : runs)
        runs_.push_back(std::move(run));
    std::vector<std::filesystem::path> paths;
    for (const StudyRun& run : runs_)
        paths.emplace_back(run.path);
    const std::vector<std::string> labels = study_labels(paths);
    for (std::size_t i = 0; i < runs_.size(); ++i)
        if (runs_[i].label.empty() || !paths[i].empty())
            runs_[i].label = labels[i];
    rebuild();
}

void StudyScreen::clear() {
    reading_.stop();
    left_.reset();
    choices_.reset();
    waiting_.clear();
    runs_.clear();
    problems_.clear();
    rebuild();
}

void StudyScreen::setRules(const AnalysisRules& rules) {
    if (rules == how_.rules)
        return;
    how_.rules = rules;
    StudyLeft now = left();
    clear();
    resume(std::move(now));
}

void StudyScreen::stopReading() {
    reading_.stop();
    waiting_.clear();
    say();
}

void StudyScreen::say() {
    const bool busy = !waiting_.empty() || reading_.isBusy();
    clear_->setEnabled(!runs_.empty());
    contents_->setVisible(!runs_.empty());
    choicesRow_->setVisible(!runs_.empty());
    hint_->setVisible(runs_.empty());
    hint_->setMessage(busy ? QString() : tr("No runs in this study"),
                      busy ? QString()
                           : tr("Drop folders of runs here, or add them above. Each run becomes a row, and each metric "
                                "a series over date, world size or any setting.\n\n"
                                "The recording template sweep.sh records one run for each value of a setting:\n\n"
                                "sweep.sh runs NCCL_ALGO \"Ring Tree\" torchrun --nproc-per-node 8 train.py"));
    QStringList parts;
    if (!waiting_.empty()) {
        const std::size_t done = all_ - waiting_.size();
        parts << tr("reading %1, %2 of %3").arg(nameText(waiting_.front().filename().string())).arg(done + 1).arg(all_);
        const QString left = timeLeftText(static_cast<double>(done), static_cast<double>(all_), clock_.elapsed());
        if (!left.isEmpty())
            parts << left;
    }
    if (!runs_.empty())
        parts << runCountText(std::ssize(runs_));
    if (!problems_.isEmpty())
        parts << (problems_.size() == 1 ? tr("left out: %1").arg(problems_.front())
                                        : tr("%1 left out: %2 …", nullptr, plural(std::ssize(problems_)))
                                              .arg(problems_.size())
                                              .arg(problems_.front()));
    if (study_ && !study_->note.empty())
        parts << nameText(study_->note);
    status_->setText(parts.join(u" · "_s));
    status_->setToolTip(toolTipText(problems_.join(u'\n')));
    stop_->setVisible(busy);
}

QString StudyScreen::hint() const { return runs_.empty() ? hint_->message() : QString(); }

QString StudyScreen::status() const { return status_->text(); }

void StudyScreen::orderBy(const QString& key) { order_->setCurrentText(key); }

void StudyScreen::showMetric(const QString& id) {
    if (const int index = metric_->findData(id); index >= 0)
        metric_->setCurrentIndex(index);
}

void StudyScreen::plotAgainst(const QString& key) {
    if (const int index = against_->findData(key); index >= 0)
        against_->setCurrentIndex(index);
}

void StudyScreen::rebuild() {
    study_.reset();
    if (!runs_.empty())
        if (auto study = make_study(runs_, order_->currentText().toStdString()))
            study_ = std::move(*study);
    fillChoices();
    inBothLanguages([this] { fillTable(); });
    fillChanges();
    drawPlots();
    say();
    Q_EMIT ready();
}

/// Settings that differ between runs; each choice stays where it can.
void StudyScreen::fillChoices() {
    const QSignalBlocker quietOrder(order_), quietMetric(metric_), quietAgainst(against_);
    const QString order = order_->currentText();
    const QString metric = metric_->currentData().toString();
    const QString against = against_->currentData().toString();
    std::map<std::string, std::set<std::string>> values;
    for (const StudyRun& run : runs_)
        for (const auto& [key, value] : run.config)
            values[key].insert(value);
    QStringList keys;
    for (const auto& [key, own] : values) {
        const bool everywhere =
            std::ranges::all_of(runs_, [&](const StudyRun& run) { return run.config.contains(key); });
        if (own.size() > 1 || !everywhere)
            keys << qt(key);
    }
    order_->clear();
    order_->addItems(QStringList{u"date"_s, u"world_size"_s, u"name"_s} + keys);
    order_->setCurrentIndex(std::max(0, order_->findText(order)));
    against_->clear();
    against_->addItem(tr("the runs in order"), kInOrder);
    for (const QString& key : QStringList{u"date"_s, u"world_size"_s} + keys)
        against_->addItem(key, key);
    against_->setCurrentIndex(std::max(0, against_->findData(against)));
    metric_->clear();
    small_.clear();
    if (!study_)
        return;
    const MetricList metrics = metricsByInterest(*study_);
    for (const MetricPointer& choice : metrics)
        metric_->addItem(coreText(choice->title), qt(choice->id));
    if (std::ranges::any_of(study_->scaling, [](const auto& scaling) { return scaling.has_value(); })) {
        metric_->addItem(tr("Efficiency of strong scaling"), kStrong);
        metric_->addItem(tr("Efficiency of weak scaling"), kWeak);
        small_ = {kStrong, kWeak};
    }
    metric_->setCurrentIndex(std::max(0, metric_->findData(metric)));
    for (const MetricPointer& choice : metrics)
        if (small_.size() < kMostMultiples)
            small_.push_back(qt(choice->id));
}

void StudyScreen::fillTable() {
    if (!study_) {
        model_->setContents({}, 0);
        return;
    }
    const auto run = [this](int row) -> const StudyRun& { return study_->runs[static_cast<std::size_t>(row)]; };
    std::vector<TableColumn> columns;
    columns.push_back({qt(study_->key), tr("What the runs are ordered by"),
                       [this](int row) { return nameText(study_->texts[static_cast<std::size_t>(row)]); },
                       [](int row) { return static_cast<double>(row); }});
    columns.push_back({tr("Run"), tr("Name of its folder"), [run](int row) { return nameText(run(row).label); }});
    columns.push_back({tr("Ranks"), tr("World size; ranks with a trace, where not all have one"),
                       [run](int row) { return qt(run(row).ranks_text()); },
                       [run](int row) { return static_cast<double>(run(row).world_size); }});
    if (std::ranges::any_of(study_->scaling, [](const auto& scaling) { return scaling.has_value(); })) {
        const auto add = [&](const QString& title, const QString& tip, double StudyEfficiency::*part) {
            const auto number = [this, part](int row) {
                const auto& scaling = study_->scaling[static_cast<std::size_t>(row)];
                return scaling ? (*scaling).*part : kNotKnown;
            };
            columns.push_back({title, tip,
                               [number](int row) {
                                   const double value = number(row);
                                   return std::isfinite(value) ? QString::number(value, 'f', 3) : QString();
                               },
                               number});
        };
        add(tr("Strong"), tr("Efficiency by step time against the smallest run, where all runs do the same work"),
            &StudyEfficiency::strong);
        add(tr("Weak"), tr("Efficiency by step time against the smallest run, where each rank does the same work"),
            &StudyEfficiency::weak);
    }
    for (const MetricPointer& metric : metricsByInterest(*study_)) {
        const auto value = [run, metric](int row) { return run(row).find(metric->id); };
        columns.push_back({metric->unit.empty()
                               ? coreText(metric->title)
                               : u"%1 (%2)"_s.arg(coreText(metric->title), unitWord(unitText(metric->unit))),
                           coreText(metric->definition) + u'\n' + tr("± is the spread between the steps of the run"),
                           [this, value, metric](int row) {
                               const StudyValue* const own = value(row);
                               if (own == nullptr)
                                   return QString();
                               const auto change = std::ranges::find_if(study_->changes, [&](const StudyChange& c) {
                                   return c.metric->id == metric->id && c.run == static_cast<std::size_t>(row);
                               });
                               return change == study_->changes.end()
                                          ? valueText(*own)
                                          : u"%1 %2 %3"_s.arg(change->after > change->before ? u"▲"_s : u"▼"_s,
                                                              changeText(change->percent()), valueText(*own));
                           },
                           [value](int row) {
                               const StudyValue* const own = value(row);
                               return own == nullptr ? kNotKnown : own->value;
                           }});
    }
    model_->setContents(std::move(columns), static_cast<int>(study_->runs.size()));
    table_->resizeColumnsToContents();
}

void StudyScreen::fillChanges() {
    const QSignalBlocker quiet(changes_);
    changes_->clear();
    if (!study_)
        return;
    for (const StudyChange& change : study_->changes) {
        const FittedUnit unit =
            fittedUnit(change.metric->unit, std::max(std::abs(change.before), std::abs(change.after)));
        const auto number = [&](double value) { return fourDigits(value * unit.of_one, 3); };
        auto* item = new QListWidgetItem(tr("%1: %2 from %3 on, %4 instead of %5 (%6)")
                                             .arg(coreText(change.metric->title), signedPercentText(change.percent()),
                                                  nameText(study_->runs[change.run].label),
                                                  QString(number(change.after) + u' ' + unitWord(unit.label)).trimmed(),
                                                  number(change.before), coreText(change_status_word(change.status))));
        item->setToolTip(
            tr("Chance that noise looks like this: %1").arg(decimal(QString::number(change.chance, 'g', 1))));
        changes_->addItem(item);
    }
    if (study_->changes.empty()) {
        auto* none = new QListWidgetItem(study_->runs.size() < 6 ? tr("A change of level needs six runs or more.")
                                                                 : tr("No metric changed its level."));
        none->setFlags(Qt::NoItemFlags);
        changes_->addItem(none);
    }
}

StudySeries StudyScreen::seriesOf(const QString& metric, const QString& key) const {
    StudySeries series;
    const MetricPointer measured = metricOf(metrics_of(study_->runs), metric.toStdString());
    series.ideal = measured == nullptr;
    series.title = measured != nullptr ? coreText(measured->title)
                   : metric == kStrong ? tr("Efficiency of strong scaling")
                                       : tr("Efficiency of weak scaling");
    double largest = 0;
    for (const StudyRun& run : study_->runs)
        if (const StudyValue* value = measured != nullptr ? run.find(measured->id) : nullptr)
            largest = std::max(largest, std::abs(value->value));
    const FittedUnit unit = measured != nullptr ? fittedUnit(measured->unit, largest) : FittedUnit{};
    series.unit = unitWord(unit.label);
    const bool inOrder = key == kInOrder;
    series.across = inOrder ? tr("runs by %1").arg(nameText(study_->key)) : nameText(key.toStdString());
    std::vector<std::string> texts;
    for (const auto& run : study_->runs)
        texts.push_back(inOrder ? run.label : study_key_text(run, key.toStdString()));
    const bool numbers = !inOrder && std::ranges::all_of(texts, [](const std::string& text) {
        return text.empty() || study_number(text).has_value();
    });
    std::vector<std::string> labels; // of values that are no numbers: in order
    if (inOrder) {
        labels = texts;
    } else if (!numbers) {
        labels = texts;
        std::ranges::sort(labels);
        labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
        std::erase(labels, std::string());
    }
    for (const std::string& label : labels)
        series.labels << nameText(label);
    for (std::size_t i = 0; i < study_->runs.size(); ++i) {
        const StudyRun& run = study_->runs[i];
        StudyPoint point{i, static_cast<double>(i), kNotKnown, kNotKnown, false, {}};
        if (measured != nullptr) {
            if (const StudyValue* value = run.find(measured->id)) {
                point.value = value->value * unit.of_one;
                point.spread = value->spread.value_or(kNotKnown) * unit.of_one;
            }
        } else if (study_->scaling[i]) {
            point.value = metric == kStrong ? study_->scaling[i]->strong : study_->scaling[i]->weak;
        }
        if (!std::isfinite(point.value) || (!inOrder && texts[i].empty()))
            continue;
        if (!inOrder)
            point.x = numbers ? *study_number(texts[i])
                              : static_cast<double>(std::ranges::find(labels, texts[i]) - labels.begin());
        point.changed = inOrder && std::ranges::any_of(study_->changes, [&](const StudyChange& change) {
                            return measured && change.metric->id == measured->id && change.run == i;
                        });
        point.words = u"%1\n%2 %3"_s.arg(nameText(run.label),
                                         std::isfinite(point.spread) ? withSpread(point.value, point.spread)
                                                                     : shortNumber(point.value),
                                         series.unit);
        point.words += u"\n%1: %2"_s.arg(series.across, inOrder ? nameText(study_->texts[i]) : nameText(texts[i]));
        series.points.push_back(std::move(point));
    }
    if (!inOrder)
        std::ranges::stable_sort(series.points, {}, &StudyPoint::x);
    return series;
}

void StudyScreen::drawPlots() {
    if (!study_) {
        plot_->setSeries({});
        multiples_->setSeries({});
        return;
    }
    plot_->setSeries(seriesOf(metric_->currentData().toString(), against_->currentData().toString()));
    plot_->setChosen(chosenRun());
    std::vector<StudySeries> small;
    for (const QString& id : small_)
        small.push_back(seriesOf(id, against_->currentData().toString()));
    multiples_->setSeries(std::move(small));
}

std::optional<std::size_t> StudyScreen::chosenRun() const {
    const QModelIndex index = table_->currentIndex();
    return index.isValid() ? std::optional(static_cast<std::size_t>(shown_->sourceRow(index))) : std::nullopt;
}

void StudyScreen::chooseRun(std::size_t run) {
    const QModelIndex at = shown_->mapFromSource(model_->index(static_cast<int>(run), 0));
    table_->setCurrentIndex(at);
    table_->scrollTo(at);
    plot_->setChosen(run);
}

} // namespace rankscope
