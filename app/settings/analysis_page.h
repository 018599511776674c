// SPDX-License-Identifier: GPL-3.0-or-later
// The page of Settings with the user's kernel classes and peaks: two tables that hold from Apply on.
#pragma once
#include <vector>

#include <QWidget>

#include "core/analysis/operators/peak_flops.h"
#include "core/analysis/selection/kernel_class_rules.h"

class QLabel;
class QPushButton;
class QTableWidget;

namespace rankscope {

class AnalysisPage : public QWidget {
    Q_OBJECT
public:
    explicit AnalysisPage(QWidget* parent = nullptr);

    void setRules(const std::vector<KernelClassRule>& classes, const std::vector<DevicePeak>& peaks);
    [[nodiscard]] QTableWidget& classes() const { return *classes_; }
    [[nodiscard]] QTableWidget& peaks() const { return *peaks_; }
    [[nodiscard]] QString problem() const; ///< what is wrong with the tables; empty: nothing
    void addClass();
    void addPeak();
    void apply(); ///< tells what the tables hold, unless there is a problem

Q_SIGNALS:
    void applied(const std::vector<KernelClassRule>& classes, const std::vector<DevicePeak>& peaks);

private:
    void putClass(int row, const KernelClassRule& rule);
    void putPeak(int row, const DevicePeak& peak);
    [[nodiscard]] std::vector<KernelClassRule> classesNow() const;
    [[nodiscard]] std::vector<DevicePeak> peaksNow() const; ///< a cell that is no number counts as 0
    void judge();

    QTableWidget* classes_ = nullptr;
    QTableWidget* peaks_ = nullptr;
    QLabel* verdict_ = nullptr;
    QPushButton* apply_ = nullptr;
    std::vector<KernelClassRule> classesInForce_;
    std::vector<DevicePeak> peaksInForce_;
};

} // namespace rankscope
