// SPDX-License-Identifier: GPL-3.0-or-later
// What a search found, as a list.
#include "widgets/panels/hits_model.h"

#include <algorithm>
#include <numeric>

#include <tbb/parallel_sort.h>

#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/number_text.h"
#include "widgets/table_text.h"
#include "widgets/time_text.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

void HitsModel::setHits(std::shared_ptr<const Run> run, std::shared_ptr<const SearchHits> hits,
                        std::shared_ptr<const HitOrder> order) {
    beginResetModel();
    run_ = std::move(run);
    hits_ = std::move(hits);
    order_ = std::move(order);
    endResetModel();
}

EventPlace HitsModel::at(std::size_t place) const {
    return hits_->at(order_ && !order_->empty() ? (*order_)[place] : place);
}

int HitsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(std::min<std::size_t>(count(), kMostRows));
}
int HitsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnEnd; }

QString HitsModel::text(const EventPlace& place, int column) const {
    const RankTrace& trace = *run_->ranks[place.rank];
    const auto from = [](std::string_view text) {
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    };
    switch (column) {
    case nameColumn: return shortNameText(trace.event_name(place.event));
    case kindColumn: return coreText(event_kind_label(trace.events.kind[place.event]));
    case rankColumn: return QString::number(trace.rank);
    case laneColumn: return from(trace.lane_of(place.event).name);
    case startColumn: return timePointText(trace.events.start[place.event] - run_->span.begin);
    case durationColumn: return timeText(trace.events.duration[place.event]);
    default: return {};
    }
}

QString HitsModel::wholeText(const EventPlace& place, int column) const {
    const RankTrace& trace = *run_->ranks[place.rank];
    const auto us = [](TimeNs time) { return decimal(QString::number(static_cast<double>(time) / 1e3, 'f', 3)); };
    switch (column) {
    case nameColumn: return nameText(trace.event_name(place.event));
    case startColumn: return us(trace.events.start[place.event] - run_->span.begin);
    case durationColumn: return us(trace.events.duration[place.event]);
    default: return text(place, column);
    }
}

QVariant HitsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !hits_)
        return {};
    const EventPlace place = at(static_cast<std::size_t>(index.row()));
    const bool isNumber = index.column() >= startColumn;
    switch (role) {
    case Qt::DisplayRole: return text(place, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    // Names come from the trace: never read them as HTML.
    case Qt::ToolTipRole:
        return isNumber ? QVariant(QString(wholeText(place, index.column()) + QStringLiteral(" µs")))
               : index.column() == nameColumn ? QVariant(toolTipText(wholeText(place, nameColumn)))
                                              : QVariant();
    case kWholeTextRole: return wholeText(place, index.column());
    default: return {};
    }
}

QVariant HitsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    const bool isNumber = section >= startColumn;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == kWholeTextRole && isNumber) // files have one unit in the column
        return section == startColumn ? tr("Start (µs)") : tr("Duration (µs)");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case nameColumn: return tr("Name");
    case kindColumn: return tr("Kind");
    case rankColumn: return tr("Rank");
    case laneColumn: return tr("Lane");
    case startColumn: return tr("Start");
    case durationColumn: return tr("Duration");
    default: return {};
    }
}

std::optional<HitOrder> orderHits(const Run& run, const SearchHits& hits, int column, bool descending,
                                  const std::stop_token& cancel) {
    HitOrder order(hits.count);
    std::iota(order.begin(), order.end(), 0U);
    const bool byStart = column == HitsModel::startColumn;
    if (!byStart && column != HitsModel::durationColumn) {
        if (descending)
            std::ranges::reverse(order);
        return order;
    }
    // The keys beside the numbers: looking each up while sorting would take far longer.
    std::vector<TimeNs> keys;
    keys.reserve(hits.count);
    for (std::size_t r = 0; r < hits.ranks.size(); ++r)
        for (const EventIndex e : hits.ranks[r])
            keys.push_back(byStart ? run.ranks[r]->events.start[e] : run.ranks[r]->events.duration[e]);
    if (cancel.stop_requested())
        return std::nullopt;
    tbb::parallel_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (keys[a] != keys[b])
            return descending ? keys[a] > keys[b] : keys[a] < keys[b];
        return a < b;
    });
    return cancel.stop_requested() ? std::nullopt : std::optional(std::move(order));
}

} // namespace rankscope
