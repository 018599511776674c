// SPDX-License-Identifier: GPL-3.0-or-later
// The Workers screen: which worker, stage or microbatch slows the job down, and by how much.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/views/worker_map.h"
#include "widgets/screens/analysis_screen.h"

class QComboBox;
class QLabel;
class QSplitter;
class QTableView;

namespace rankscope {

class ColumnModel;
class ColumnOrder;
class WorkerMapView;

class WorkersScreen : public AnalysisScreen {
    Q_OBJECT
public:
    explicit WorkersScreen(QWidget* parent = nullptr);
    void useCommands(CommandTable& table) override;

    [[nodiscard]] QString words() const;
    [[nodiscard]] WorkerMapView& map() const { return *map_; }
    [[nodiscard]] QTableView& table() const { return *table_; }
    [[nodiscard]] QComboBox& valueChoice() const { return *value_; }
    [[nodiscard]] QComboBox& rowChoice() const { return *rows_; }

private:
    struct Contents {
        std::shared_ptr<const RunAnalysis> analysis;
        QStringList sentences;
        std::vector<WorkerDimension> dimensions;
        std::vector<WorkerValue> values; ///< those that are known of any rank
        struct Worker {
            std::array<std::optional<double>, kWorkerValueCount> values;
            double direct = 0; ///< ns of waits charged to it
            double passed_on = 0;
        };
        std::vector<Worker> ranks; ///< as Run::ranks
        bool waits = false;
    };
    static std::shared_ptr<const Contents> prepared(const std::shared_ptr<const RunAnalysis>& analysis);
    void setContents(std::shared_ptr<const Contents> contents);
    void drawMap();
    void chooseRank(std::uint32_t rank);
    void showInTimeline(std::uint32_t rank);

    std::shared_ptr<const Contents> contents_;
    QLabel* words_;
    QComboBox* value_;
    QComboBox* rows_;
    QComboBox* columns_;
    QSplitter* split_;
    WorkerMapView* map_;
    QTableView* table_;
    ColumnModel* model_;
    ColumnOrder* order_;
};

} // namespace rankscope
