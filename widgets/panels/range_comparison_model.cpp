// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of several ranges beside each other.
#include "widgets/panels/range_comparison_model.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <tuple>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/basics/per_rank.h"
#include "widgets/name_text.h"
#include "widgets/panels/range_table_model.h"
#include "widgets/table_text.h"
#include "widgets/timeline/range_overlay.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

TimeNs idleOf(const RankTrace& trace, TimeRange range) {
    const EventTable& events = trace.events;
    std::vector<TimeRange> work;
    for (const Row& row : trace.rows) {
        if (row.begin >= events.gpu_count)
            break;
        const auto starts = events.start.begin();
        auto e = static_cast<EventIndex>(std::lower_bound(starts + row.begin, starts + row.end, range.begin) - starts);
        if (e > row.begin)
            --e;
        for (; e < row.end && events.start[e] < range.end; ++e)
            work.push_back(events.range(e).clipped_to(range));
    }
    return events.gpu_count == 0 ? 0 : range.length() - measure(merge(std::move(work)));
}

} // namespace

ComparedRange comparedRange(const RunClasses& classes, TimeRange range, const std::stop_token& cancel) {
    auto statistics = range_statistics(classes, range, cancel);
    if (!statistics)
        return {};
    const std::vector<TimeNs> idle =
        per_rank<TimeNs>(classes.run(), [&](const RankTrace& trace, auto) { return idleOf(trace, range); });
    return {std::make_shared<const RangeStatistics>(std::move(*statistics)),
            std::accumulate(idle.begin(), idle.end(), TimeNs{0})};
}

void RangeComparisonModel::setRanges(std::shared_ptr<const Run> run, std::vector<ComparedRange> ranges) {
    beginResetModel();
    run_ = std::move(run);
    ranges_ = std::move(ranges);
    build();
    endResetModel();
}

void RangeComparisonModel::setGrouping(RangeGrouping grouping) {
    if (grouping == grouping_)
        return;
    beginResetModel();
    grouping_ = grouping;
    build();
    endResetModel();
}

void RangeComparisonModel::build() {
    rows_.clear();
    const auto empty = [&](const QString& name, const QString& shown) {
        return Row{name, shown, std::vector<TimeNs>(ranges_.size()), std::vector<EventPlace>(ranges_.size())};
    };
    std::map<std::tuple<std::string_view, std::uint32_t, KernelClass>, Row> rows;
    for (std::size_t i = 0; i < ranges_.size(); ++i)
        for (const RangeRow& one : ranges_[i].statistics->table(grouping_)) {
            const QString name = RangeTableModel::nameOf(*run_, grouping_, one);
            const bool isKernel = grouping_ == RangeGrouping::kernel && !one.name.empty();
            Row& row = rows.try_emplace({one.name, one.rank, one.kernel_class},
                                        empty(name, isKernel ? shortNameText(one.name) : name))
                           .first->second;
            row.times[i] = one.total;
            row.longest[i] = one.longest;
        }
    if (grouping_ == RangeGrouping::kernel_class && !ranges_.empty()) {
        Row duration = empty(tr("Duration"), tr("Duration"));
        Row idle = empty(tr("GPU idle"), tr("GPU idle"));
        for (std::size_t i = 0; i < ranges_.size(); ++i) {
            duration.times[i] = ranges_[i].statistics->range.length();
            idle.times[i] = ranges_[i].idle;
        }
        rows_ = {std::move(duration), std::move(idle)};
    }
    for (auto& [key, row] : rows)
        rows_.push_back(std::move(row));
    TimeNs largest = 0;
    for (const Row& row : rows_)
        largest = std::max(largest, *std::ranges::max_element(row.times));
    unit_ = timeUnitFor(largest);
}

EventPlace RangeComparisonModel::longest(const QModelIndex& index) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    const auto ranges = static_cast<int>(ranges_.size());
    // Of a difference: in the range that it is the difference of.
    const int range = isDifference(index.column()) ? index.column() - ranges : index.column() - 1;
    if (range >= 0 && row.longest[static_cast<std::size_t>(range)].event != kNoEvent)
        return row.longest[static_cast<std::size_t>(range)];
    const auto any = std::ranges::find_if(row.longest, [](const EventPlace& e) { return e.event != kNoEvent; });
    return any == row.longest.end() ? EventPlace{} : *any;
}

int RangeComparisonModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RangeComparisonModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || ranges_.empty() ? 0 : 2 * static_cast<int>(ranges_.size());
}

TimeNs RangeComparisonModel::value(const Row& row, int column) const {
    const auto ranges = static_cast<int>(ranges_.size());
    return isDifference(column) ? row.times[static_cast<std::size_t>(column - ranges)] - row.times.front()
                                : row.times[static_cast<std::size_t>(column - 1)];
}

QVariant RangeComparisonModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    const bool isName = index.column() == nameColumn;
    const auto number = [&](bool whole) {
        const TimeNs time = value(row, index.column());
        const QString text = whole ? wholeTimeNumber(time, unit_) : timeNumber(time, unit_);
        if (whole || !isDifference(index.column()) || time == 0)
            return text;
        return QString((time > 0 ? u'+' : u'−') + timeNumber(std::abs(time), unit_));
    };
    switch (role) {
    case Qt::DisplayRole: return isName ? row.shown : number(false);
    case kWholeTextRole: return isName ? row.name : number(true);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(isName ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole: return isName ? toolTipText(row.name) : number(true);
    case RangeTableModel::kSortRole:
        return isName ? QVariant(row.name) : QVariant(static_cast<qlonglong>(value(row, index.column())));
    default: return {};
    }
}

QVariant RangeComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(section == nameColumn ? Qt::AlignLeft | Qt::AlignVCenter
                                                         : Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section != nameColumn)
        return tr("Summed over all ranks");
    if (role != Qt::DisplayRole)
        return {};
    if (section == nameColumn)
        return RangeTableModel::titleOf(grouping_);
    const QString unit = u" ("_s % timeUnitLabel(unit_) % u')';
    const auto ranges = static_cast<int>(ranges_.size());
    if (!isDifference(section))
        return QString(rangeLetter(static_cast<std::size_t>(section - 1)) % unit);
    return QString(rangeLetter(static_cast<std::size_t>(section - ranges)) % u" − "_s % rangeLetter(0) % unit);
}

} // namespace rankscope
