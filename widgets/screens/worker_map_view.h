// SPDX-License-Identifier: GPL-3.0-or-later
// A heat map of workers on two dimensions of the mesh.
#pragma once
#include <memory>
#include <optional>

#include <QWidget>

#include "core/views/worker_map.h"

namespace rankscope {

/// Cividis: perceptually uniform, and the same to the colour-blind. share: 0 to 1.
QColor workerColour(double share);

/// A click, or Enter on the marked cell, chooses its rank; arrows move the mark.
class WorkerMapView : public QWidget {
    Q_OBJECT
public:
    explicit WorkerMapView(QWidget* parent = nullptr);
    /// nullptr: blank.
    void setMap(std::shared_ptr<const RunAnalysis> analysis, std::shared_ptr<const WorkerMap> map);
    void setCurrentRank(std::optional<std::uint32_t> rank); ///< index in Run::ranks

    [[nodiscard]] QString describe(int row, int column) const; ///< "" where nothing is known
    [[nodiscard]] QPoint cellCentre(int row, int column) const;
    [[nodiscard]] QString legendText() const;
    [[nodiscard]] QRectF legendRect() const; ///< of the words

    [[nodiscard]] QSize sizeHint() const override { return {520, 320}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 140}; }

Q_SIGNALS:
    void rankChosen(std::uint32_t rank);    ///< marked: index in Run::ranks
    void rankActivated(std::uint32_t rank); ///< asked for

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Cell {
        int row = 0;
        int column = 0;
    };
    [[nodiscard]] bool isFolded() const;
    [[nodiscard]] int shownColumns() const;
    [[nodiscard]] int shownRows() const;
    [[nodiscard]] QString rankTitle(int column) const;
    [[nodiscard]] QString columnTitle(int shown) const;
    [[nodiscard]] QString rowTitle(int shown) const;
    [[nodiscard]] bool hasRowTitles() const { return shownRows() > 1; }
    [[nodiscard]] QRectF area() const; ///< of all cells
    [[nodiscard]] QRectF rectOf(Cell cell) const;
    [[nodiscard]] std::optional<Cell> cellAt(QPointF position) const;
    [[nodiscard]] std::optional<Cell> currentCell() const;
    void choose(Cell cell);

    std::shared_ptr<const RunAnalysis> analysis_;
    std::shared_ptr<const WorkerMap> map_;
    std::optional<std::uint32_t> rank_;
};

QString workerValueText(WorkerValue value, double number); ///< "1.179 x", "16.2 ms", "12.3 %"
QString workerValueTitle(WorkerValue value);
QString dimensionTitle(ParallelDimension dimension);

} // namespace rankscope
