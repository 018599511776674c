// SPDX-License-Identifier: GPL-3.0-or-later
// The Kernels screen: kernels by name, call paths of operators, modules of the model, launch delays, and how near to
// the device's limits.
#pragma once
#include <functional>
#include <memory>

#include "widgets/charts/flame_layout.h"
#include "widgets/screens/analysis_screen.h"
#include "widgets/screens/kernels_contents.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QScrollArea;
class QStackedWidget;
class QTableView;
class QTabWidget;
class QToolButton;

namespace rankscope {

class ColumnModel;
class ColumnOrder;
class DelayHistogram;
class FlameGraph;
class ModuleTree;
class RooflinePlot;

class KernelsScreen : public AnalysisScreen {
    Q_OBJECT
public:
    enum Tab { kernelsTab, operatorsTab, modulesTab, launchesTab, rooflineTab };

    explicit KernelsScreen(QWidget* parent = nullptr);
    void useCommands(CommandTable& table) override;
    void showTab(Tab tab);

    [[nodiscard]] QTabWidget& tabs() const { return *tabs_; }
    [[nodiscard]] QComboBox& rankChoice() const { return *rankChoice_; }
    [[nodiscard]] QLineEdit& filter() const { return *filter_; }
    [[nodiscard]] QTableView& kernelTable() const { return *kernelTable_; }
    [[nodiscard]] QTableView& operatorTable() const { return *operatorTable_; }
    [[nodiscard]] QTableView& rooflineTable() const { return *rooflineTable_; }
    [[nodiscard]] ModuleTree& modules() const { return *modules_; }
    [[nodiscard]] FlameGraph& flames() const { return *flames_; }
    [[nodiscard]] DelayHistogram& delays() const { return *delays_; }
    [[nodiscard]] RooflinePlot& roofline() const { return *roofline_; }
    [[nodiscard]] const std::shared_ptr<const KernelsContents>& contents() const { return contents_; }

private:
    struct Sorted {
        ColumnModel* model = nullptr;
        ColumnOrder* order = nullptr;
    };
    Sorted buildTable(QTableView*& table, const QString& name, std::function<NameId(int row)> nameOfRow);
    QWidget* buildBar();
    QWidget* buildOperators();
    QWidget* buildModules();
    QWidget* buildLaunches();
    QWidget* buildRoofline();
    void choose();
    void setContents(std::shared_ptr<const KernelsContents> contents);
    void fillRanks();
    void fillKernels();
    void fillOperators();
    void fillModules();
    void fillLaunches();
    void fillRoofline();
    void applyFilter();
    void askInstances(NameId name);
    void showRooflineRow(std::size_t row);

    std::shared_ptr<const KernelsContents> contents_;
    QComboBox* rankChoice_ = nullptr;
    QLineEdit* filter_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    QTableView* kernelTable_ = nullptr;
    QTableView* operatorTable_ = nullptr;
    QTableView* rooflineTable_ = nullptr;
    Sorted kernels_;
    Sorted operators_;
    Sorted points_;
    FlameGraph* flames_ = nullptr;
    QComboBox* weight_ = nullptr;
    QToolButton* annotations_ = nullptr;
    QToolButton* python_ = nullptr;
    QLabel* unattributed_ = nullptr;
    QStackedWidget* operatorPages_ = nullptr; ///< graph and table, or why there are none
    QStackedWidget* modulePages_ = nullptr;
    ModuleTree* modules_ = nullptr;
    QLabel* moduleWords_ = nullptr;
    QStackedWidget* launchPages_ = nullptr;
    QStackedWidget* rooflinePages_ = nullptr;
    DelayHistogram* delays_ = nullptr;
    QLabel* delayWords_ = nullptr;
    RooflinePlot* roofline_ = nullptr;
    QLabel* rooflineWords_ = nullptr;
};

} // namespace rankscope
