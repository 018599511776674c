// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/screens/serving_screen.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "core/analysis/serving/serving_words.h"
#include "core/metrics/latency_words.h"
#include "widgets/command_table.h"
#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/number_text.h"
#include "widgets/screens/analysis_table.h"
#include "widgets/screens/column_model.h"
#include "widgets/time_text.h"
#include "widgets/words_label.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

/// As other titles of columns.
QString capitalised(QString word) {
    word.front() = word.front().toUpper();
    return word;
}

/// Nothing for what no step tells.
QString number(double value) {
    if (!std::isfinite(value))
        return {};
    return value == std::trunc(value) && value < 1e15 ? groupedNumber(static_cast<std::int64_t>(value))
                                                      : shortNumber(value);
}

const ServedStep& stepOf(const AnalysedRun& run, const ServingPoint& point) {
    return run.analysis->served_steps()[point.rank][point.step];
}

/// What takes most of a step beside computation, and its share; nothing where nothing does.
QString stallText(const ServedStep& step) {
    const StepPart part = step.stall();
    if (part == StepPart::kernels)
        return {};
    return ServingScreen::tr("%1 %2").arg(coreText(step_part_word(part)),
                                          percentText(100.0 * static_cast<double>(step.part(part)) /
                                                      static_cast<double>(std::max<TimeNs>(1, step.cycle.length()))));
}

/// As it is drawn.
std::int64_t sizeOf(const ServedStep& step) {
    const BatchSize size = batch_size(step.step);
    return !size.known()                      ? kUnknown
           : size.phase == EnginePhase::mixed ? step.tokens()
           : generates(size.phase)            ? size.decoding
                                              : size.prompt_tokens;
}

QString pointWords(const AnalysedRun& run, const ServingPoint& point) {
    const ServedStep& step = stepOf(run, point);
    QString text = ServingScreen::tr("%1 step, rank %2: %3")
                       .arg(coreText(engine_phase_word(point.phase)))
                       .arg(run.run().ranks[point.rank]->rank)
                       .arg(timeText(step.cycle.length()));
    if (step.requests() != kUnknown)
        text += u'\n' +
                ServingScreen::tr("%1 requests", nullptr, plural(step.requests())).arg(groupedNumber(step.requests()));
    if (step.tokens() != kUnknown)
        text +=
            u'\n' + ServingScreen::tr("%1 tokens", nullptr, plural(step.tokens())).arg(groupedNumber(step.tokens()));
    for (std::size_t p = 0; p < kStepParts; ++p)
        if (step.parts[p] > 0)
            text += u'\n' + ServingScreen::tr("%1 %2").arg(coreText(step_part_word(static_cast<StepPart>(p))),
                                                           timeText(step.parts[p]));
    return text;
}

} // namespace

ServingScreen::ServingScreen(QWidget* parent)
    : AnalysisScreen(parent), headline_(headlineLabel(1.15)), words_(wordsLabel()), plot_(new ServingPlot),
      kindModel_(new ColumnModel(this)), workModel_(new ColumnModel(this)), stepModel_(new ColumnModel(this)),
      stepOrder_(new ColumnOrder(stepModel_)), kinds_(new QTableView), workTitle_(wordsLabel()), work_(new QTableView),
      steps_(new QTableView) {
    words_->setForegroundRole(QPalette::PlaceholderText);
    kinds_->setModel(kindModel_);
    prepareTable(*kinds_, tr("Kinds of steps"));
    steps_->setModel(stepOrder_);
    prepareTable(*steps_, tr("Steps"));
    steps_->setSortingEnabled(true);
    work_->setModel(workModel_);
    prepareTable(*work_, tr("What a step is made of"));
    auto* made = new QWidget;
    auto* madeLayout = new QVBoxLayout(made);
    madeLayout->setContentsMargins(0, 0, 0, 0);
    madeLayout->addWidget(workTitle_);
    madeLayout->addWidget(work_, 1);
    auto* beside = new QSplitter(Qt::Horizontal);
    beside->addWidget(plot_);
    beside->addWidget(made);
    beside->setChildrenCollapsible(false);
    beside->setSizes({480, 450});
    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(beside);
    split->addWidget(steps_);
    split->setChildrenCollapsible(false);
    split->setSizes({300, 240});
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(18, 10, 18, 12);
    layout->setSpacing(8);
    layout->addWidget(headline_);
    layout->addWidget(words_);
    layout->addWidget(kinds_);
    layout->addWidget(split, 1);
    setPage(page);
    connect(kinds_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this] { inBothLanguages([this] { fillWork(); }); });
    connect(
        plot_, &ServingPlot::stepMarked, this,
        [this](std::size_t point) {
            const QModelIndex at = stepOrder_->mapFromSource(stepModel_->index(static_cast<int>(point), 0));
            steps_->setCurrentIndex(at);
            steps_->scrollTo(at);
        });
    connect(
        steps_, &QTableView::activated, this,
        [this](const QModelIndex& index) { showStep(static_cast<std::size_t>(stepOrder_->sourceRow(index))); });
    setPreparation([this](const std::shared_ptr<const AnalysedRun>& analysed, const std::stop_token& stop) -> Show {
        return [this, contents = contentsOf(analysed, stop)] { setContents(contents); };
    });
}

void ServingScreen::useCommands(CommandTable& table) {
    const QString place = u"serving"_s;
    table.addPlace({place, tr("Serving"), this});
    table.addGesture({place, tr("Click on a point"), tr("Select its step in the table")});
    table.addGesture({place, tr("Enter, double-click in the table"), tr("Show the step in the timeline")});
    table.addGesture({place, tr("Ctrl+C"), tr("Copy the table's selected rows, tab-separated")});
}

QString ServingScreen::headline() const { return headline_->text(); }
QString ServingScreen::words() const { return words_->text(); }
QString ServingScreen::workTitle() const { return workTitle_->text(); }

std::shared_ptr<const ServingScreen::Contents> ServingScreen::contentsOf(const std::shared_ptr<const AnalysedRun>& run,
                                                                         const std::stop_token& stop) {
    auto contents = std::make_shared<Contents>();
    contents->run = run;
    const auto& ranks = run->analysis->served_steps();
    contents->phases = summarise_phases(ranks);
    std::ignore = run->analysis->step_layers(); // here, not where they are shown
    QStringList others;
    for (const Message& sentence : serving_sentences(contents->phases))
        others << messageText(sentence);
    for (const Message& sentence : acceptance_sentences(run->run().config, ranks))
        others << messageText(sentence);
    for (const Message& sentence : host_sentences(run->run(), contents->phases))
        others << messageText(sentence);
    if (const GraphAnalysis& graphs = run->analysis->graphs(); graphs.launches > 0) {
        const auto share = [](TimeNs part, TimeNs whole) {
            return percentText(100.0 * static_cast<double>(part) / static_cast<double>(std::max<TimeNs>(1, whole)));
        };
        const QString in_graphs = share(graphs.in_graphs, graphs.gpu_total);
        others << (graphs.attributed == 0
                       ? tr("%1 of the GPU's time is in graphs; no capture beside the trace tells of which operators.")
                             .arg(in_graphs)
                       : tr("%1 of the GPU's time is in graphs; captures beside the trace attribute %2 of that to "
                            "operators.")
                             .arg(in_graphs, share(graphs.attributed, graphs.in_graphs)));
    }
    // The kind that takes most of the time is the headline.
    if (!contents->phases.empty()) {
        const auto time = [](const PhaseSummary& phase) {
            return std::isfinite(phase.median_ms) ? phase.median_ms * static_cast<double>(phase.with_work) : 0;
        };
        const auto most = std::ranges::max_element(contents->phases, {}, time) - contents->phases.begin();
        contents->longestPhase = static_cast<int>(most);
        contents->headline = others.takeAt(most);
    }
    for (const Message& sentence : latency_sentences(*run->analysis))
        others << messageText(sentence);
    contents->words = others.join(u' ');
    for (const auto& [size, summary] : summarise_batches(ranks))
        if (size.phase != EnginePhase::mixed && summary.with_work > 0)
            contents->medians.push_back(
                {size.phase, generates(size.phase) ? size.decoding : size.prompt_tokens, summary.median_ms});
    for (std::size_t r = 0; r < ranks.size() && !stop.stop_requested(); ++r)
        for (std::size_t s = 0; s < ranks[r].size(); ++s) {
            const ServedStep& step = ranks[r][s];
            if (!step.selected || step.gpu_events == 0)
                continue;
            ServingPoint point{r,
                               s,
                               step.gpu.begin - run->run().span.begin,
                               static_cast<double>(step.cycle.length()) / 1e6,
                               step.step.phase,
                               sizeOf(step),
                               {}};
            point.words = pointWords(*run, point);
            contents->points.push_back(std::move(point));
        }
    return contents;
}

void ServingScreen::setContents(std::shared_ptr<const Contents> contents) {
    contents_ = std::move(contents);
    if (contents_->phases.empty())
        return showMessage(tr("No steps of a serving engine in this run"),
                           tr("Steps are drawn where the trace names them, as traces of vLLM, SGLang and TensorRT-LLM "
                              "do. Start the server with its profiler, and a benchmark with --profile:\n\n"
                              "vllm serve MODEL --profiler-config '{\"profiler\": \"torch\", "
                              "\"torch_profiler_dir\": \"/my_run\"}'\n\n"
                              "SGLANG_TORCH_PROFILER_DIR=/my_run python -m sglang.launch_server --model-path MODEL"));
    headline_->setText(contents_->headline);
    words_->setText(contents_->words);
    words_->setVisible(!contents_->words.isEmpty());
    plot_->setPoints(contents_->points, contents_->medians);
    inBothLanguages([this] {
        fillKinds();
        fillWork();
        fillSteps();
    });
    showPage();
}

void ServingScreen::fillKinds() {
    const auto of = [this](auto value) {
        return [this, value](int row) -> double { return value(contents_->phases[static_cast<std::size_t>(row)]); };
    };
    std::vector<TableColumn> columns;
    columns.push_back({tr("Kind"), tr("What the steps compute"),
                       [this](int row) {
                           return coreText(engine_phase_word(contents_->phases[static_cast<std::size_t>(row)].phase));
                       }});
    const auto add = [&](const QString& title, const QString& tip, auto value) {
        const auto number_of = of(value);
        // The unit goes on a second line, so that fifteen columns fit.
        columns.push_back({QString(title).replace(u" ("_s, u"\n("_s), tip,
                           [number_of](int row) { return number(number_of(row)); }, number_of});
    };
    add(
        tr("Steps"), tr("Of one rank"), [](const PhaseSummary& p) { return static_cast<double>(p.steps); });
    add(
        tr("Requests"), tr("Mean of a step, by its name"), [](const PhaseSummary& p) { return p.requests; });
    add(
        tr("Tokens"), tr("Computed in a step: mean, by its name"), [](const PhaseSummary& p) { return p.tokens; });
    add(
        tr("Median (ms)"), tr("From the end of the GPU's work for the step before to the end of its own"),
        [](const PhaseSummary& p) { return p.median_ms; });
    add(
        tr("p95 (ms)"), tr("95 of 100 steps take no longer"), [](const PhaseSummary& p) { return p.p95_ms; });
    add(
        tr("p99 (ms)"), tr("99 of 100 steps take no longer"), [](const PhaseSummary& p) { return p.p99_ms; });
    add(
        tr("Pause (µs)"), tr("From the end of the work of the step before to its first work: median"),
        [](const PhaseSummary& p) { return p.between_us; });
    add(
        tr("GPU busy (%)"), tr("Of the steps' time"), [](const PhaseSummary& p) { return 100 * p.busy_share; });
    add(
        tr("Prompt tokens (1/s)"), tr("Computed tokens of prompts over the steps' time"),
        [](const PhaseSummary& p) { return p.prompt_tokens_per_second; });
    add(tr("Generated (1/s)"), tr("Tokens that requests receive, over the steps' time. Drafts are no tokens."),
        [](const PhaseSummary& p) { return p.generated_tokens_per_second; });
    for (std::size_t part = 0; part < kStepParts; ++part)
        add(tr("%1 (%)").arg(capitalised(coreText(step_part_word(static_cast<StepPart>(part))))),
            tr("Share of the steps' time"), [part](const PhaseSummary& p) { return 100 * p.shares[part]; });
    kindModel_->setContents(std::move(columns), static_cast<int>(contents_->phases.size()));
    kinds_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    kinds_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    kinds_->setFixedHeight(kinds_->horizontalHeader()->sizeHint().height() +
                           kindModel_->rowCount() * kinds_->verticalHeader()->defaultSectionSize() + 4);
}

/// Of the kind of steps that is chosen in the table above; of the one that takes most of the time, if none is.
void ServingScreen::fillWork() {
    if (contents_ == nullptr || contents_->phases.empty())
        return;
    const QModelIndex chosen = kinds_->currentIndex();
    const auto place = static_cast<std::size_t>(chosen.isValid() ? chosen.row() : contents_->longestPhase);
    const PhaseSummary& phase = contents_->phases[place];
    const auto found = first_layers(contents_->run->analysis->step_layers(), phase.phase);
    const StepLayers* layers = found ? found->layers : nullptr;
    QString title = tr("What a %1 step is made of").arg(coreText(engine_phase_word(phase.phase)));
    if (layers != nullptr)
        title +=
            u'\n' +
            tr("A layer, or some that alternate: %1 times the same %2 kernels, %3 each; the longest is number %4: %5")
                .arg(layers->layers.size())
                .arg(layers->kernels)
                .arg(timeText(layers->mean_ns()))
                .arg(layers->longest() + 1)
                .arg(timeText(layers->layers[layers->longest()].range.length()));
    workTitle_->setText(title);
    struct WorkRow {
        QString name;
        double us = 0;
        double share = 0;
        double kernels = std::nan("");
        double layerUs = std::nan("");
    };
    std::vector<WorkRow> rows;
    for (const PhaseWork& work : phase.work)
        rows.push_back({coreText(step_work_word(work.work)), work.mean_us, work.share, work.kernels,
                        layers == nullptr ? std::nan("") : layers->mean_ns(work.work) / 1e3});
    for (const StepPart part : {StepPart::host, StepPart::gaps})
        if (const double us = phase.mean_us[static_cast<std::size_t>(part)]; us > 0) {
            rows.push_back({coreText(step_part_words(part)), us, phase.shares[static_cast<std::size_t>(part)]});
            if (part == StepPart::host && phase.host_is_named())
                for (const PhaseWait& wait : phase.waits)
                    rows.push_back({tr("… %1").arg(messageText(host_range_words(wait))), wait.mean_us, wait.share});
        }
    std::vector<TableColumn> columns{{tr("Work"), tr("By the names of the kernels"),
                                      [rows](int row) { return rows[static_cast<std::size_t>(row)].name; }}};
    const auto add = [&](const QString& name, const QString& tip, auto value) {
        const auto of = [rows, value](int row) { return value(rows[static_cast<std::size_t>(row)]); };
        columns.push_back({name, tip, [of](int row) { return number(of(row)); }, of});
    };
    add(
        tr("Time (µs)"),
        tr("Of a step, mean. Each instant counts once: computation before communication before copies"),
        [](const WorkRow& row) { return row.us; });
    add(
        tr("Share (%)"), tr("Of the steps' time"), [](const WorkRow& row) { return 100 * row.share; });
    add(tr("Kernels"), tr("Of a step, mean"), [](const WorkRow& row) { return row.kernels; });
    if (layers != nullptr)
        add(tr("Layer (µs)"), tr("Of a layer, mean; in the step of the median time"),
            [](const WorkRow& row) { return row.layerUs; });
    workModel_->setContents(std::move(columns), static_cast<int>(rows.size()));
    work_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    work_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
}

void ServingScreen::fillSteps() {
    const auto point = [this](int row) -> const ServingPoint& {
        return contents_->points[static_cast<std::size_t>(row)];
    };
    const auto step = [this, point](int row) -> const ServedStep& { return stepOf(*contents_->run, point(row)); };
    TimeNs latest = 0;
    for (const ServingPoint& served : contents_->points)
        latest = std::max(latest, served.start);
    const TimeUnit unit = timeUnitFor(latest);
    const auto known = [](std::int64_t n) { return n == kUnknown ? QString() : groupedNumber(n); };
    std::vector<TableColumn> columns{
        {tr("Kind"), tr("What the step computes"),
         [=](int row) { return coreText(engine_phase_word(point(row).phase)); }},
        {tr("Rank"), tr("The rank that recorded it"),
         [=, this](int row) { return QString::number(contents_->run->run().ranks[point(row).rank]->rank); },
         [=](int row) { return static_cast<double>(point(row).rank); }},
        {tr("Start (%1)").arg(timeUnitLabel(unit)), tr("Of its GPU work, since the start of the run"),
         [=](int row) { return timeNumber(point(row).start, unit); },
         [=](int row) { return static_cast<double>(point(row).start); },
         [=](int row) { return wholeTimeNumber(point(row).start, unit); }},
        {tr("Requests"), tr("By its name"), [=](int row) { return known(step(row).requests()); },
         [=](int row) { return static_cast<double>(step(row).requests()); }},
        {tr("Tokens"), tr("By its name"), [=](int row) { return known(step(row).tokens()); },
         [=](int row) { return static_cast<double>(step(row).tokens()); }},
        {tr("Time (ms)"), tr("From the end of the GPU's work for the step before to the end of its own"),
         [=](int row) { return timeNumber(step(row).cycle.length(), TimeUnit::milliseconds); },
         [=](int row) { return point(row).time_ms; },
         [=](int row) { return wholeTimeNumber(step(row).cycle.length(), TimeUnit::milliseconds); }},
        {tr("Pause (µs)"), tr("From the end of the work of the step before to its first work"),
         [=](int row) { return timeNumber(step(row).between, TimeUnit::microseconds); },
         [=](int row) { return static_cast<double>(step(row).between); }},
        {tr("GPU busy (%)"), tr("Of its time"),
         [=](int row) {
             return decimal(QString::number(100.0 * static_cast<double>(step(row).busy) /
                                                static_cast<double>(std::max<TimeNs>(1, step(row).cycle.length())),
                                            'f', 1));
         },
         [=](int row) {
             return static_cast<double>(step(row).busy) /
                    static_cast<double>(std::max<TimeNs>(1, step(row).cycle.length()));
         }},
        {tr("Stalled by"), tr("What takes a tenth of its time or more beside computation"),
         [=](int row) { return stallText(step(row)); }},
    };
    stepModel_->setContents(std::move(columns), static_cast<int>(contents_->points.size()));
    steps_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    steps_->sortByColumn(5, Qt::DescendingOrder);
}

void ServingScreen::showStep(std::size_t row) {
    const ServingPoint& point = contents_->points[row];
    const ServedStep& step = stepOf(*contents_->run, point);
    Q_EMIT evidenceAsked(contents_->run->run().ranks[point.rank]->rank, step.step.event, step.cycle);
}

} // namespace rankscope
