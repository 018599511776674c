// SPDX-License-Identifier: GPL-3.0-or-later
// The Kernels screen: what stands in its tables and above its plots.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTableView>

#include "widgets/charts/delay_histogram.h"
#include "widgets/charts/flame_graph.h"
#include "widgets/charts/roofline_plot.h"
#include "widgets/language.h"
#include "widgets/module_tree.h"
#include "widgets/name_text.h"
#include "widgets/number_text.h"
#include "widgets/screens/column_model.h"
#include "widgets/screens/kernels_screen.h"
#include "widgets/screens/name_delegate.h"
#include "widgets/time_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

double percent(TimeNs part, TimeNs whole) {
    return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

TableColumn timeColumn(const QString& title, const QString& tip, TimeUnit unit, std::function<TimeNs(int row)> time) {
    return {QString(title + u" ("_s + timeUnitLabel(unit) + u')'), tip,
            [=](int row) { return timeNumber(time(row), unit); },
            [=](int row) { return static_cast<double>(time(row)); },
            [=](int row) { return wholeTimeNumber(time(row), unit); }};
}

TableColumn countColumn(const QString& title, const QString& tip, std::function<std::int64_t(int row)> count) {
    return {title, tip, [=](int row) { return groupedNumber(count(row)); },
            [=](int row) { return static_cast<double>(count(row)); }};
}

TableColumn numberColumn(const QString& title, const QString& tip, std::function<double(int row)> number) {
    return {title, tip, [=](int row) { return std::isnan(number(row)) ? u"–"_s : shortNumber(number(row)); }, number};
}

TableColumn percentColumn(const QString& title, const QString& tip, std::function<double(int row)> number) {
    return {title, tip,
            [=](int row) { return std::isnan(number(row)) ? u"–"_s : decimal(QString::number(number(row), 'f', 1)); },
            number};
}

/// New contents keep the column the user sorts by; at first it is the one given, largest on top.
void fill(QTableView& table, ColumnModel& model, std::vector<TableColumn> columns, std::size_t rows, int sortedBy) {
    const bool first = model.columnCount() == 0;
    model.setContents(std::move(columns), static_cast<int>(rows));
    if (!first)
        return;
    table.sortByColumn(sortedBy, Qt::DescendingOrder);
    QHeaderView* header = table.horizontalHeader();
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setResizeContentsPrecision(40);
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    header->setMinimumSectionSize(40);
    table.setItemDelegateForColumn(0, new NameDelegate(&table));
}

} // namespace

void KernelsScreen::fillKernels() {
    const auto row = [contents = contents_](int r) -> const KernelRow& {
        return contents->kernels[static_cast<std::size_t>(r)];
    };
    TimeNs most = 0;
    std::vector<TimeNs> medians;
    for (const KernelRow& kernel : contents_->kernels) {
        most = std::max(most, kernel.time.sum);
        medians.push_back(kernel.time.median);
    }
    const TimeUnit unit = timeUnitFor(most);
    const TimeUnit each = timeUnitForEach(std::move(medians));
    fill(*kernelTable_, *kernels_.model,
         {{tr("Kernel"),
           tr("GPU work by its name"),
           [row, this](int r) { return shortNameText(contents_->names().view(row(r).name)); },
           {},
           [row, this](int r) { return nameText(contents_->names().view(row(r).name)); }},
          {tr("Class"), tr("What it is for"),
           [row](int r) {
               const KernelRow& kernel = row(r);
               return coreText(kernel.kernel_class == KernelClass::compute ? compute_kind_word(kernel.compute_kind)
                                                                           : kernel_class_word(kernel.kernel_class));
           }},
          countColumn(tr("Count"), tr("How often it ran"), [row](int r) { return row(r).time.count; }),
          timeColumn(tr("Total"), tr("Sum of the durations"), unit, [row](int r) { return row(r).time.sum; }),
          percentColumn(tr("Share %"), tr("Of the summed time of all GPU work"),
                        [row](int r) { return 100 * row(r).share; }),
          timeColumn(tr("Mean"), tr("Of one"), each, [row](int r) { return std::llround(row(r).time.mean); }),
          timeColumn(tr("Median"), tr("Half of them are shorter"), each, [row](int r) { return row(r).time.median; }),
          timeColumn(tr("p95"), tr("95 % of them are no longer"), each, [row](int r) { return row(r).time.p95; })},
         contents_->kernels.size(), 3);
}

void KernelsScreen::fillModules() {
    const ModuleAnalysis& all = *contents_->modules;
    modulePages_->setCurrentIndex(all.modules.empty() ? 1 : 0);
    const QString known = percentText(percent(all.attributed, all.gpu_total));
    moduleWords_->setText(contents_->analysis->ranks().size() > 1
                              ? tr("%1 of the GPU work is inside a named module. Sums over all ranks.").arg(known)
                              : tr("%1 of the GPU work is inside a named module.").arg(known));
    TimeNs most = 0;
    bool allocates = false;
    for (const ModuleRow& module : all.modules) {
        most = std::max(most, module.total);
        allocates |= module.allocated > 0;
    }
    const TimeUnit unit = timeUnitFor(most);
    const QString label = timeUnitLabel(unit);
    QStringList titles{tr("Module"),  tr("Total (%1)").arg(label),
                       tr("Share %"), tr("Own (%1)").arg(label),
                       tr("Kernels"), tr("Calls")};
    QStringList tips{tr("As the frames around the launches name it"),
                     tr("Summed durations of GPU work launched in it, with the modules inside"),
                     tr("Of the summed time of all GPU work"),
                     tr("Without the modules inside"),
                     tr("GPU work launched in it, without the modules inside"),
                     tr("Calls that launched GPU work")};
    if (allocates) {
        titles << tr("Allocated (MB)");
        tips << tr("By operators in it, without the modules inside");
    }
    std::vector<ModuleTreeRow> rows;
    rows.reserve(all.modules.size());
    for (const ModuleRow& module : all.modules) {
        QStringList cells{timeNumber(module.total, unit),
                          decimal(QString::number(percent(module.total, all.gpu_total), 'f', 1)),
                          timeNumber(module.self, unit), groupedNumber(module.kernels), groupedNumber(module.calls)};
        if (allocates)
            cells << shortNumber(static_cast<double>(module.allocated) / 1e6);
        rows.push_back({module.name, module.depth, cells});
    }
    modules_->setRows(titles, tips, rows);
}

void KernelsScreen::fillOperators() {
    const auto tree = std::shared_ptr<const OperatorTree>(contents_, &contents_->tree);
    flames_->setTree(contents_->analysis->run().names, tree, contents_->analysis->rules().classes);
    const PathNode& all = tree->nodes.front();
    operatorPages_->setCurrentIndex(contents_->operators.empty() ? 1 : 0);
    const double known = percent(all.gpu_total, all.gpu_total + tree->unattributed);
    unattributed_->setText(all.gpu_total == 0 ? tr("No GPU work is linked to an operator; the width can show CPU time.")
                           : tree->unattributed == 0
                               ? QString()
                               : tr("%1 of the GPU work has a known operator").arg(percentText(known)));
    const auto row = [contents = contents_](int r) -> const OperatorTotal& {
        return contents->operators[static_cast<std::size_t>(r)];
    };
    TimeNs most = 0;
    for (const OperatorTotal& total : contents_->operators)
        most = std::max({most, total.gpu_total, total.cpu_total});
    const TimeUnit unit = timeUnitFor(most);
    fill(*operatorTable_, *operators_.model,
         {{tr("Operator"), tr("Operators, annotations and Python functions by name"),
           [row, this](int r) { return nameText(contents_->names().view(row(r).name)); }},
          countColumn(tr("Calls"), tr("Calls in the selection, if only with a part"),
                      [row](int r) { return row(r).calls; }),
          timeColumn(tr("GPU total"), tr("Summed durations of all GPU work launched inside"), unit,
                     [row](int r) { return row(r).gpu_total; }),
          percentColumn(tr("Share %"), tr("GPU total, of all GPU work with a known operator"),
                        [row, whole = all.gpu_total](int r) { return percent(row(r).gpu_total, whole); }),
          timeColumn(tr("GPU self"), tr("Of what it launched itself"), unit, [row](int r) { return row(r).gpu_self; }),
          timeColumn(tr("CPU total"), tr("Durations of the calls on the host"), unit,
                     [row](int r) { return row(r).cpu_total; }),
          timeColumn(tr("CPU self"), tr("Without the operators inside"), unit,
                     [row](int r) { return row(r).cpu_self; })},
         contents_->operators.size(), 2);
}

void KernelsScreen::fillLaunches() {
    delays_->setDelays(contents_->delays);
    launchPages_->setCurrentIndex(contents_->delays.spread.count == 0 ? 1 : 0);
    const std::int64_t backwards = contents_->delays.backwards;
    QString words = tr("How long the GPU takes to start what the host launches. Long delays mean a full queue: the GPU "
                       "is busy and the host runs ahead. Short ones "
                       "mean that the GPU waits for the host.  %1.")
                        .arg(delays_->summary());
    if (backwards > 0)
        words +=
            u' ' +
            tr("%1 start before their call by the trace's clocks; they are drawn as 0.").arg(groupedNumber(backwards));
    delayWords_->setText(words);
}

void KernelsScreen::fillRoofline() {
    const auto rows = std::shared_ptr<const std::vector<RooflineRow>>(contents_, &contents_->roofline);
    RooflineLimits limits = rooflineLimits(contents_->names(), *rows, contents_->device,
                                           peaks_of(contents_->analysis->run(), contents_->analysis->rules().peaks));
    rooflinePages_->setCurrentIndex(rows->empty() ? 1 : 0);
    const QString device =
        contents_->device.empty() ? tr("The trace does not name the device") : nameText(contents_->device);
    QStringList words{limits.ceilings.empty() || !limits.tb_s
                          ? tr("%1: its peak rates are not known, so no limits are drawn. Name the device in the "
                               "workload card (hardware.xpu_spec.model), or give its peaks in the settings.")
                                .arg(device)
                          : tr("%1. Lines: its dense peak rates by data sheet.").arg(device),
                      tr("A point is an operator with one set of shapes. Together they are %1 % of the GPU time of all "
                         "operators that compute; of the rest no shapes or no model are known.")
                          .arg(std::lround(100 * contents_->modelledShare))};
    const auto above = [&](Bound bound) {
        return std::ranges::count_if(
            *rows, [bound](const RooflineRow& line) { return line.bound == bound && line.is_above_peak(); });
    };
    if (const auto count = above(Bound::memory); count > 0)
        words << tr("Points above the memory's limit: %1. Part of what their shapes say was still in a cache, or was "
                    "not read.")
                     .arg(groupedNumber(count));
    if (const auto count = above(Bound::compute); count > 0)
        words << tr("Points above the limit of computation: %1. A mask or a window left out part of what their shapes "
                    "say.")
                     .arg(groupedNumber(count));
    rooflineWords_->setText(words.join(u' '));
    roofline_->setRows(contents_->analysis->run().names, rows, std::move(limits));
    const auto row = [contents = contents_](int r) -> const RooflineRow& {
        return contents->roofline[static_cast<std::size_t>(r)];
    };
    const auto ofRoofline = [row](int r) {
        const RooflineRow& line = row(r);
        return line.roofline_us ? *line.roofline_us * 1000 * 100 * static_cast<double>(line.row.calls) /
                                      static_cast<double>(line.row.direct)
                                : std::nan("");
    };
    TimeNs most = 0;
    for (const RooflineRow& line : *rows)
        most = std::max(most, line.row.direct);
    fill(*rooflineTable_, *points_.model,
         {{tr("Operator"), tr("Operators whose shapes tell their FLOPs and bytes"),
           [row, this](int r) { return nameText(contents_->names().view(row(r).row.name)); }},
          {tr("Shapes"), tr("Recorded dimensions of the inputs"),
           [row, this](int r) { return nameText(contents_->names().view(row(r).row.dims)); }},
          countColumn(tr("Calls"), tr("With these shapes"), [row](int r) { return row(r).row.calls; }),
          timeColumn(tr("GPU time"), tr("Of what the calls launched themselves"), timeUnitFor(most),
                     [row](int r) { return row(r).row.direct; }),
          numberColumn(tr("TFLOP/s"), tr("FLOPs by shape over GPU time"), [row](int r) { return row(r).tflops_s; }),
          numberColumn(tr("TB/s"), tr("Inputs and outputs moved once, over GPU time"),
                       [row](int r) { return row(r).tb_s; }),
          numberColumn(tr("FLOP/B"), tr("FLOPs per byte"), [row](int r) { return row(r).flops_per_byte; }),
          percentColumn(tr("Of peak %"), tr("The least time the device could take, of the time it took"), ofRoofline),
          {tr("Bound"), tr("Which limit it is nearer to"),
           [row](int r) {
               const RooflineRow& line = row(r);
               return line.bound == Bound::unknown ? u"–"_s
                      : line.is_above_peak()       ? tr("%1, above it").arg(coreText(bound_word(line.bound)))
                                                   : coreText(bound_word(line.bound));
           }}},
         rows->size(), 3);
    rooflineTable_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
}

} // namespace rankscope
