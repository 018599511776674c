// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for whom: waiting ranks as rows, those that are waited for as columns, the group in the cell.
#pragma once
#include <memory>
#include <vector>

#include <QWidget>

#include "core/analysis/hang/hang.h"

namespace rankscope {

/// Ranks that wait for the same are one row. Columns: culprits first.
class HangWaitsView : public QWidget {
    Q_OBJECT
public:
    explicit HangWaitsView(QWidget* parent = nullptr);
    void setHang(std::shared_ptr<const Hang> hang);
    void setCurrentRank(int rank); ///< marks its row and column; -1: none

    struct Row {
        std::vector<int> ranks;
        std::vector<int> groups; ///< by column: index in groups(), -1 where nobody waits
    };
    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
    [[nodiscard]] const std::vector<int>& columns() const { return columns_; }
    [[nodiscard]] const std::vector<QString>& groups() const { return groups_; }
    [[nodiscard]] QString describe(std::size_t row, std::size_t column) const;
    [[nodiscard]] QPoint cellCentre(std::size_t row, std::size_t column) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void rankChosen(int rank);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QRect cell(std::size_t row, std::size_t column) const;
    [[nodiscard]] int labelWidth() const;
    [[nodiscard]] int headHeight() const;

    std::shared_ptr<const Hang> hang_;
    std::vector<Row> rows_;
    std::vector<int> columns_;
    std::vector<QString> groups_;
    std::size_t rowsLeftOut_ = 0;
    std::size_t columnsLeftOut_ = 0;
    int current_ = -1;
};

} // namespace rankscope
