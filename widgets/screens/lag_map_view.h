// SPDX-License-Identifier: GPL-3.0-or-later
// The heat map ranks × collective calls: the lag of each rank, by colour; what it says under the pointer in words.
#pragma once
#include <memory>
#include <optional>

#include <QWidget>

#include "core/views/lag_map.h"

class QCPItemRect;
class QCustomPlot;
class QLabel;

namespace rankscope {

class LagCells;
class LagLegend;

/// A click, or Enter on the marked cell, asks for the call in the timeline. Ctrl+wheel, W and S zoom, wheel, drag, A
/// and D move, 0 shows all; arrows go from call to call and rank to rank.
class LagMapView : public QWidget {
    Q_OBJECT
public:
    explicit LagMapView(QWidget* parent = nullptr);
    ~LagMapView() override;

    void setMap(std::shared_ptr<const LagMap> map); ///< nullptr: blank
    /// Marks a call's column, and moves it into view. None, or one that is not in the map: no mark.
    void setCurrentCall(std::optional<std::uint32_t> call);
    [[nodiscard]] std::optional<std::uint32_t> currentCall() const { return call_; }
    void showColumns(double first, double last);
    [[nodiscard]] std::pair<double, double> shownColumns() const { return {first_, last_}; }

    [[nodiscard]] QString titleOf(std::size_t column) const; ///< number of its first call in the table
    /// In words; empty where the rank (index in Run::ranks) has no call.
    [[nodiscard]] QString describe(std::size_t rank, std::size_t column) const;
    /// The middle of a cell, in this widget's coordinates.
    [[nodiscard]] QPoint cellCentre(std::size_t rank, std::size_t column) const;
    [[nodiscard]] const LagCells& cells() const { return *cells_; }

    [[nodiscard]] QSize sizeHint() const override { return {900, 240}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {300, 130}; }

Q_SIGNALS:
    void callMarked(std::uint32_t call);              ///< by keys
    void callActivated(std::uint32_t call, int rank); ///< rank number

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Cell {
        std::size_t rank = 0;
        std::size_t column = 0;
    };
    [[nodiscard]] std::optional<std::size_t> currentColumn() const;
    [[nodiscard]] std::optional<Cell> cellAt(const QPoint& plotPosition) const;
    void press(const QMouseEvent& event);
    void move(const QMouseEvent& event);
    void release(const QMouseEvent& event);
    void wheel(const QWheelEvent& event);
    void zoom(double factor, double anchor);
    void pan(double columns) { showColumns(first_ + columns, last_ + columns); }
    void moveCell(int calls, int ranks);
    [[nodiscard]] std::size_t labelEvery() const; ///< of so many ranks one has a label, so that none overlap
    void updateTicks();
    void placeMark();
    void activate(const Cell& cell);
    void applyColours();

    std::shared_ptr<const LagMap> map_;
    std::optional<std::uint32_t> call_;
    std::size_t rank_ = 0;     ///< of the marked cell
    std::size_t labelled_ = 0; ///< labelEvery() of the labels there are
    double first_ = 0;
    double last_ = 1;
    struct Drag {
        QPoint from;
        double first = 0;
        bool moved = false;
    };
    std::optional<Drag> drag_;
    QCustomPlot* plot_;
    LagCells* cells_;
    LagLegend* legend_;
    QCPItemRect* mark_;
};

} // namespace rankscope
