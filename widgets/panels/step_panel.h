// SPDX-License-Identifier: GPL-3.0-or-later
// How long a step takes, whether that is stable, and what fills it: a sentence, a small plot and one bar. A click leads
// to the evidence.
#pragma once
#include <optional>
#include <vector>

#include <QWidget>

#include "core/views/step_summary.h"

namespace rankscope {

/// "A step takes 63.62 ms; the 3 take 61.40 ms to 65.70 ms." In words also where no steps are known.
QString stepSentence(const StepSummary& summary);

class StepPanel : public QWidget {
    Q_OBJECT
public:
    explicit StepPanel(QWidget* parent = nullptr);
    void setSummary(std::optional<StepSummary> summary); ///< nothing: hidden
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {300, heightForWidth(300)}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QRect plotRect() const; ///< beside the sentence; null: there is no room, or too few steps
    [[nodiscard]] QRect sentenceRect() const;
    [[nodiscard]] QRect shareRect(StepShare share) const; ///< in the bar

Q_SIGNALS:
    void stepChosen(rankscope::TimeRange range);
    void shareChosen(rankscope::StepShare share);
    void servingChosen(); ///< the steps of a serving engine are on a screen of their own

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// What a click or Enter leads from: the sentence, a share, or a step of the plot.
    struct Part {
        enum Kind { sentence, share, step } kind = sentence;
        std::size_t which = 0; ///< the share, or the step's index
        friend bool operator==(const Part&, const Part&) = default;
    };
    [[nodiscard]] std::vector<Part> parts() const; ///< those that lead somewhere, as the keys go through them
    [[nodiscard]] std::optional<Part> partAt(QPoint point) const;
    [[nodiscard]] QRect rectOf(const Part& part) const;
    [[nodiscard]] QString wordsOf(const Part& part) const;
    [[nodiscard]] QRect stepRect(std::size_t step) const;
    void follow(const Part& part);
    [[nodiscard]] bool isMarked(const Part& part) const; ///< under the mouse, or reached by the keys
    [[nodiscard]] QFont strong() const;
    [[nodiscard]] QRect barRect() const;
    [[nodiscard]] std::optional<StepShare> shareAt(QPoint point) const; ///< in bar or legend
    [[nodiscard]] std::optional<std::size_t> stepAt(QPoint point) const;
    [[nodiscard]] QRect legendRect(StepShare share, int width) const; ///< in rows, as many as it takes
    [[nodiscard]] QString legendText(StepShare share) const;
    [[nodiscard]] QString shareWords(StepShare share) const;
    void paintPlot(QPainter& painter) const;
    void paintBar(QPainter& painter) const;

    std::optional<StepSummary> summary_;
    std::optional<Part> hovered_;
    std::size_t current_ = 0; ///< of parts(), by the keys
};

} // namespace rankscope
