// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of key and value as a table model.
#pragma once
#include <QAbstractTableModel>

#include "widgets/panels/event_details.h"

namespace rankscope {

class DetailsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<DetailRow> rows);
    void append(std::vector<DetailRow> rows);
    /// Keeps rows with the text in key or value, and the headings above them; empty: all.
    void setFilter(const QString& text);
    [[nodiscard]] const std::vector<DetailRow>& rows() const { return rows_; } ///< those that are shown

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] std::vector<DetailRow> filtered(const std::vector<DetailRow>& rows) const;

    std::vector<DetailRow> all_;
    std::vector<DetailRow> rows_;
    QString filter_;
};

} // namespace rankscope
