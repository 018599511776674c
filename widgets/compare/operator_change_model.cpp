// SPDX-License-Identifier: GPL-3.0-or-later
// Operators and kernels of two runs.
#include "widgets/compare/operator_change_model.h"

#include <cmath>
#include <optional>

#include <QApplication>

#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"
#include "widgets/table_text.h"
#include "widgets/time_text.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {
namespace {

double cost(const OperatorChange& change) { return change.test.time_us - change.baseline.time_us; }
double mean(const NameTotal& total) { return total.count > 0 ? total.time_us / total.count : 0; }

/// Change of the mean duration, per cent; nothing where one run has none.
std::optional<double> meanChange(const OperatorChange& change) {
    const double before = mean(change.baseline);
    if (before <= 0 || change.test.count <= 0)
        return std::nullopt;
    return 100 * (mean(change.test) - before) / before;
}

/// Calls of a rank: a mean over the ranks, and mostly whole.
QString countText(double count) {
    return count == std::trunc(count) && std::abs(count) < 1e15 ? groupedNumber(static_cast<std::int64_t>(count))
                                                                : shortNumber(count);
}

QVariant sortValue(const OperatorChange& change, int column) {
    switch (column) {
    case OperatorChangeModel::nameColumn: return QString::fromStdString(change.name);
    case OperatorChangeModel::deviceColumn: return static_cast<int>(change.device);
    case OperatorChangeModel::baselineCountColumn: return change.baseline.count;
    case OperatorChangeModel::testCountColumn: return change.test.count;
    case OperatorChangeModel::baselineTimeColumn: return change.baseline.time_us;
    case OperatorChangeModel::testTimeColumn: return change.test.time_us;
    case OperatorChangeModel::costColumn: return std::abs(cost(change));
    case OperatorChangeModel::meanColumn: return meanChange(change).value_or(0);
    default: return static_cast<int>(change.status);
    }
}

QString display(const OperatorChange& change, int column) {
    switch (column) {
    case OperatorChangeModel::nameColumn: return shortNameText(change.name);
    case OperatorChangeModel::deviceColumn:
        return change.device == DiffDevice::gpu ? OperatorChangeModel::tr("GPU") : OperatorChangeModel::tr("CPU");
    case OperatorChangeModel::baselineCountColumn: return countText(change.baseline.count);
    case OperatorChangeModel::testCountColumn: return countText(change.test.count);
    case OperatorChangeModel::baselineTimeColumn: return timeTextOfUs(change.baseline.time_us);
    case OperatorChangeModel::testTimeColumn: return timeTextOfUs(change.test.time_us);
    case OperatorChangeModel::costColumn: return signedTimeText(cost(change) * 1000);
    case OperatorChangeModel::meanColumn: {
        const auto percent = meanChange(change);
        return percent ? signedPercentText(*percent) : QStringLiteral("\u2013");
    }
    default: return coreText(operator_status_word(change.status));
    }
}

} // namespace

void OperatorChangeModel::setChanges(std::vector<OperatorChange> changes, bool perStep) {
    beginResetModel();
    changes_ = std::move(changes);
    perStep_ = perStep;
    QStringList names;
    for (const OperatorChange& change : changes_)
        names << shortNameText(change.name);
    differences_ = placesOfDifference(names);
    endResetModel();
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnEnd - 1);
}

int OperatorChangeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(changes_.size());
}

int OperatorChangeModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnEnd; }

QVariant OperatorChangeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const OperatorChange& change = changes_[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return display(change, index.column());
    case Qt::TextAlignmentRole:
        if (index.column() >= baselineCountColumn && index.column() <= meanColumn)
            return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
        return {};
    case Qt::ForegroundRole:
        if (index.column() == costColumn && cost(change) != 0)
            return hue(cost(change) > 0 ? Hue::bad : Hue::good, isDark(QApplication::palette()));
        return {};
    case Qt::ToolTipRole:
        if (change.shortened)
            return toolTipText(tr("Matched by the shortened name.\nBaseline: %1\nTest: %2")
                                   .arg(QString::fromStdString(change.name).left(1000),
                                        QString::fromStdString(change.test_name).left(1000)));
        return toolTipText(QString::fromStdString(change.name).left(1000));
    case kWholeTextRole: return index.column() == nameColumn ? QVariant(nameText(change.name)) : QVariant();
    case kDifferenceRole: return differences_[static_cast<std::size_t>(index.row())];
    case sortRole: return sortValue(change, index.column());
    case deviceRole: return static_cast<int>(change.device);
    case statusRole: return static_cast<int>(change.status);
    default: return {};
    }
}

QVariant OperatorChangeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnEnd)
        return {};
    static const char* const titles[] = {QT_TR_NOOP("Operator or kernel"),
                                         QT_TR_NOOP("Device"),
                                         QT_TR_NOOP("Baseline calls"),
                                         QT_TR_NOOP("Test calls"),
                                         QT_TR_NOOP("Baseline time"),
                                         QT_TR_NOOP("Test time"),
                                         QT_TR_NOOP("Cost"),
                                         QT_TR_NOOP("Mean change"),
                                         QT_TR_NOOP("Calls")};
    static const char* const tips[] = {
        QT_TR_NOOP("Matched by name, then without template arguments and addresses"),
        QT_TR_NOOP("Where it ran"),
        QT_TR_NOOP("Calls per rank"),
        QT_TR_NOOP("Calls per rank"),
        QT_TR_NOOP("Summed duration per rank"),
        QT_TR_NOOP("Summed duration per rank"),
        QT_TR_NOOP("Test \u2212 baseline, per rank: what the change costs. Sorted by size, whatever the sign"),
        QT_TR_NOOP("Change of the mean duration of one call"),
        QT_TR_NOOP("Added, removed, more or fewer calls")};
    const bool ofSteps = perStep_ && section >= baselineCountColumn && section <= costColumn;
    if (role == Qt::DisplayRole)
        return ofSteps ? tr("%1\na step").arg(tr(titles[section])) : tr(titles[section]);
    if (role == Qt::ToolTipRole)
        return ofSteps ? tr("%1. Of one step, on average").arg(tr(tips[section])) : tr(tips[section]);
    if (role == Qt::TextAlignmentRole && section >= baselineCountColumn && section <= meanColumn)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

} // namespace rankscope
