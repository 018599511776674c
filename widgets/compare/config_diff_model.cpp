// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/config_diff_model.h"

#include <set>

#include <QFont>

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

void ConfigDiffModel::setRuns(const std::vector<AnalysedRun>& runs) {
    beginResetModel();
    rows_.clear();
    labels_.clear();
    std::set<std::string> keys;
    for (const AnalysedRun& run : runs) {
        labels_ << QString::fromStdString(run.label);
        for (const auto& [key, value] : run.run().config)
            keys.insert(key);
    }
    for (const std::string& key : keys) {
        Setting setting{QString::fromStdString(key), {}, Difference::equal};
        for (const AnalysedRun& run : runs) {
            const auto found = run.run().config.find(key);
            setting.values.push_back(found == run.run().config.end() ? std::nullopt : std::optional(QString::fromStdString(found->second)));
        }
        std::set<QString> different;
        for (const auto& value : setting.values)
            if (value)
                different.insert(*value);
        const bool everywhere = std::ranges::all_of(setting.values, [](const auto& value) { return value.has_value(); });
        setting.difference = different.size() > 1 ? Difference::changed : everywhere ? Difference::equal : Difference::missing;
        rows_.push_back(std::move(setting));
    }
    std::ranges::stable_sort(rows_, std::less<>(), &Setting::difference);
    endResetModel();
}

int ConfigDiffModel::count(Difference difference) const {
    return static_cast<int>(std::ranges::count(rows_, difference, &Setting::difference));
}

int ConfigDiffModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(rows_.size()); }

int ConfigDiffModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || labels_.isEmpty() ? 0 : 2 + static_cast<int>(labels_.size());
}

QVariant ConfigDiffModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Setting& row = rows_[static_cast<std::size_t>(index.row())];
    const auto run = static_cast<std::size_t>(index.column()) - 1;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: {
        QString text = row.key;
        if (index.column() > 0 && run < row.values.size())
            text = row.values[run].value_or(u"–"_s);
        else if (index.column() > 0)
            text = row.difference == Difference::changed ? tr("changed") : row.difference == Difference::equal ? tr("equal") : tr("not everywhere");
        return role == Qt::ToolTipRole ? text.toHtmlEscaped() : text;
    }
    case kDifferenceRole: return static_cast<int>(row.difference);
    case Qt::FontRole:
        if (row.difference == Difference::changed && index.column() == kKeyColumn) {
            QFont font;
            font.setBold(true);
            return font;
        }
        return {};
    default: return {};
    }
}

QVariant ConfigDiffModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == kKeyColumn ? tr("Setting") : section <= labels_.size() ? labels_[section - 1] : tr("Difference");
}

} // namespace rankscope
