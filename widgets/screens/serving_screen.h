// SPDX-License-Identifier: GPL-3.0-or-later
// The Serving screen: the steps of a serving engine over time, what each kind takes and what stalls it.
#pragma once
#include <memory>

#include "widgets/screens/analysis_screen.h"
#include "widgets/screens/serving_plot.h"

class QLabel;
class QTableView;

namespace rankscope {

class ColumnModel;
class ColumnOrder;

class ServingScreen : public AnalysisScreen {
    Q_OBJECT
public:
    explicit ServingScreen(QWidget* parent = nullptr);
    void useCommands(CommandTable& table) override;

    [[nodiscard]] QString headline() const;
    [[nodiscard]] QString words() const;
    [[nodiscard]] QTableView& kinds() const { return *kinds_; }
    [[nodiscard]] QTableView& work() const { return *work_; }
    [[nodiscard]] QString workTitle() const;
    [[nodiscard]] QTableView& steps() const { return *steps_; }
    [[nodiscard]] ServingPlot& plot() const { return *plot_; }

private:
    struct Contents {
        std::shared_ptr<const AnalysedRun> run;
        std::vector<PhaseSummary> phases;
        int longestPhase = 0; ///< the one that takes most of the time
        std::vector<ServingPoint> points;
        std::vector<ServingMedian> medians;
        QString headline;
        QString words;
    };
    static std::shared_ptr<const Contents> contentsOf(const std::shared_ptr<const AnalysedRun>& run,
                                                      const std::stop_token& stop);
    void setContents(std::shared_ptr<const Contents> contents);
    void fillKinds();
    void fillWork();
    void fillSteps();
    void showStep(std::size_t point);

    std::shared_ptr<const Contents> contents_;
    QLabel* headline_;
    QLabel* words_;
    ServingPlot* plot_;
    ColumnModel* kindModel_;
    ColumnModel* workModel_;
    ColumnModel* stepModel_;
    ColumnOrder* stepOrder_;
    QTableView* kinds_;
    QLabel* workTitle_;
    QTableView* work_;
    QTableView* steps_;
};

} // namespace rankscope
