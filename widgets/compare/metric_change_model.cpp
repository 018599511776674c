// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics of several runs beside each other.
#include "widgets/compare/metric_change_model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <tuple>

#include <QApplication>
#include <QPalette>

#include "core/compare/run_comparison.h"
#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {
namespace {

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

/// With how far iterations spread, where that is known and more than a thousandth.
QString valueText(const std::optional<JudgedValue>& value, const FittedUnit& unit) {
    if (!value)
        return QStringLiteral("\u2013");
    const auto& [judged, spread] = *value;
    return spread && *spread >= std::abs(judged) / 1000 && *spread > 0
               ? withSpread(judged * unit.of_one, *spread * unit.of_one)
               : shortNumber(judged * unit.of_one);
}

RankBarValues byRank(const std::vector<MetricResult>& results) {
    std::map<int, std::vector<double>> values;
    for (std::size_t run = 0; run < results.size(); ++run)
        for (const auto& [rank, value] : results[run].by_rank) {
            auto& of_rank =
                values.try_emplace(rank, results.size(), std::numeric_limits<double>::quiet_NaN()).first->second;
            of_rank[run] = value;
        }
    RankBarValues bars;
    for (auto& [rank, of_runs] : values) {
        bars.ranks.push_back(rank);
        bars.values.push_back(std::move(of_runs));
    }
    return bars;
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
    std::vector<const MetricReport*> reports;
    for (const auto& run : runs) {
        labels_.push_back(QString::fromUtf8(run->label));
        reports.push_back(&run->metrics);
    }
    for (const MetricPointer& metric : metrics_of(reports)) {
        Row row{metric, Message::word(metric->title), {}, {}, {}, {}, {}, {}};
        bool known = false;
        for (const auto& run : runs) {
            const MetricResult* result = run->metrics.find(metric->id);
            row.results.push_back(result != nullptr ? *result : MetricResult::unavailable("not computed"_text()));
            known = known || row.results.back().available;
            row.values.push_back(row.results.back().available ? std::optional(row.results.back().judged())
                                                              : std::nullopt);
        }
        row.byRank = byRank(row.results);
        if (known)
            rows_.push_back(std::move(row));
    }
    for (std::size_t test = 1; test < runs.size(); ++test) {
        // What both runs have of them, by the rules of all comparisons.
        const std::vector<MetricChange> changes =
            RunComparison(runs.front()->analysis, runs.front()->metrics, runs[test]->analysis, runs[test]->metrics)
                .metrics();
        const auto change_of = [&](std::string_view id) {
            return std::ranges::find(changes, id, [](const MetricChange& change) { return change.metric->id; });
        };
        auto time = change_of("step_time");
        if (time == changes.end())
            time = change_of("iter_time");
        std::optional<double> baseline_ms, test_ms; // of an iteration
        if (time != changes.end()) {
            baseline_ms = time->baseline;
            test_ms = time->test;
        }
        for (Row& row : rows_) {
            const auto found = change_of(row.metric->id);
            row.changes.push_back(found == changes.end() ? std::nullopt : std::optional(*found));
            if (const auto& change = row.changes.back()) {
                const bool several = runs.size() > 2;
                row.title = several ? change_title_of_several(*change) : change_title(*change);
                if (!several || !change->all_steps)
                    row.values[test] = JudgedValue{change->test, change->test_spread};
                if (runs.size() == 2)
                    row.values[0] = JudgedValue{change->baseline, change->baseline_spread};
                else if (change->per_iteration)
                    row.values[0] = JudgedValue{row.results[0].per_iteration.value_or(change->baseline), {}};
            }
            row.costs.push_back(row.changes.back() && row.changes.back()->comparable
                                    ? cost_ms(*row.changes.back(), baseline_ms, test_ms)
                                    : std::nullopt);
        }
    }
    for (Row& row : rows_) {
        double largest = 0;
        for (const auto& value : row.values)
            if (value)
                largest = std::max(largest, std::abs(value->value));
        row.unit = fittedUnit(row.metric->unit, largest);
    }
    double most = 0;
    for (const Row& row : rows_)
        most = std::max(most, row.largestCost());
    std::ranges::stable_sort(rows_, std::greater<>(), [most](const Row& row) {
        const double cost = row.largestCost() > most / 1000 ? row.largestCost() : 0; // of two runs all alike, none
        return std::tuple(cost, row.moved(), row.largestPercent());
    });
    endResetModel();
}

bool MetricChangeModel::Row::unchanged() const {
    return metric->id != "step_time" && metric->id != "iter_time" &&
           std::ranges::all_of(
               changes, [](const auto& change) { return change && change->difference == 0; });
}

bool MetricChangeModel::Row::moved() const {
    return std::ranges::any_of(
        changes, [](const auto& change) { return !change || change->status != ChangeStatus::similar; });
}

double MetricChangeModel::Row::largestCost() const {
    double largest = 0;
    for (const auto& cost : costs)
        largest = std::max(largest, std::abs(cost.value_or(0)));
    return largest;
}

double MetricChangeModel::Row::largestPercent() const {
    double largest = 0;
    for (const auto& change : changes)
        if (change)
            largest = std::max(largest, std::abs(change->percent_change.value_or(0)));
    return largest;
}

int MetricChangeModel::unchanged() const { return static_cast<int>(std::ranges::count_if(rows_, &Row::unchanged)); }

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
    case valueColumn: return valueText(row.values[test + 1], row.unit);
    case changeColumn: return change && change->percent_change ? signedPercentText(*change->percent_change) : QString();
    case costColumn: return row.costs[test] ? signedTimeText(*row.costs[test] * 1e6) : QString();
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
        return messageText(row.title);
    if (column == unitColumn || column == ranksColumn)
        return unitText(row.metric->unit);
    const int run = column == baselineColumn ? 0 : (column - firstTestColumn) / testColumnEnd + 1;
    const auto& value = row.values[static_cast<std::size_t>(run)];
    if (column == baselineColumn || (column - firstTestColumn) % testColumnEnd == valueColumn)
        return value ? value->value : -1.0;
    const auto& change = row.changes[static_cast<std::size_t>(run) - 1];
    if ((column - firstTestColumn) % testColumnEnd == costColumn)
        return row.costs[static_cast<std::size_t>(run) - 1].value_or(std::numeric_limits<double>::lowest());
    if ((column - firstTestColumn) % testColumnEnd == changeColumn)
        return change && change->percent_change ? std::abs(*change->percent_change) : -1.0;
    return change ? statusRank(change->status) : 4.0;
}

QString MetricChangeModel::ranksTip(const Row& row) const {
    constexpr std::size_t kListed = 16;
    QString tip =
        tr("%1 by rank (%2): %3").arg(coreText(row.metric->title), row.unit.label, labels_.join(QStringLiteral(" | ")));
    for (std::size_t i = 0; i < std::min(kListed, row.byRank.ranks.size()); ++i) {
        QStringList values;
        for (const double value : row.byRank.values[i])
            values << (std::isnan(value) ? QStringLiteral("\u2013") : shortNumber(value * row.unit.of_one));
        tip += u'\n' + tr("rank %1: %2").arg(row.byRank.ranks[i]).arg(values.join(QStringLiteral(" | ")));
    }
    if (row.byRank.ranks.size() > kListed)
        tip += u'\n' + tr("and %1 more", nullptr, plural(std::ssize(row.byRank.ranks) - kListed))
                           .arg(row.byRank.ranks.size() - kListed);
    return tip;
}

QString MetricChangeModel::toolTip(const Row& row, int column) const {
    QString tip = coreText(row.metric->definition);
    if (column >= baselineColumn) {
        const int run = column == baselineColumn ? 0 : (column - firstTestColumn) / testColumnEnd + 1;
        const auto& value = row.values[static_cast<std::size_t>(run)];
        tip += u'\n' + labels_[run] + QStringLiteral(": ") +
               (value ? decimal(QLocale::c().toString(value->value, 'g', 10)) + u' ' + unitText(row.metric->unit)
                      : messageText(row.results[static_cast<std::size_t>(run)].reason));
        if (value && value->spread)
            tip += tr("; \u00b1 %1 between its steps (standard deviation)")
                       .arg(decimal(QLocale::c().toString(*value->spread, 'g', 4)));
        if (run > 0 && row.changes[static_cast<std::size_t>(run) - 1]) {
            const MetricChange& change = *row.changes[static_cast<std::size_t>(run) - 1];
            tip +=
                u'\n' + (change.interval ? tr("The change: %1 \u00b1 %2 (95 % interval)")
                                               .arg(decimal(QLocale::c().toString(change.difference, 'g', 4)),
                                                    decimal(QLocale::c().toString(*change.interval, 'g', 4)))
                                         : tr("No interval of the change: %1.").arg(messageText(change.no_interval)));
            if (change.within_spread() && change.difference != 0)
                tip += u'\n' + tr("The change is within its interval, so it counts as similar.");
        }
    } else if (column == ranksColumn) {
        tip = row.byRank.ranks.empty() ? tr("This metric has no value of its own for each rank.") : ranksTip(row);
    } else if (column == nameColumn) {
        tip += u'\n' + tr("Click: show the place that explains it.");
    }
    return toolTipText(tip);
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
            return messageText(row.title);
        if (column == unitColumn)
            return coreText(row.unit.label.toStdString());
        if (column == ranksColumn)
            return {};
        if (column == baselineColumn)
            return valueText(row.values.front(), row.unit);
        return testText(row, test, part);
    case Qt::TextAlignmentRole:
        if (column == nameColumn || column == unitColumn || (isTest && part == statusColumn))
            return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (column == nameColumn)
            return QApplication::palette().color(QPalette::Link);
        if (isTest && part != valueColumn && row.changes[test]) {
            const bool dark = isDark(QApplication::palette());
            if (row.changes[test]->status == ChangeStatus::better)
                return hue(Hue::good, dark);
            if (row.changes[test]->status == ChangeStatus::worse)
                return hue(Hue::bad, dark);
        }
        return {};
    case Qt::ToolTipRole: return toolTip(row, column);
    case ranksRole: return row.byRank.ranks.empty() ? QVariant() : QVariant::fromValue(row.byRank);
    case sortRole: return sortValue(row, column);
    case statusRole:
        return !row.changes.empty() && row.changes.front() ? QVariant(static_cast<int>(row.changes.front()->status))
                                                           : QVariant();
    case unchangedRole: return row.unchanged();
    case metricRole: return QString::fromUtf8(row.metric->id);
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
        case ranksColumn: return tr("By rank");
        case baselineColumn: return labels_.size() > 2 ? labels_.front() : tr("Baseline");
        default: break;
        }
        if (part == valueColumn)
            return labels_.size() > 2 ? labels_.value(static_cast<qsizetype>(run)) : tr("Test");
        return part == changeColumn ? tr("Change") : part == costColumn ? tr("Per step") : tr("Status");
    }
    if (role == Qt::ToolTipRole && section >= baselineColumn)
        return toolTipText(labels_.value(static_cast<qsizetype>(run))); // empty before the first comparison
    if (role == Qt::TextAlignmentRole && section >= baselineColumn && !(isTest && part == statusColumn))
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

} // namespace rankscope
