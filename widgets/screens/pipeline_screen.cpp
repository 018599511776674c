// SPDX-License-Identifier: GPL-3.0-or-later
// The Pipeline screen.
#include "widgets/screens/pipeline_screen.h"

#include <algorithm>
#include <set>

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QTableView>

#include "core/trace/run_settings.h"
#include "widgets/command_table.h"
#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/screens/analysis_table.h"
#include "widgets/screens/pipeline_bars.h"
#include "widgets/screens/pipeline_chart.h"
#include "widgets/table_text.h"
#include "widgets/words_label.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kMostTableRows = 8; // more scroll

/// Mean over the lanes.
TimeNs meanOf(const PipelineStep& step, TimeNs StepBubble::*part) {
    TimeNs sum = 0;
    for (const PipelineLane& lane : step.lanes)
        sum += lane.account.*part;
    return step.lanes.empty() ? 0 : sum / std::ssize(step.lanes);
}

/// A step of the mean lane: not from the first start of any stage to the last end of another.
TimeNs meanStep(const PipelineStep& step) {
    TimeNs sum = 0;
    for (const PipelineLane& lane : step.lanes)
        sum += lane.step_length;
    return step.lanes.empty() ? 0 : sum / std::ssize(step.lanes);
}

QString share(TimeNs part, TimeNs whole) {
    return percentText(whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0);
}

} // namespace

QString pipelineHeadline(const PipelineStep& step) {
    const TimeNs bubble = meanOf(step, &StepBubble::warmup) + meanOf(step, &StepBubble::steady) +
                          meanOf(step, &StepBubble::cooldown) + meanOf(step, &StepBubble::unplaced);
    QStringList parts;
    for (const auto& [part, kind] : {std::pair(&StepBubble::warmup, BubbleKind::warmup),
                                     {&StepBubble::steady, BubbleKind::steady},
                                     {&StepBubble::cooldown, BubbleKind::cooldown}})
        if (const TimeNs time = meanOf(step, part); time > 0)
            parts << PipelineScreen::tr("%1 %2").arg(bubbleWord(kind), timeText(time));
    QString text = PipelineScreen::tr("A stage waits for its neighbours %1 of the %2 step (%3)")
                       .arg(timeText(bubble), timeText(meanStep(step)), share(bubble, meanStep(step)));
    if (!parts.isEmpty())
        text += u": "_s + parts.join(u", "_s);
    return text;
}

QString pipelineSubline(const PipelineStep& step, const IdealPipeline& ideal, const PipelineAnalysis& pipeline) {
    QString text;
    if (!ideal.schedule.empty()) {
        text = PipelineScreen::tr("In an ideal %1 schedule of the same passes, all equally long and messages free, a "
                                  "stage waits %2 before its last pass; the passes take %3.")
                   .arg(QString::fromStdString(ideal.schedule), timeText(ideal.wait), timeText(ideal.length));
    } else {
        text = PipelineScreen::tr("No ideal schedule beside it: %1.").arg(messageText(ideal.why_not));
        if (pipeline.ideal)
            text += u' ' + PipelineScreen::tr("What is recorded is %1, which leaves %2 of a step idle where all passes "
                                              "are equally long.")
                               .arg(coreText(schedule_name(pipeline.schedule)), percentText(100 * *pipeline.ideal));
    }
    const TimeNs exposed = meanOf(step, &StepBubble::exposed_comm);
    const TimeNs other = meanOf(step, &StepBubble::other);
    text += u' ' + PipelineScreen::tr("Beside bubbles: %1 for other communication, %2 idle for other causes.")
                       .arg(timeText(exposed), timeText(other));
    if (pipeline.method == BubbleMethod::idle)
        text += u' ' +
                PipelineScreen::tr("No messages of the pipeline are recorded, so every long gap counts as a bubble.");
    return text;
}

PipelineScreen::PipelineScreen(QWidget* parent)
    : AnalysisScreen(parent), stepChoice_(new QComboBox), replicaChoice_(new QComboBox), headline_(new QLabel),
      subline_(new QLabel), legend_(new PipelineLegend), chart_(new PipelineChart),
      model_(new QStandardItemModel(this)), table_(new QTableView) {
    stepChoice_->setAccessibleName(tr("Step"));
    replicaChoice_->setAccessibleName(tr("Pipeline"));
    for (QComboBox* box : {stepChoice_, replicaChoice_})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* stepLabel = new QLabel(tr("&Step:"));
    stepLabel->setBuddy(stepChoice_);
    replicaLabel_ = new QLabel(tr("P&ipeline:"));
    replicaLabel_->setBuddy(replicaChoice_);
    auto* bar = new QHBoxLayout;
    for (QWidget* widget : {static_cast<QWidget*>(stepLabel), static_cast<QWidget*>(stepChoice_),
                            static_cast<QWidget*>(replicaLabel_), static_cast<QWidget*>(replicaChoice_)})
        bar->addWidget(widget);
    bar->addStretch();
    bar->addWidget(legend_);
    headline_->setFont(strongFont(headline_->font(), 1.15));
    for (QLabel* label : {headline_, subline_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    subline_->setForegroundRole(QPalette::PlaceholderText);
    table_->setModel(model_);
    prepareTable(*table_, tr("Bubbles of each stage"));
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(18, 4, 18, 10);
    layout->setSpacing(4);
    layout->addWidget(headline_);
    layout->addWidget(subline_);
    layout->addSpacing(8);
    layout->addLayout(bar);
    layout->addWidget(chart_, 1);
    layout->addSpacing(6);
    layout->addWidget(table_);
    setPage(page);
    connect(stepChoice_, &QComboBox::currentIndexChanged, this, &PipelineScreen::takeChoice);
    connect(replicaChoice_, &QComboBox::currentIndexChanged, this, [this] {
        fillSteps();
        takeChoice();
    });
    connect(chart_, &PipelineChart::evidenceAsked, this, &PipelineScreen::evidenceAsked);
    setPreparation([this](const std::shared_ptr<const AnalysedRun>& analysed, const std::stop_token&) -> Show {
        return [this, analysed, replicas = pipeline_replicas(*analysed->analysis)] { setReplicas(analysed, replicas); };
    });
}

void PipelineScreen::useCommands(CommandTable& table) {
    const QString place = u"pipeline"_s;
    table.addPlace({place, tr("Pipeline"), this});
    table.addGesture({place, tr("Click, Enter"), tr("Show the pass, message or bubble in the timeline")});
    table.addGesture({place, tr("Arrows"), tr("Go from pass to pass and stage to stage")});
    table.addGesture({place, tr("Ctrl+wheel, W / S"), tr("Zoom")});
    table.addGesture({place, tr("Wheel, drag, A / D"), tr("Move along the time")});
    table.addGesture({place, tr("0"), tr("The whole step")});
    table.addGesture({place, tr("Ctrl+C"), tr("Copy the table's selected rows, tab-separated")});
}

void PipelineScreen::setReplicas(std::shared_ptr<const AnalysedRun> analysed, std::vector<PipelineReplica> replicas) {
    run_ = std::move(analysed);
    replicas_ = std::move(replicas);
    const PipelineAnalysis& pipeline = run_->analysis->pipeline();
    const QString needed =
        tr("Stages and microbatches are drawn for runs with pipeline parallelism. Record the ranks of all stages, name "
           "the microbatches:\n\nwith torch.profiler.record_function(f\"Forward {microbatch}\"):\n\n"
           "and put the degree of the pipeline into train_config.toml beside the traces, or into a workload card:\n\n"
           "[parallelism]\npipeline_parallel_degree = 4");
    if (!pipeline.unavailable.empty())
        return showMessage(tr("No pipeline in this run"),
                           messageText(pipeline.unavailable.as_sentence()) + u"\n\n"_s + needed);
    // Without a degree of the pipeline, messages alone do not tell stages.
    std::set<int> stages;
    for (const int stage : pipeline.stages)
        stages.insert(stage);
    if (replicas_.empty() || stages.size() < 2)
        return showMessage(tr("No stages are known of this run"), needed);
    const QSignalBlocker quiet(replicaChoice_);
    replicaChoice_->clear();
    for (const PipelineReplica& replica : replicas_) {
        QStringList ranks;
        for (std::size_t i = 0; i < std::min<std::size_t>(replica.ranks.size(), 6); ++i)
            ranks << QString::number(run_->run().ranks[replica.ranks[i]]->rank);
        if (replica.ranks.size() > 6)
            ranks << u"…"_s;
        replicaChoice_->addItem(tr("ranks %1").arg(ranks.join(u", "_s)));
    }
    replicaChoice_->setCurrentIndex(replicaOfTheFirstFinding());
    replicaChoice_->setVisible(replicas_.size() > 1);
    replicaLabel_->setVisible(replicas_.size() > 1);
    fillSteps();
    if (stepChoice_->count() == 0)
        return showMessage(tr("No steps in what is shown"),
                           tr("No GPU work of a profiler step lies in the range that is used."));
    takeChoice();
}

void PipelineScreen::fillSteps() {
    const QSignalBlocker quiet(stepChoice_);
    const QString chosen = stepChoice_->currentText();
    stepChoice_->clear();
    for (const std::int64_t number :
         pipeline_steps(*run_->analysis, replicas_[static_cast<std::size_t>(replicaChoice_->currentIndex())]))
        stepChoice_->addItem(QString::number(number), static_cast<qlonglong>(number));
    stepChoice_->setCurrentIndex(std::max(0, stepChoice_->findText(chosen)));
}

void PipelineScreen::takeChoice() {
    if (!run_ || stepChoice_->currentIndex() < 0 || replicaChoice_->currentIndex() < 0)
        return;
    compute([this, run = run_, replica = replicas_[static_cast<std::size_t>(replicaChoice_->currentIndex())],
             number = stepChoice_->currentData().toLongLong()](const std::stop_token& stop) -> Show {
        auto contents = std::make_shared<Contents>();
        contents->step = read_pipeline_step(*run->analysis, replica, number, stop);
        contents->ideal = ideal_pipeline(contents->step, parallelism_of(run->run().config).pipeline_schedule,
                                         run->analysis->pipeline().schedule);
        return [this, contents] { take(*contents); };
    });
}

void PipelineScreen::take(const Contents& contents) {
    headline_->setText(pipelineHeadline(contents.step));
    subline_->setText(pipelineSubline(contents.step, contents.ideal, run_->analysis->pipeline()));
    chart_->setStep(run_->analysis->run_pointer(), contents.step, contents.ideal);
    std::set<PipelineBar::Look> looks;
    for (const PipelineBar& bar : chart_->bars())
        looks.insert(bar.look);
    legend_->setLooks({looks.begin(), looks.end()});
    fillTable(contents.step);
    showPage();
}

/// Of the finding that costs most and names ranks: the late rank's; else the first.
int PipelineScreen::replicaOfTheFirstFinding() const {
    for (const Finding& finding : run_->analysis->findings().list)
        for (std::size_t i = 0; i < replicas_.size(); ++i)
            for (const std::size_t rank : replicas_[i].ranks)
                if (std::ranges::find(finding.ranks, run_->run().ranks[rank]->rank) != finding.ranks.end())
                    return static_cast<int>(i);
    return 0;
}

void PipelineScreen::fillTable(const PipelineStep& step) {
    const TimeUnit unit = timeUnitFor(step.span.length());
    const QString in = u" ("_s + timeUnitLabel(unit) + u')';
    model_->clear();
    inBothLanguages([&] {
        setHeadings(*model_, Qt::Horizontal,
                    {tr("Stage"), tr("Rank"), tr("Compute") + in, tr("Warm-up") + in, tr("Steady") + in,
                     tr("Cool-down") + in, tr("Comm.") + in, tr("Idle") + in, tr("Bubble (%)")});
    });
    for (int column = 0; column < model_->columnCount(); ++column)
        model_->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (const PipelineLane& lane : step.lanes) {
        const StepBubble& account = lane.account;
        QStringList cells{QString::number(lane.stage), QString::number(run_->run().ranks[lane.rank]->rank)};
        for (const TimeNs time :
             {account.compute, account.warmup, account.steady, account.cooldown, account.exposed_comm, account.other})
            cells << timeNumber(time, unit);
        cells << decimal(QString::number(100.0 * static_cast<double>(account.bubble()) /
                                             static_cast<double>(std::max<TimeNs>(1, account.window.length())),
                                         'f', 1));
        QList<QStandardItem*> row;
        for (const QString& cell : cells) {
            row << numberItem(cell);
            row.back()->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        }
        model_->appendRow(row);
    }
    const int rows = std::min(model_->rowCount(), kMostTableRows);
    table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                           rows * table_->verticalHeader()->defaultSectionSize() + 4);
}

QString PipelineScreen::headline() const { return headline_->text(); }

} // namespace rankscope
