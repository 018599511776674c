// SPDX-License-Identifier: GPL-3.0-or-later
// How long all events with the selected one's name take, on its rank and in the run.
#pragma once
#include <QWidget>

#include "core/analysis/search/name_statistics.h"

class QAbstractItemModel;
class QLabel;
class QStandardItemModel;
class QTableView;

namespace rankscope {

class DurationHistogramView;

class NameStatisticsPane : public QWidget {
    Q_OBJECT
public:
    explicit NameStatisticsPane(QWidget* parent = nullptr);
    void setStatistics(const NameStatistics& statistics);
    void setWaiting(); ///< for another event; what was shown goes

    [[nodiscard]] QAbstractItemModel* model() const;
    [[nodiscard]] DurationHistogramView& histogram() const { return *histogram_; }

private:
    QStandardItemModel* model_;
    QTableView* table_;
    DurationHistogramView* histogram_;
};

} // namespace rankscope
