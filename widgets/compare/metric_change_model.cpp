// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics of several runs beside each other.
#include "widgets/compare/metric_change_model.h"

#include <cmath>

#include <QApplication>
#include <QPalette>

#include "widgets/number_text.h"
#include "widgets/palette.h"

namespace rankscope {
namespace {

QString text(std::string_view view) {
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

QString signedPercent(double percent) {
    return (percent < 0 ? QStringLiteral("\u2212") : QStringLiteral("+")) + QString::number(std::abs(percent), 'f', 1) + QStringLiteral(" %");
}

/// A sign as well as a word and a colour.
QString statusText(ChangeStatus status) {
    switch (status) {
    case ChangeStatus::better: return MetricChangeModel::tr("\u25b2 better");
    case ChangeStatus::worse: return MetricChangeModel::tr("\u25bc worse");
    case ChangeStatus::similar: return MetricChangeModel::tr("= similar");
    case ChangeStatus::changed: return MetricChangeModel::tr("\u25c6 changed");
    }
    return {};
}

double statusRank(ChangeStatus status) {
    switch (status) {
    case ChangeStatus::worse: return 0;
    case ChangeStatus::changed: return 1;
    case ChangeStatus::better: return 2;
    case ChangeStatus::similar: return 3;
    }
    return 4;
}

} // namespace

void MetricChangeModel::setRuns(const std::vector<std::shared_ptr<const AnalysedRun>>& runs) {
    beginResetModel();
    labels_.clear();
    rows_.clear();
    for (const auto& run : runs)
        labels_.push_back(text(run->label));
    for (const Metric& metric : metric_catalogue()) {
        Row row{&metric, {}, {}};
        bool known = false;
        for (const auto& run : runs) {
            const MetricResult* result = run->metrics.find(metric.id);
            row.results.push_back(result != nullptr ? *result : MetricResult::unavailable("not computed"));
            known = known || row.results.back().available;
        }
        if (known)
            rows_.push_back(std::move(row));
    }
    for (std::size_t test = 1; test < runs.size(); ++test) {
        const std::vector<MetricChange> changes = compare_metrics(runs.front()->metrics, runs[test]->metrics);
        for (Row& row : rows_) {
            const auto found = std::find_if(changes.begin(), changes.end(), [&row](const MetricChange& change) { return change.metric == row.metric; });
            row.changes.push_back(found == changes.end() ? std::nullopt : std::optional(*found));
        }
    }
    endResetModel();
}

int MetricChangeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int MetricChangeModel::columnCount(const QModelIndex& parent) const {
    if (parent.isValid())
        return 0;
    const int tests = std::max(0, static_cast<int>(labels_.size()) - 1);
    return columnOf(tests, valueColumn);
}

QVariant MetricChangeModel::testText(const Row& row, std::size_t test, TestColumn column) const {
    const auto& change = row.changes[test];
    switch (column) {
    case valueColumn: {
        const MetricResult& result = row.results[test + 1];
        return result.available ? shortNumber(result.value) : tr("\u2013");
    }
    case changeColumn: return change && change->percent_change ? signedPercent(*change->percent_change) : QString();
    case statusColumn:
        if (change)
            return statusText(change->status);
        return row.results.front().available ? tr("only in the baseline") : tr("not in the baseline");
    case testColumnEnd: break;
    }
    return {};
}

QVariant MetricChangeModel::sortValue(const Row& row, int column) const {
    if (column == nameColumn)
        return text(row.metric->title);
    if (column == unitColumn)
        return text(row.metric->unit);
    const int run = column == baselineColumn ? 0 : (column - firstTestColumn) / testColumnEnd + 1;
    const MetricResult& result = row.results[static_cast<std::size_t>(run)];
    if (column == baselineColumn || (column - firstTestColumn) % testColumnEnd == valueColumn)
        return result.available ? result.value : -1.0;
    const auto& change = row.changes[static_cast<std::size_t>(run) - 1];
    if ((column - firstTestColumn) % testColumnEnd == changeColumn)
        return change && change->percent_change ? std::abs(*change->percent_change) : -1.0;
    return change ? statusRank(change->status) : 4.0;
}

QString MetricChangeModel::toolTip(const Row& row, int column) const {
    QString tip = text(row.metric->definition);
    if (column >= baselineColumn) {
        const int run = column == baselineColumn ? 0 : (column - firstTestColumn) / testColumnEnd + 1;
        const MetricResult& result = row.results[static_cast<std::size_t>(run)];
        tip += u'\n' + labels_[static_cast<std::size_t>(run)] + QStringLiteral(": ") +
               (result.available ? QLocale::c().toString(result.value, 'g', 10) + u' ' + text(row.metric->unit) : text(result.reason));
    }
    return tip.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")).prepend(QStringLiteral("<qt>")).append(QStringLiteral("</qt>"));
}

QVariant MetricChangeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const bool isTest = column >= firstTestColumn;
    const auto test = static_cast<std::size_t>(isTest ? (column - firstTestColumn) / testColumnEnd : 0);
    const auto part = static_cast<TestColumn>(isTest ? (column - firstTestColumn) % testColumnEnd : 0);
    switch (role) {
    case Qt::DisplayRole:
        if (column == nameColumn)
            return text(row.metric->title);
        if (column == unitColumn)
            return text(row.metric->unit);
        if (column == baselineColumn)
            return row.results.front().available ? shortNumber(row.results.front().value) : tr("\u2013");
        return testText(row, test, part);
    case Qt::TextAlignmentRole:
        if (column == nameColumn || column == unitColumn || (isTest && part == statusColumn))
            return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (isTest && part != valueColumn && row.changes[test]) {
            const bool dark = isDark(QApplication::palette());
            if (row.changes[test]->status == ChangeStatus::better)
                return hue(Hue::good, dark);
            if (row.changes[test]->status == ChangeStatus::worse)
                return hue(Hue::bad, dark);
        }
        return {};
    case Qt::ToolTipRole: return toolTip(row, column);
    case sortRole: return sortValue(row, column);
    case statusRole: return !row.changes.empty() && row.changes.front() ? QVariant(static_cast<int>(row.changes.front()->status)) : QVariant();
    case metricRole: return text(row.metric->id);
    default: return {};
    }
}

QVariant MetricChangeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const bool isTest = section >= firstTestColumn;
    const int part = isTest ? (section - firstTestColumn) % testColumnEnd : 0;
    const std::size_t run = isTest ? static_cast<std::size_t>((section - firstTestColumn) / testColumnEnd) + 1 : 0;
    if (role == Qt::DisplayRole) {
        switch (section) {
        case nameColumn: return tr("Metric");
        case unitColumn: return tr("Unit");
        case baselineColumn: return labels_.size() > 2 ? labels_.front() : tr("Baseline");
        default: break;
        }
        if (part == valueColumn)
            return labels_.size() > 2 ? labels_[run] : tr("Test");
        return part == changeColumn ? tr("Change") : tr("Status");
    }
    if (role == Qt::ToolTipRole && section >= baselineColumn)
        return labels_[run].toHtmlEscaped();
    if (role == Qt::TextAlignmentRole && section >= baselineColumn && !(isTest && part == statusColumn))
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

} // namespace rankscope
