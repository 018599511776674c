// SPDX-License-Identifier: GPL-3.0-or-later
// The Hang screen: who did not come, who waits for whom, what the ranks called last.
#pragma once
#include <memory>

#include "core/analysis/hang/hang.h"
#include "widgets/screens/analysis_screen.h"

class QLabel;
class QPlainTextEdit;
class QTableView;

namespace rankscope {

class ColumnModel;
class ColumnOrder;
class HangWaitsView;

class HangScreen : public AnalysisScreen {
    Q_OBJECT
public:
    explicit HangScreen(QWidget* parent = nullptr);
    void useCommands(CommandTable& table) override;

    [[nodiscard]] QString headline() const;
    [[nodiscard]] QTableView& table() const { return *table_; }
    [[nodiscard]] QTableView& mismatchTable() const { return *mismatches_; }
    [[nodiscard]] HangWaitsView& waits() const { return *waits_; }
    [[nodiscard]] QString details() const; ///< of the selected rank
    void selectRank(int rank);

private:
    struct Contents {
        std::shared_ptr<const RunAnalysis> analysis;
        std::shared_ptr<const Hang> hang;
        QString headline;
        QStringList summary;
    };
    void setContents(std::shared_ptr<const Contents> contents);
    void showRank(int row);
    void showInTimeline(int row);

    std::shared_ptr<const Contents> contents_;
    QLabel* headline_ = nullptr;
    QLabel* words_ = nullptr;
    QTableView* table_;
    QTableView* mismatches_;
    ColumnModel* model_;
    ColumnModel* mismatchModel_;
    ColumnOrder* order_ = nullptr;
    HangWaitsView* waits_;
    QPlainTextEdit* details_;
};

} // namespace rankscope
