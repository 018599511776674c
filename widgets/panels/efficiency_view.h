// SPDX-License-Identifier: GPL-3.0-or-later
// The factors of parallel efficiency as a tree; low ones are marked, with what to look at.
#pragma once
#include <QTreeView>

#include "core/views/efficiency_tree.h"

class QStandardItemModel;

namespace rankscope {

class EfficiencyView : public QTreeView {
    Q_OBJECT
public:
    enum Column { nameColumn, valueColumn, adviceColumn, columnEnd };

    explicit EfficiencyView(QWidget* parent = nullptr);
    /// places: of each row, what it leads to (evidence_place.h); empty ones lead nowhere.
    void setRows(const std::vector<EfficiencyRow>& rows, const QStringList& places = {});

Q_SIGNALS:
    void followed(const QString& place);

protected:
    void changeEvent(QEvent* event) override;

private:
    void markLow();
    std::vector<EfficiencyRow> rows_;
    QStandardItemModel* model_;
};

} // namespace rankscope
