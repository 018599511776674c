// SPDX-License-Identifier: GPL-3.0-or-later
// The Pipeline screen: a step of a pipeline beside its ideal schedule, and what the bubbles cost, stage by stage.
#pragma once
#include <memory>

#include "core/views/pipeline_schedule.h"
#include "widgets/screens/analysis_screen.h"

class QComboBox;
class QLabel;
class QStandardItemModel;
class QTableView;

namespace rankscope {

class PipelineChart;
class PipelineLegend;

class PipelineScreen : public AnalysisScreen {
    Q_OBJECT
public:
    explicit PipelineScreen(QWidget* parent = nullptr);
    void useCommands(CommandTable& table) override;

    [[nodiscard]] PipelineChart& chart() const { return *chart_; }
    [[nodiscard]] QComboBox& step() const { return *stepChoice_; }
    [[nodiscard]] QComboBox& replica() const { return *replicaChoice_; }
    [[nodiscard]] QTableView& table() const { return *table_; }
    [[nodiscard]] QString headline() const;

private:
    struct Contents {
        PipelineStep step;
        IdealPipeline ideal;
    };
    void setReplicas(std::shared_ptr<const AnalysedRun> analysed, std::vector<PipelineReplica> replicas);
    void fillSteps();
    void takeChoice();
    void take(const Contents& contents);
    [[nodiscard]] int replicaOfTheFirstFinding() const;
    void fillTable(const PipelineStep& step);

    std::shared_ptr<const AnalysedRun> run_;
    std::vector<PipelineReplica> replicas_;
    QComboBox* stepChoice_;
    QComboBox* replicaChoice_;
    QLabel* replicaLabel_ = nullptr;
    QLabel* headline_;
    QLabel* subline_;
    PipelineLegend* legend_;
    PipelineChart* chart_;
    QStandardItemModel* model_;
    QTableView* table_;
};

/// What the bubbles of the step cost, in a sentence; and how that compares with the ideal schedule.
QString pipelineHeadline(const PipelineStep& step);
QString pipelineSubline(const PipelineStep& step, const IdealPipeline& ideal, const PipelineAnalysis& pipeline);

} // namespace rankscope
