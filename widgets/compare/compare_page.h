// SPDX-License-Identifier: GPL-3.0-or-later
// The Compare screen: what changed, in words; metrics and configuration beside each other; linked timelines; operators.
#pragma once
#include <memory>
#include <vector>

#include <QWidget>

#include "widgets/compare/compared_runs.h"
#include "widgets/jobs.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSplitter;
class QStackedWidget;
class QTableView;
class QTabWidget;
class QToolButton;
class QTreeView;

namespace rankscope {

class ChangeWaterfall;
class ConfigChangeModel;
class LinkedTimelines;
class MemoryChanges;
class MessagePage;
class MetricChangeModel;
class ModuleTree;
class OperatorChangeModel;
class OverlaidHistograms;

/// A run one can choose.
struct RunChoice {
    QString path;
    QString name;
    friend bool operator==(const RunChoice&, const RunChoice&) = default;
};

class ComparePage : public QWidget {
    Q_OBJECT
public:
    enum Tab { changesTab, timelinesTab, operatorsTab, modulesTab, memoryTab };

    explicit ComparePage(QWidget* parent = nullptr);

    /// The listed runs, and which are compared: baseline first. Fewer than two: the page says how to choose.
    void setChoices(const std::vector<RunChoice>& choices, const QStringList& compared);
    /// Analysed runs in the order of the compared paths. Empty: `title` is shown, and `words` below it.
    void setRuns(std::vector<std::shared_ptr<const AnalysedRun>> runs, const QString& title = {},
                 const QString& words = {});
    /// The words shown instead of a comparison; empty while one is shown.
    [[nodiscard]] QString message() const;
    void showTab(Tab tab);
    void
    showMetric(const QString& id); ///< the place that explains it: a stretch of the timelines, or the table of kernels
    void swap();                   ///< the shown test becomes the baseline

    [[nodiscard]] LinkedTimelines& timelines() const { return *timelines_; }
    [[nodiscard]] QLabel& words() const { return *words_; }
    [[nodiscard]] ChangeWaterfall& waterfall() const { return *waterfall_; }
    [[nodiscard]] MetricChangeModel& metrics() const { return *metrics_; }
    [[nodiscard]] ConfigChangeModel& config() const { return *config_; }
    [[nodiscard]] OperatorChangeModel& operators() const { return *operators_; }
    [[nodiscard]] QTableView& metricTable() const { return *metricTable_; }
    [[nodiscard]] QCheckBox& showUnchanged() const { return *showUnchanged_; } ///< rows of metrics without a difference
    [[nodiscard]] QTableView& operatorTable() const { return *operatorTable_; }
    [[nodiscard]] ModuleTree& modules() const { return *modules_; }
    [[nodiscard]] MemoryChanges& memory() const { return *memory_; }
    [[nodiscard]] Tab shownTab() const;
    [[nodiscard]] bool isReady() const { return ready_; } ///< everything of the runs set is shown

Q_SIGNALS:
    /// The user chose other runs: paths, baseline first.
    void comparisonAsked(const QStringList& paths);
    void ready();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Job { comparisonJob, histogramJob };
    QWidget* buildBar();
    QWidget* buildChanges();
    QWidget* buildOperators();
    void askFromBar();
    void compareShown();
    void show(const ComparedRuns& comparison);
    [[nodiscard]] QString allRunsHtml(const std::vector<RunBesideOthers>& rows) const;
    void showWords(const ComparedRuns& comparison);
    void countUnchanged();
    void fitWords(); ///< the sentences get the height that they need, at most a third, until the user moves the handle
    void showHistogram();
    void showModules(const ComparedRuns& comparison);

    QComboBox* baselineChoice_ = nullptr;
    QComboBox* testChoice_ = nullptr;
    QToolButton* addRun_ = nullptr;
    QToolButton* swap_ = nullptr;
    QComboBox* shownTest_ = nullptr; ///< of several tests, the one in the tabs
    QStackedWidget* pages_ = nullptr;
    MessagePage* hint_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    QLabel* words_ = nullptr;
    ChangeWaterfall* waterfall_ = nullptr;
    QSplitter* changes_ = nullptr;
    QTableView* metricTable_ = nullptr;
    QComboBox* statusFilter_ = nullptr;
    QCheckBox* showUnchanged_ = nullptr;
    QTreeView* configTable_ = nullptr;
    QCheckBox* showEqual_ = nullptr;
    QLabel* configTitle_ = nullptr;
    QTableView* operatorTable_ = nullptr;
    QLineEdit* operatorFilter_ = nullptr;
    QComboBox* deviceFilter_ = nullptr;
    OverlaidHistograms* histograms_ = nullptr;
    ModuleTree* modules_ = nullptr;
    MemoryChanges* memory_ = nullptr;
    LinkedTimelines* timelines_ = nullptr;
    MetricChangeModel* metrics_ = nullptr;
    ConfigChangeModel* config_ = nullptr;
    OperatorChangeModel* operators_ = nullptr;

    QStringList compared_;
    std::vector<RunChoice> choices_;
    std::vector<std::shared_ptr<const AnalysedRun>> runs_;
    std::shared_ptr<const ComparedRuns> comparison_;
    bool ready_ = false;
    bool wordsFit_ = true;
    Jobs comparing_;
};

} // namespace rankscope
