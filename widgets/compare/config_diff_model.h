// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of several runs beside each other, key by key.
#pragma once
#include <QAbstractTableModel>

#include "core/report/analysed_run.h"

namespace rankscope {

/// Columns: key, the value in each run, how they differ. Rows: changed ones first, then those that not every run has, then equal
/// ones; by key.
class ConfigDiffModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Difference { changed, missing, equal };
    static constexpr int kKeyColumn = 0;
    static constexpr int kDifferenceRole = Qt::UserRole; ///< int of Difference

    using QAbstractTableModel::QAbstractTableModel;
    void setRuns(const std::vector<AnalysedRun>& runs);
    [[nodiscard]] int count(Difference difference) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Setting {
        QString key;
        std::vector<std::optional<QString>> values; ///< by run
        Difference difference = Difference::equal;
    };
    std::vector<Setting> rows_;
    QStringList labels_;
};

} // namespace rankscope
