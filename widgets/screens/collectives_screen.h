// SPDX-License-Identifier: GPL-3.0-or-later
// The Collectives screen: every matched call, who was late at it, how fast it was.
#pragma once
#include <memory>
#include <optional>

#include "core/views/collective_charts.h"
#include "core/views/lag_map.h"
#include "widgets/screens/analysis_screen.h"

class QSplitter;
class QTableView;

namespace rankscope {

class BandwidthPlot;
class CallFilterBar;
class CollectiveCallModel;
class DelayPlot;
class LagMapView;

/// Map, charts and table show the same calls; the one that is marked in any of them is marked in all.
class CollectivesScreen : public AnalysisScreen {
    Q_OBJECT
public:
    explicit CollectivesScreen(QWidget* parent = nullptr);
    void useCommands(CommandTable& table) override;
    /// A number in CollectiveSummaries::calls; none: no mark.
    void setCurrentCall(std::optional<std::uint32_t> call);
    [[nodiscard]] std::optional<std::uint32_t> currentCall() const { return current_; }

    [[nodiscard]] QTableView& table() const { return *table_; }
    [[nodiscard]] CollectiveCallModel& model() const { return *model_; }
    [[nodiscard]] CallFilterBar& filterBar() const { return *filter_; }
    [[nodiscard]] LagMapView& map() const { return *map_; }
    [[nodiscard]] DelayPlot& delays() const { return *delays_; }
    [[nodiscard]] BandwidthPlot& bandwidth() const { return *bandwidth_; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Contents;
    void buildTable();
    void fitColumns();
    void connectParts();
    void setCalls(std::shared_ptr<const CollectiveCalls> calls);
    void takeFilter(); ///< everything anew, for the filter in force
    void takeOrder();  ///< of the table alone
    void take(const Contents& contents);
    void setOrder(std::shared_ptr<const std::vector<std::uint32_t>> order);
    void showCall(std::uint32_t call, std::optional<int> rank = {}); ///< in the timeline

    CallFilterBar* filter_;
    LagMapView* map_;
    DelayPlot* delays_;
    BandwidthPlot* bandwidth_;
    CollectiveCallModel* model_;
    QTableView* table_;
    QWidget* mapPart_ = nullptr;
    std::shared_ptr<const CollectiveCalls> calls_;
    std::shared_ptr<const std::vector<std::uint32_t>> shown_; ///< what the filter lets through, by first arrival
    CallFilter shownFilter_;
    std::optional<std::uint32_t> current_;
    CallColumn sortColumn_ = CallColumn::number;
    bool descending_ = false;
};

} // namespace rankscope
