// SPDX-License-Identifier: GPL-3.0-or-later
// What differs in the configuration of two runs.
#include "widgets/compare/config_change_model.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <QApplication>
#include <QFont>

#include "core/compare/config_influence.h"
#include "widgets/language.h"
#include "widgets/palette.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {
namespace {

/// Changed, then only in one, then equal.
int place(const ConfigEntry& entry) {
    if (entry.equal())
        return 2;
    return entry.baseline && entry.test ? 0 : 1;
}

QString sideText(const std::optional<std::string>& value) {
    return value ? QString::fromStdString(*value).simplified() : QStringLiteral("\u2013");
}

} // namespace

QString ConfigChangeModel::text(const Moved& moved) {
    const QString title = coreText(moved.metric->title);
    if (!moved.percent)
        return title;
    return QStringLiteral("%1 %2%3 %")
        .arg(title, *moved.percent < 0 ? QStringLiteral("\u2212") : QStringLiteral("+"))
        .arg(std::abs(*moved.percent), 0, 'f', 1);
}

void ConfigChangeModel::setConfigs(std::vector<ConfigEntry> entries, const std::vector<MetricChange>& changes) {
    beginResetModel();
    entries_ = std::move(entries);
    std::stable_sort(
        entries_.begin(), entries_.end(),
        [](const ConfigEntry& a, const ConfigEntry& b) { return place(a) < place(b); });
    differences_ = static_cast<int>(
        std::count_if(entries_.begin(), entries_.end(), [](const ConfigEntry& entry) { return !entry.equal(); }));
    moved_.clear();
    for (const ConfigEntry& entry : entries_) {
        std::vector<Moved>& moved = moved_.emplace_back();
        for (const MetricChange* change : may_explain(entry, changes))
            moved.push_back({change->metric, change->percent_change});
    }
    endResetModel();
}

int ConfigChangeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

int ConfigChangeModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnEnd; }

QVariant ConfigChangeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const ConfigEntry& entry = entries_[static_cast<std::size_t>(index.row())];
    if (role == equalRole)
        return entry.equal();
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole) {
        QString cell;
        switch (index.column()) {
        case keyColumn: cell = QString::fromStdString(entry.key); break;
        case baselineColumn: cell = sideText(entry.baseline); break;
        case testColumn: cell = sideText(entry.test); break;
        case influenceColumn:
            for (const Moved& moved : moved_[static_cast<std::size_t>(index.row())]) {
                if (!cell.isEmpty())
                    cell += role == Qt::ToolTipRole ? QStringLiteral("\n") : QStringLiteral(", ");
                cell += text(moved);
            }
            break;
        default:
            cell = entry.equal()     ? tr("= equal")
                   : !entry.test     ? tr("only in the baseline")
                   : !entry.baseline ? tr("only in the test")
                                     : tr("\u25c6 changed");
        }
        return role == Qt::ToolTipRole ? toolTipText(cell.left(2000)) : cell;
    }
    if (role == Qt::ForegroundRole && entry.equal())
        return QApplication::palette().color(QPalette::PlaceholderText);
    return {};
}

QVariant ConfigChangeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case keyColumn: return tr("Configuration");
    case baselineColumn: return tr("Baseline");
    case testColumn: return tr("Test");
    case influenceColumn: return tr("May explain");
    default: return tr("Status");
    }
}

} // namespace rankscope
