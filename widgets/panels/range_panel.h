// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of the marked range, as a table by class, kernel, rank or operator, or of several ranges beside each
// other; computed in the background.
#pragma once
#include <memory>
#include <stop_token>

#include <QTimer>

#include "core/analysis/search/range_statistics.h"
#include "widgets/jobs.h"
#include "widgets/panels/panel.h"
#include "widgets/view_state.h"

class QButtonGroup;
class QLabel;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace rankscope {

class RangeComparisonModel;
class RangeTableModel;
struct ComparedRange;

class RangePanel : public Panel {
    Q_OBJECT
public:
    explicit RangePanel(ViewState* state, QWidget* parent = nullptr);
    ~RangePanel() override;

    /// eventChosen() is the longest event of a row; zoom: by double-click or Enter.
    void useCommands(CommandTable& table) override;
    void setGrouping(RangeGrouping grouping);
    /// Header and the selected rows, all when none is selected, to the clipboard as tab-separated text.
    void copyRows() const;
    [[nodiscard]] bool isBusy() const { return delay_.isActive() || jobs_.isBusy(); }
    [[nodiscard]] QString summary() const;
    [[nodiscard]] QTableView& table() const { return *table_; }
    [[nodiscard]] const RangeTableModel& model() const { return *model_; }
    [[nodiscard]] const RangeComparisonModel& comparison() const { return *comparison_; }
    [[nodiscard]] bool isComparing() const; ///< the table is that of several ranges

private:
    QWidget* buildControls();
    QTableView* buildTable();
    void takeRun();
    void takeRange();
    void ask();
    void answer(std::vector<ComparedRange> answers);
    /// Those that are compared, and the marked one.
    [[nodiscard]] std::vector<TimeRange> ranges() const;
    void keepRange();
    void showSummary();
    void choose(const QModelIndex& index, bool zoom);

    ViewState* state_;
    RangeTableModel* model_;
    RangeComparisonModel* comparison_;
    QSortFilterProxyModel* sorted_;
    QLabel* summary_;
    QPushButton* keep_;
    QPushButton* forget_;
    QPushButton* use_;
    QPushButton* copy_;
    QButtonGroup* groupings_;
    QTableView* table_;
    QTimer delay_; ///< while an edge is dragged, not every pixel is computed
    std::shared_ptr<const RunClasses> classes_;
    std::shared_ptr<const RangeStatistics> statistics_; ///< of one range
    Jobs jobs_;
};

} // namespace rankscope
