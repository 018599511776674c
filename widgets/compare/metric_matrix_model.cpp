// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/metric_matrix_model.h"

#include <limits>

#include <QApplication>

#include "widgets/number_text.h"
#include "widgets/palette.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

QString word(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

/// Six digits, and never an exponent for what is large.
QString numberText(double value) {
    return std::abs(value) >= 1e5 ? QLocale::c().toString(value, 'f', 0).remove(u',') : QLocale::c().toString(value, 'g', 6);
}

QString changeText(double percent) { return (percent > 0 ? u"+"_s : QString()) + QLocale::c().toString(percent, 'f', 2); }

/// A change that has no percentage, from nothing to something, is the largest there is.
double sizeOf(const std::optional<MetricChange>& change) {
    if (!change)
        return -1;
    return change->percent_change ? std::abs(*change->percent_change) : std::numeric_limits<double>::infinity();
}

} // namespace

void MetricMatrixModel::setRuns(const std::vector<AnalysedRun>& runs) {
    beginResetModel();
    std::vector<const MetricReport*> reports;
    labels_.clear();
    for (const AnalysedRun& run : runs) {
        reports.push_back(&run.metrics);
        labels_ << QString::fromStdString(run.label);
    }
    rows_ = reports.empty() ? std::vector<MetricRow>() : metric_matrix(reports);
    endResetModel();
}

MetricMatrixModel::Place MetricMatrixModel::placeOf(int column) {
    if (column <= firstValueColumn)
        return {};
    const int behind = column - columnsBeforeTests;
    return {static_cast<std::size_t>(behind / columnsOfTest) + 1, behind % columnsOfTest};
}

int MetricMatrixModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(rows_.size()); }

int MetricMatrixModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || labels_.isEmpty() ? 0 : columnsBeforeTests + columnsOfTest * static_cast<int>(labels_.size() - 1);
}

QVariant MetricMatrixModel::cell(const MetricRow& row, Place place, bool forSorting) const {
    const auto& value = row.values[place.run];
    const auto& change = row.changes[place.run];
    switch (place.column) {
    case valueOfTest:
        if (forSorting)
            return value.value_or(std::numeric_limits<double>::lowest());
        return value ? numberText(*value) : u"–"_s;
    case changeOfTest:
        if (forSorting)
            return sizeOf(change);
        return !change ? u"–"_s : change->percent_change ? changeText(*change->percent_change) : tr("from 0");
    default: return change ? word(change_status_word(change->status)) : QString();
    }
}

QVariant MetricMatrixModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const MetricRow& row = rows_[static_cast<std::size_t>(index.row())];
    const Place place = placeOf(index.column());
    const bool words = index.column() < firstValueColumn || (place.run > 0 && place.column == statusOfTest);
    switch (role) {
    case Qt::DisplayRole:
    case kSortRole:
        if (index.column() == metricColumn)
            return QString::fromStdString(row.metric->title);
        if (index.column() == unitColumn)
            return QString::fromStdString(row.metric->unit);
        return cell(row, place, role == kSortRole);
    case kStatusRole: {
        QStringList statuses;
        for (const auto& change : row.changes)
            if (change)
                statuses << word(change_status_word(change->status));
        return statuses;
    }
    case Qt::TextAlignmentRole: return QVariant::fromValue((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole: return QString::fromStdString(row.metric->definition).toHtmlEscaped();
    case Qt::ForegroundRole:
        if (place.run > 0 && place.column == statusOfTest && row.changes[place.run]) {
            const bool dark = isDark(QApplication::palette());
            if (row.changes[place.run]->status == ChangeStatus::better)
                return hue(Hue::good, dark);
            if (row.changes[place.run]->status == ChangeStatus::worse)
                return hue(Hue::bad, dark);
        }
        return {};
    default: return {};
    }
}

QVariant MetricMatrixModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole) {
        const bool words = section < firstValueColumn || (placeOf(section).run > 0 && placeOf(section).column == statusOfTest);
        return QVariant::fromValue((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    if (section == metricColumn)
        return tr("Metric");
    if (section == unitColumn)
        return tr("Unit");
    const Place place = placeOf(section);
    const QString label = labels_[static_cast<qsizetype>(place.run)];
    if (role == Qt::ToolTipRole)
        return label.toHtmlEscaped();
    return place.column == valueOfTest ? label : place.column == changeOfTest ? tr("Change %") : tr("Status");
}

} // namespace rankscope
