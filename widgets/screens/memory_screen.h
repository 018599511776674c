// SPDX-License-Identifier: GPL-3.0-or-later
// The Memory screen: what the allocator held over time, its peaks, and which operators made what was live at a moment.
#pragma once
#include <memory>

#include "core/views/memory_history.h"
#include "widgets/jobs.h"
#include "widgets/screens/analysis_screen.h"

class QComboBox;
class QLabel;
class QTableView;
class QToolButton;

namespace rankscope {

class ColumnModel;
class ColumnOrder;
class MemoryPlot;
struct MemoryLine;

class MemoryScreen : public AnalysisScreen {
    Q_OBJECT
public:
    explicit MemoryScreen(QWidget* parent = nullptr);
    void useCommands(CommandTable& table) override;

    [[nodiscard]] bool isReady() const override { return AnalysisScreen::isReady() && !looking_.isBusy(); }
    [[nodiscard]] MemoryPlot& plot() const { return *plot_; }
    [[nodiscard]] QComboBox& curveChoice() const { return *curveChoice_; }
    [[nodiscard]] QToolButton& peakButton() const { return *peak_; }
    [[nodiscard]] QTableView& table() const { return *table_; }
    [[nodiscard]] QString words() const;
    [[nodiscard]] bool isLooking() const { return looking_.isBusy(); } ///< for what was live
    [[nodiscard]] const std::shared_ptr<const LiveMemory>& live() const { return live_; }

private:
    struct Contents {
        std::shared_ptr<const RunAnalysis> analysis;
        std::vector<MemoryCurve> curves;
        std::vector<MemoryLine> lines;
    };
    QWidget* buildBar();
    void setContents(std::shared_ptr<const Contents> contents);
    void look(std::size_t curve, TimeNs time);
    void showLive();
    void showLargest(int row);
    [[nodiscard]] QString title(const MemoryCurve& curve) const; ///< "Rank 3, GPU 0"

    std::shared_ptr<const Contents> contents_;
    std::shared_ptr<const LiveMemory> live_;
    QComboBox* curveChoice_ = nullptr;
    QToolButton* peak_ = nullptr;
    QLabel* peakWords_ = nullptr;
    QLabel* liveWords_ = nullptr;
    MemoryPlot* plot_ = nullptr;
    QTableView* table_ = nullptr;
    ColumnModel* model_ = nullptr;
    ColumnOrder* order_ = nullptr;
    Jobs looking_;
};

} // namespace rankscope
