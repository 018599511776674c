// SPDX-License-Identifier: GPL-3.0-or-later
// Collective calls as a table.
#include "widgets/screens/collective_call_model.h"
#include "widgets/name_text.h"
#include "widgets/table_text.h"
#include "widgets/tool_tip_text.h"
#include "widgets/wait_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Heading {
    const char* title;
    const char* tip;
    bool number;
};
constexpr std::array<Heading, kCallColumnCount> kHeadings{{
    {QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Call"),
     QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "In order of the first arrival"), true},
    {QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Start"),
     QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "First arrival, from the run's first event"), true},
    {QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Name"),
     QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "As recorded; else what the kernel's name says"), false},
    {QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Kind"),
     QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "What it does"), false},
    {QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Group"),
     QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Process group"), false},
    {QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Dim."),
     QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Dimension of the parallel mesh that the group serves"),
     false},
    {QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Type"),
     QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Type of the elements"), false},
    {QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Size"),
     QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "The whole message of a member"), true},
    {QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Bus GB/s"),
     QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Bus bandwidth as nccl-tests counts it, 10⁹ bytes a second"),
     true},
    {QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Transfer"),
     QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel",
                       "Duration of the shortest kernel. The others last longer: they wait for the last rank"),
     true},
    {QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Lag"),
     QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Last arrival after the first"), true},
    {QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Last rank"),
     QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "The rank that the others waited for"), true},
    {QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Cause"),
     QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel",
                       "The rank whose delay started the waiting in this call, and what it did; the last rank may "
                       "have waited for it itself"),
     false},
    {QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Ranks"),
     QT_TRANSLATE_NOOP("rankscope::CollectiveCallModel", "Members that are in the trace"), true},
}};

/// Names come from the trace: one line, and not a whole screen of it.
} // namespace

void CollectiveCallModel::setCalls(std::shared_ptr<const CollectiveCalls> calls,
                                   std::shared_ptr<const std::vector<std::uint32_t>> order) {
    beginResetModel();
    calls_ = std::move(calls);
    order_ = std::move(order);
    TimeNs longest = 0;
    TimeNs latest = 0;
    for (std::size_t i = 0; calls_ && i < calls_->size(); ++i) {
        longest = std::max(longest, calls_->timing(i).latency);
        if (!calls_->timing(i).alone)
            latest = std::max(latest, calls_->timing(i).start_skew);
    }
    unit_ = timeUnitFor(longest);
    lagUnit_ = timeUnitFor(latest);
    startUnit_ = calls_ ? timeUnitFor(calls_->analysis->run().span.length()) : TimeUnit::milliseconds;
    endResetModel();
}

int CollectiveCallModel::rowOf(std::uint32_t call) const {
    const auto found = order_ ? std::ranges::find(*order_, call) : std::vector<std::uint32_t>::const_iterator();
    return !order_ || found == order_->end() ? -1 : static_cast<int>(found - order_->begin());
}

int CollectiveCallModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !order_ ? 0 : static_cast<int>(order_->size());
}

int CollectiveCallModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kCallColumnCount);
}

QString CollectiveCallModel::text(std::uint32_t call, CallColumn column, bool whole) const {
    const CollectiveTiming& timing = calls_->timing(call);
    const ListedCall& kind = calls_->calls[call];
    const Run& run = calls_->analysis->run();
    const auto time = whole ? wholeTimeNumber : timeNumber;
    switch (column) {
    case CallColumn::number: return QString::number(call + 1);
    case CallColumn::start: return time(timing.start - run.span.begin, startUnit_);
    case CallColumn::word: return nameText(calls_->words[kind.word]);
    case CallColumn::kind: return QString::fromUtf8(collective_kind_word(timing.kind));
    case CallColumn::group: return nameText(group_title(calls_->group(call)));
    case CallColumn::dimension:
        return kind.dimension == ParallelDimension::unknown
                   ? u"–"_s
                   : QString::fromUtf8(parallel_dimension_word(kind.dimension));
    case CallColumn::dtype: return kind.dtype == 0 ? u"–"_s : nameText(run.names->view(kind.dtype));
    case CallColumn::bytes: return timing.bytes == kUnknown ? u"–"_s : byteText(static_cast<quint64>(timing.bytes));
    case CallColumn::busbw: return std::isnan(timing.busbw) ? u"–"_s : shortNumber(timing.busbw);
    case CallColumn::duration: return time(timing.latency, unit_);
    case CallColumn::lag: return timing.alone ? u"–"_s : time(timing.start_skew, lagUnit_);
    case CallColumn::last_rank:
        return is_last_rank_known(timing) ? QString::number(run.ranks[timing.last_rank]->rank) : u"–"_s;
    case CallColumn::origin: {
        const WaitOrigin* origin = origin_of_waits(*calls_, call);
        return origin == nullptr
                   ? u"–"_s
                   : tr("rank %1, %2").arg(run.ranks[origin->rank]->rank).arg(waitCauseText(origin->cause));
    }
    case CallColumn::ranks: return QString::number(timing.members.size());
    }
    return {};
}

QString CollectiveCallModel::kernelDurations(std::uint32_t call) const {
    return tr("The kernels of this call last %1 to %2, with the wait for the last rank.")
        .arg(timeText(calls_->timing(call).latency), timeText(calls_->timing(call).longest));
}

QVariant CollectiveCallModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto column = static_cast<CallColumn>(index.column());
    if (role == Qt::DisplayRole || role == kWholeTextRole)
        return text(call(index.row()), column, role == kWholeTextRole);
    if (role == Qt::TextAlignmentRole)
        return QVariant((kHeadings[static_cast<std::size_t>(column)].number ? Qt::AlignRight : Qt::AlignLeft) |
                        Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && (column == CallColumn::word || column == CallColumn::group))
        return toolTipText(text(call(index.row()), column));
    if (role == Qt::ToolTipRole && (column == CallColumn::start || column == CallColumn::lag))
        return text(call(index.row()), column, true);
    if (role == Qt::ToolTipRole && column == CallColumn::duration)
        return kernelDurations(call(index.row()));
    return {};
}

QVariant CollectiveCallModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Heading& heading = kHeadings[static_cast<std::size_t>(section)];
    const auto column = static_cast<CallColumn>(section);
    switch (role) {
    case Qt::DisplayRole: {
        const std::optional<TimeUnit> unit = column == CallColumn::start      ? std::optional(startUnit_)
                                             : column == CallColumn::duration ? std::optional(unit_)
                                             : column == CallColumn::lag      ? std::optional(lagUnit_)
                                                                              : std::nullopt;
        return unit ? QString(tr(heading.title) % u" ("_s % timeUnitLabel(*unit) % u')') : tr(heading.title);
    }
    case Qt::ToolTipRole: return tr(heading.tip);
    case Qt::TextAlignmentRole: return QVariant((heading.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default: return {};
    }
}

} // namespace rankscope
