// SPDX-License-Identifier: GPL-3.0-or-later
// A step of a pipeline: one lane a stage, microbatch by microbatch, and below it the ideal schedule on the same scale
// of time.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "core/views/pipeline_schedule.h"
#include "widgets/number_text.h"

class QCustomPlot;

namespace rankscope {

class PipelineBars;

/// A slice, a message or a bubble as it is drawn. row: lanes from the top; the ideal ones follow after an empty row.
struct PipelineBar {
    enum class Look { forward, backward, weightGradient, compute, message, bubble };
    int row = 0;
    TimeRange range; ///< from the start of the step
    Look look = Look::compute;
    QString label;      ///< "F3", "warm-up 1.2 ms"
    QString shortLabel; ///< "3"; where the label does not fit
    bool ideal = false;
    std::size_t lane = 0;
    std::size_t index = 0;          ///< in the lane's passes, messages or bubbles
    int part = 0;                   ///< which of the lane's parts of the model it runs, from 0
    std::optional<Look> lower = {}; ///< of a pair, the pass that runs together with it
};
std::vector<PipelineBar> pipelineBars(const PipelineStep& step, const IdealPipeline& ideal);
QString bubbleWord(BubbleKind kind); ///< "warm-up"

/// Ctrl+wheel, W and S zoom, wheel, drag, A and D move, 0 shows all; a click asks for what is there in the timeline,
/// arrows and Enter too.
class PipelineChart : public QWidget {
    Q_OBJECT
public:
    explicit PipelineChart(QWidget* parent = nullptr);
    void setStep(std::shared_ptr<const Run> run, PipelineStep step, IdealPipeline ideal);
    [[nodiscard]] const std::vector<PipelineBar>& bars() const;
    [[nodiscard]] QRectF barRect(const PipelineBar& bar) const; ///< in this widget's coordinates
    [[nodiscard]] QString describe(const PipelineBar& bar) const;
    [[nodiscard]] std::pair<double, double> shownTime() const; ///< ns from the start of the step
    void showTime(double begin, double end);

    [[nodiscard]] QSize sizeHint() const override { return {900, 380}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {300, 160}; }

Q_SIGNALS:
    /// As AnalysisScreen::evidenceAsked.
    void evidenceAsked(int rank, rankscope::EventIndex event, rankscope::TimeRange range);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] const PipelineBar* barAt(QPointF plotPosition) const;
    void ask(const PipelineBar& bar);
    void moveCurrent(int bars, int lanes);
    void setCurrent(std::optional<std::size_t> bar);
    void pan(double share) { showTime(begin_ + share * (end_ - begin_), end_ + share * (end_ - begin_)); }
    void zoom(double factor, double anchor);
    void applyColours();

    std::shared_ptr<const Run> run_;
    PipelineStep step_;
    IdealPipeline ideal_;
    TimeUnit unit_ = TimeUnit::milliseconds;
    double begin_ = 0;
    double end_ = 1;
    struct Drag {
        QPoint from;
        double begin = 0;
        bool moved = false;
    };
    std::optional<Drag> drag_;
    QCustomPlot* plot_;
    PipelineBars* bars_;
};

} // namespace rankscope
