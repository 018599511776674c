// SPDX-License-Identifier: GPL-3.0-or-later
// Stacked bars of where each rank's time went, one row per rank, in time or per cent, in any order.
#pragma once
#include <map>
#include <optional>

#include <QWidget>

#include "widgets/charts/rank_parts.h"
#include "widgets/number_text.h"

class QCPItemRect;
class QCustomPlot;
class QScrollBar;

namespace rankscope {

class StackedRows;

class RankBars : public QWidget {
    Q_OBJECT
public:
    explicit RankBars(QWidget* parent = nullptr);
    ~RankBars() override;

    /// notes: a word beside a rank's bar; the late one's is strong.
    struct Note {
        QString text;
        bool strong = false;
    };
    void setShares(std::vector<RankShare> shares, std::map<int, Note> notes);
    void setOrder(RankOrder order);
    void setPercent(bool percent);
    /// Marks a rank; none: no mark.
    void setCurrentRank(std::optional<int> rank);

    [[nodiscard]] const RankOrder& order() const { return order_; }
    [[nodiscard]] bool percent() const { return percent_; }
    [[nodiscard]] std::optional<int> currentRank() const { return current_; }
    /// Ranks from top to bottom.
    [[nodiscard]] std::vector<int> shownRanks() const;
    [[nodiscard]] const StackedRows& rows() const { return *rows_; }
    /// Point in the middle of a rank's row, in this widget's coordinates; for tests and tooltips.
    [[nodiscard]] QPoint rowCentre(int rank) const;
    /// All numbers of a rank, as rich text.
    [[nodiscard]] QString describe(int rank) const;

Q_SIGNALS:
    void rankActivated(int rank);
    void currentRankChanged(int rank);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void turnWheel(QEvent* event);
    void rebuild();
    void updateHeight();
    [[nodiscard]] int noteWidth() const;
    void updateTicks();
    void applyColours();
    void scrollTo(int firstRow);
    void moveCurrent(int rows);
    void showMark();
    [[nodiscard]] int rowsThatFit() const;
    [[nodiscard]] double rowHeight() const;
    [[nodiscard]] std::optional<int> rankAt(const QPoint& plotPosition) const;
    [[nodiscard]] const RankShare* shareOf(int rank) const;
    [[nodiscard]] int rowOf(int rank) const; ///< -1: not shown
    [[nodiscard]] TimeUnit unit() const;

    QCustomPlot* plot_ = nullptr;
    StackedRows* rows_ = nullptr;
    QCPItemRect* mark_ = nullptr;
    QScrollBar* scroll_ = nullptr;
    std::vector<RankShare> shares_;
    std::vector<std::size_t> positions_;
    std::map<int, Note> notes_;
    RankOrder order_;
    std::optional<int> current_;
    bool percent_ = false;
};

} // namespace rankscope
