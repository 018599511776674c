// SPDX-License-Identifier: GPL-3.0-or-later
// Every metric of the catalogue by topic, the user's own among them: value, unit, and, folded away, the numbers behind
// it. As tall as what it shows, so that the page around it scrolls and not the tree.
#pragma once
#include <QTreeView>

#include "core/metrics/catalogue.h"

class QStandardItemModel;

namespace rankscope {

class MetricTree : public QTreeView {
    Q_OBJECT
public:
    enum Column { nameColumn, valueColumn, unitColumn, columnEnd };

    explicit MetricTree(QWidget* parent = nullptr);
    void setReport(const MetricReport& report);
    /// What is visible (folded details are not) as tab-separated text on the clipboard.
    void copy() const;

Q_SIGNALS:
    void followed(const QString& metric); ///< one that has a place (placeOfMetric()): to its evidence

private:
    void fitHeight();

    QStandardItemModel* model_ = nullptr;
};

} // namespace rankscope
