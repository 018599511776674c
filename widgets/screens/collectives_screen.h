// SPDX-License-Identifier: GPL-3.0-or-later
// The Collectives screen: every matched call, who was late at it, how fast it was.
#pragma once
#include "core/analysis/collective_calls.h"
#include "widgets/screens/analysis_screen.h"

class QTableView;

namespace rankscope {

class CollectiveCallModel;

class CollectivesScreen : public AnalysisScreen {
    Q_OBJECT
public:
    explicit CollectivesScreen(QWidget* parent = nullptr);
    void useCommands(CommandTable& table) override;

    [[nodiscard]] QTableView& table() const { return *table_; }
    [[nodiscard]] CollectiveCallModel& model() const { return *model_; }

private:
    void buildTable();
    void setCalls(std::shared_ptr<const CollectiveCalls> calls);
    void reorder();
    void showCall(std::uint32_t call); ///< in the timeline

    CollectiveCallModel* model_;
    QTableView* table_;
    std::shared_ptr<const CollectiveCalls> calls_;
    CallColumn sortColumn_ = CallColumn::number;
    bool descending_ = false;
};

} // namespace rankscope
