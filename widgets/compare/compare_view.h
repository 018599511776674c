// SPDX-License-Identifier: GPL-3.0-or-later
// Runs against the first of them: what changed, in words; every metric; every setting.
#pragma once
#include <QWidget>

#include "core/report/analysed_run.h"
#include "widgets/background_queue.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QSortFilterProxyModel;
class QTableView;

namespace rankscope {

class ConfigDiffModel;
class MetricMatrixModel;

class CompareView : public QWidget {
    Q_OBJECT
public:
    explicit CompareView(QWidget* parent = nullptr);
    ~CompareView() override;

    /// The baseline first; fewer than two runs empty the view. Words are found off the window's thread: see explained().
    void setRuns(std::vector<AnalysedRun> runs);
    [[nodiscard]] const std::vector<AnalysedRun>& runs() const { return runs_; }

Q_SIGNALS:
    /// A metric was activated: the place that explains it is to be shown.
    void metricActivated(const QString& id);
    /// The words for all test runs stand there.
    void explained();

private:
    void build();
    void explain();
    void showWords();
    void filterMetrics();
    void filterSettings();

    std::vector<AnalysedRun> runs_;
    std::vector<QStringList> words_; ///< by test run; empty until found
    quint64 generation_ = 0;         ///< words of runs that were replaced meanwhile are dropped
    QComboBox* test_ = nullptr;
    QLabel* headline_ = nullptr;
    QLabel* parts_ = nullptr;
    QComboBox* status_ = nullptr;
    QTableView* metrics_ = nullptr;
    QTableView* settings_ = nullptr;
    QCheckBox* equalToo_ = nullptr;
    QLabel* settingCounts_ = nullptr;
    MetricMatrixModel* metricModel_ = nullptr;
    ConfigDiffModel* configModel_ = nullptr;
    QSortFilterProxyModel* metricProxy_ = nullptr;
    BackgroundQueue queue_; ///< last: its destructor waits for the job at hand
};

} // namespace rankscope
