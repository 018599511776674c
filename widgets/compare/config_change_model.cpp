// SPDX-License-Identifier: GPL-3.0-or-later
// What differs in the configuration of two runs.
#include "widgets/compare/config_change_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <tuple>

#include <QApplication>
#include <QPalette>

#include "core/base/text_match.h"
#include "core/compare/config_influence.h"
#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/table_text.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {
namespace {

constexpr std::string_view kGpu = "trace.device";
constexpr std::string_view kGpuKey = "trace.device.";

enum class ConfigTopic { hardware, size, program, other };

ConfigTopic topicOf(std::string_view key) {
    constexpr std::array<std::string_view, 6> kHardware{"hardware", "xpu_spec", ".gpu", "host", "machine", "cluster"};
    constexpr std::array<std::string_view, 10> kProgram{"version", "driver",  "framework", "engine", "model",
                                                        "script",  "command", "argv",      "commit", "compiler"};
    if (key.starts_with(kGpu))
        return ConfigTopic::hardware;
    const auto kind = setting_kind(key);
    if (kind == SettingKind::parallelism || kind == SettingKind::pipeline || kind == SettingKind::experts)
        return ConfigTopic::size;
    const std::string lower = lower_case(key);
    if (lower.ends_with("_size") && lower.find("batch") == std::string::npos) // dp_size, world_size
        return ConfigTopic::size;
    if (contains_any(lower, kHardware))
        return ConfigTopic::hardware;
    return contains_any(lower, kProgram) ? ConfigTopic::program : ConfigTopic::other;
}

/// What tells one GPU from another first.
int placeOfGpuKey(std::string_view key) {
    constexpr std::array<std::string_view, 3> kFirst{"trace.device.name", "trace.device.totalGlobalMem",
                                                     "trace.device.numSms"};
    return static_cast<int>(std::ranges::find(kFirst, key) - kFirst.begin());
}

QString sideText(const std::optional<std::string>& value) {
    return value ? QString::fromStdString(*value).simplified() : QStringLiteral("\u2013");
}

/// "Tesla V100-SXM2-32GB, 34.1 GB, 80 SMs", of what is known.
std::optional<std::string> gpuInShort(std::span<const ConfigEntry> keys,
                                      std::optional<std::string> ConfigEntry::*side) {
    const auto value = [&](std::string_view key) -> QString {
        const auto found = std::ranges::find(keys, key, &ConfigEntry::key);
        return found != keys.end() && (*found).*side ? QString::fromStdString(*((*found).*side)) : QString();
    };
    if (std::ranges::none_of(keys, [&](const ConfigEntry& key) { return (key.*side).has_value(); }))
        return std::nullopt;
    QStringList parts;
    if (const QString name = value("trace.device.name"); !name.isEmpty())
        parts << name;
    if (const qulonglong memory = value("trace.device.totalGlobalMem").toULongLong(); memory > 0)
        parts << byteText(memory);
    if (const QString count = value("trace.device.numSms"); !count.isEmpty())
        parts << ConfigChangeModel::tr("%1 SMs").arg(count);
    return parts.isEmpty() ? "-" : parts.join(QStringLiteral(", ")).toStdString();
}

} // namespace

bool ConfigChangeModel::Row::equal() const { return entry.equal() && std::ranges::all_of(parts, &Row::equal); }

int ConfigChangeModel::Row::place() const {
    if (equal())
        return 2;
    return entry.baseline && entry.test ? 0 : 1;
}

QString ConfigChangeModel::influence(const Row& row, const QString& separator) {
    QStringList cells;
    for (const MetricChange* moved : row.moved) {
        const QString title = coreText(moved->metric->title);
        cells << (moved->percent_change
                      ? QStringLiteral("%1 %2%3 %")
                            .arg(title, *moved->percent_change < 0 ? QStringLiteral("\u2212") : QStringLiteral("+"))
                            .arg(decimal(QString::number(std::abs(*moved->percent_change), 'f', 1)))
                      : title);
    }
    return cells.join(separator);
}

QString ConfigChangeModel::status(const Row& row) {
    const auto changed = std::ranges::count_if(row.parts, [](const Row& part) { return !part.entry.equal(); });
    if (changed > 0 && row.entry.baseline && row.entry.test)
        return tr("\u25c6 changed: %1 of %2").arg(changed).arg(row.parts.size());
    return row.entry.equal()     ? tr("= equal")
           : !row.entry.test     ? tr("only in the baseline")
           : !row.entry.baseline ? tr("only in the test")
                                 : tr("\u25c6 changed");
}

void ConfigChangeModel::setConfigs(const std::vector<ConfigEntry>& entries, const std::vector<MetricChange>& changes) {
    beginResetModel();
    changes_ = changes;
    rows_.clear();
    std::vector<ConfigEntry> gpu;
    for (const ConfigEntry& entry : entries)
        if (entry.key.starts_with(kGpuKey))
            gpu.push_back(entry);
        else if (auto moved = may_explain(entry, changes_); entry.key != "run.folder" || !moved.empty())
            rows_.push_back({entry, std::move(moved)}); // a folder that names no setting is the run's name
    if (gpu.size() == 1)
        rows_.push_back({gpu.front(), may_explain(gpu.front(), changes_)});
    if (gpu.size() > 1) {
        Row row{{std::string(kGpu), gpuInShort(gpu, &ConfigEntry::baseline), gpuInShort(gpu, &ConfigEntry::test)}, {}};
        for (const ConfigEntry& entry : gpu)
            row.parts.push_back({entry, may_explain(entry, changes_)});
        std::ranges::stable_sort(
            row.parts, {}, [](const Row& part) { return std::pair(part.place(), placeOfGpuKey(part.entry.key)); });
        row.moved = row.parts.front().moved; // of one that differs, where one does: all are settings of the GPU
        rows_.push_back(std::move(row));
    }
    std::ranges::sort(rows_, {}, [](const Row& row) {
        return std::tuple(row.place(), topicOf(row.entry.key), std::string_view(row.entry.key));
    });
    differences_ = static_cast<int>(std::ranges::count_if(rows_, std::not_fn(&Row::equal)));
    endResetModel();
}

/// The id of a part's index is the row of its parent, from 1; that of others is 0.
QModelIndex ConfigChangeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr{0});
}

QModelIndex ConfigChangeModel::parent(const QModelIndex& child) const {
    return child.isValid() && child.internalId() > 0
               ? createIndex(static_cast<int>(child.internalId() - 1), 0, quintptr{0})
               : QModelIndex();
}

const ConfigChangeModel::Row& ConfigChangeModel::rowAt(const QModelIndex& index) const {
    const auto row = static_cast<std::size_t>(index.row());
    return index.internalId() > 0 ? rows_[index.internalId() - 1].parts[row] : rows_[row];
}

int ConfigChangeModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid())
        return static_cast<int>(rows_.size());
    return parent.column() == 0 && parent.internalId() == 0 ? static_cast<int>(rowAt(parent).parts.size()) : 0;
}

int ConfigChangeModel::columnCount(const QModelIndex& /*parent*/) const { return columnEnd; }

QVariant ConfigChangeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const Row& row = rowAt(index);
    const bool equal = row.equal();
    if (role == equalRole)
        return equal;
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == kWholeTextRole) {
        const bool isTip = role == Qt::ToolTipRole;
        QString cell;
        switch (index.column()) {
        case keyColumn:
            cell = QString::fromStdString(row.entry.key);
            if (!row.parts.empty() && isTip)
                cell += u'\n' + tr("%1 keys, in the rows below it when it is opened").arg(row.parts.size());
            else if (index.internalId() > 0 && role == Qt::DisplayRole)
                cell.remove(0, static_cast<qsizetype>(kGpuKey.size()));
            break;
        case baselineColumn: cell = sideText(row.entry.baseline); break;
        case testColumn: cell = sideText(row.entry.test); break;
        case influenceColumn: cell = influence(row, isTip ? QStringLiteral("\n") : QStringLiteral(", ")); break;
        default: cell = status(row);
        }
        return isTip ? toolTipText(cell.left(2000)) : cell;
    }
    if (role == Qt::ForegroundRole && equal)
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
