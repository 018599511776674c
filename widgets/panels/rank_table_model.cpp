// SPDX-License-Identifier: GPL-3.0-or-later
// One row per rank: the numbers behind the bars.
#include "widgets/panels/rank_table_model.h"

#include <algorithm>
#include <set>
#include <span>

#include <QItemSelectionModel>

#include "core/trace/step_ends.h"
#include "widgets/table_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

QString deviceName(const RankTrace& trace) {
    const auto id = trace.device();
    const auto device = std::ranges::find(trace.devices, id, &Device::id);
    if (device == trace.devices.end())
        return id < 0 ? QString() : RankTableModel::tr("GPU %1").arg(id);
    return RankTableModel::tr("GPU %1, %2").arg(id).arg(QString::fromStdString(device->name));
}

/// The model's name is in the window's header when all ranks share it; then the GPU's number is enough here.
bool hasSeveralModels(const Run& run) {
    std::set<std::string> names;
    for (const auto& rank : run.ranks)
        for (const Device& device : rank->devices)
            names.insert(device.name);
    return names.size() > 1;
}

/// The table's columns are narrower than the legend's words; the tooltip has them in full.
QString headerLabel(RankPart part) {
    switch (part) {
    case RankPart::compute: return RankTableModel::tr("Compute\nonly");
    case RankPart::overlap: return RankTableModel::tr("Overlapped\n");
    case RankPart::communication: return RankTableModel::tr("Comm. and\nwaiting");
    case RankPart::memoryCopy: return RankTableModel::tr("Memory\ncopy");
    case RankPart::idle: return RankTableModel::tr("Idle\n");
    }
    return {};
}

std::optional<TimeNs> meanStep(const RankAnalysis& rank) {
    TimeNs sum = 0;
    TimeNs steps = 0;
    for (const ProfilerStep& step : rank.steps)
        if (has_known_end(*rank.trace, step.number)) {
            sum += step.range.length();
            ++steps;
        }
    return steps == 0 ? std::nullopt : std::optional(sum / steps);
}

std::optional<RankPart> partOf(int column) {
    const int part = column - RankTableModel::firstPartColumn;
    if (part < 0 || part >= static_cast<int>(kRankPartCount))
        return std::nullopt;
    return kRankParts[static_cast<std::size_t>(part)];
}

} // namespace

void RankTableModel::setAnalysis(std::shared_ptr<const RunAnalysis> analysis) {
    beginResetModel();
    rows_.clear();
    TimeNs longest = 0;
    if (analysis) {
        const bool several = hasSeveralModels(analysis->run());
        for (const RankAnalysis& rank : analysis->ranks()) {
            Row row{rankShare(rank), several ? deviceName(*rank.trace) : deviceName(*rank.trace).section(u',', 0, 0),
                    meanStep(rank), 0, 0};
            for (const GpuSlice& slice : rank.gpu_work) {
                if (rank.trace->events.kind[slice.event] != EventKind::kernel)
                    continue;
                ++row.kernels;
                if (slice.kernel_class == KernelClass::communication)
                    ++row.communicationKernels;
            }
            longest = std::max({longest, row.share.total, row.iteration.value_or(0)});
            rows_.push_back(std::move(row));
        }
    }
    unit_ = timeUnitFor(longest);
    endResetModel();
}

void RankTableModel::setPercent(bool percent) {
    if (percent == percent_)
        return;
    percent_ = percent;
    if (!rows_.empty())
        Q_EMIT dataChanged(index(0, firstPartColumn), index(rowCount() - 1, kernelsColumn - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, firstPartColumn, kernelsColumn - 1);
}

int RankTableModel::rowOfRank(int rank) const {
    const auto row = std::ranges::find(rows_, rank, [](const Row& r) { return r.share.rank; });
    return row == rows_.end() ? -1 : static_cast<int>(row - rows_.begin());
}

int RankTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int RankTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnEnd; }

QString RankTableModel::text(const Row& row, int column, bool whole) const {
    const auto time = whole ? wholeTimeNumber : timeNumber;
    if (const auto part = partOf(column))
        return percent_ ? fourDigits(row.share.percent(*part), 2) : time(row.share.part(*part), unit_);
    switch (column) {
    case rankColumn: return QString::number(row.share.rank);
    case deviceColumn: return row.device;
    case iterationColumn: return row.iteration ? time(*row.iteration, unit_) : u"–"_s;
    case totalColumn: return time(row.share.total, unit_);
    case kernelsColumn: return QString::number(row.kernels);
    case communicationKernelsColumn: return QString::number(row.communicationKernels);
    default: return {};
    }
}

QVariant RankTableModel::sortKey(const Row& row, int column) const {
    if (const auto part = partOf(column))
        return percent_ ? QVariant(row.share.percent(*part)) : QVariant(static_cast<qlonglong>(row.share.part(*part)));
    switch (column) {
    case rankColumn: return row.share.rank;
    case deviceColumn: return row.device;
    case iterationColumn: return static_cast<qlonglong>(row.iteration.value_or(-1));
    case totalColumn: return static_cast<qlonglong>(row.share.total);
    case kernelsColumn: return row.kernels;
    case communicationKernelsColumn: return row.communicationKernels;
    default: return {};
    }
}

QVariant RankTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return text(row, index.column(), false);
    case kWholeTextRole: return text(row, index.column(), true);
    case Qt::ToolTipRole: return index.column() < kernelsColumn ? text(row, index.column(), true) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(index.column() == deviceColumn ? Qt::AlignLeft | Qt::AlignVCenter
                                                                  : Qt::AlignRight | Qt::AlignVCenter);
    case kSortRole: return sortKey(row, index.column());
    case kRankRole: return row.share.rank;
    default: return {};
    }
}

QVariant RankTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    const auto part = partOf(section);
    if (role == Qt::ToolTipRole && part)
        return QString(rankPartLabel(*part) % u": "_s % rankPartDefinition(*part));
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(section == deviceColumn ? Qt::AlignLeft | Qt::AlignVCenter
                                                           : Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const QString unit = u" ("_s % timeUnitLabel(unit_) % u')';
    if (part)
        return QString(headerLabel(*part) % (percent_ ? u" (%)"_s : unit));
    switch (section) {
    case rankColumn: return tr("Rank");
    case deviceColumn: return tr("Device");
    case iterationColumn: return QString(tr("Host\nstep") % unit);
    case totalColumn: return QString(tr("GPU\ntime") % unit);
    case kernelsColumn: return tr("Kernels");
    case communicationKernelsColumn: return tr("Comm.\nkernels");
    default: return {};
    }
}

QString selectionAsTsv(const QItemSelectionModel& selection) {
    const QAbstractItemModel* model = selection.model();
    QModelIndexList rows = selection.selectedRows();
    std::ranges::sort(rows, {}, [](const QModelIndex& index) { return index.row(); });
    QStringList lines;
    QStringList cells;
    for (int column = 0; column < model->columnCount(); ++column)
        cells << model->headerData(column, Qt::Horizontal).toString().replace(u'\n', u' ').simplified();
    lines << cells.join(u'\t');
    for (const QModelIndex& row : rows) {
        cells.clear();
        for (int column = 0; column < model->columnCount(); ++column)
            cells << row.siblingAtColumn(column).data(kWholeTextRole).toString();
        lines << cells.join(u'\t');
    }
    return lines.join(u'\n') + u'\n';
}

} // namespace rankscope
