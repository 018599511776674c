// SPDX-License-Identifier: GPL-3.0-or-later
// Which collective calls a screen shows.
#include "widgets/screens/call_filter_bar.h"

#include <algorithm>
#include <optional>
#include <set>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

#include "widgets/flow_layout.h"
#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/time_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kCollectivesOnly = -2; // of the kinds
constexpr int kAll = -1;

/// Fills a choice; `chosen` is the text that stays where it is there, else the first item is chosen.
void fill(QComboBox& box, const std::vector<std::pair<QString, int>>& items) {
    const QSignalBlocker quiet(box);
    const QString chosen = box.currentText();
    box.clear();
    for (const auto& [title, value] : items)
        box.addItem(title, value);
    box.setCurrentIndex(std::max(0, box.findText(chosen)));
}

template <typename Value>
std::optional<Value> valueOf(const QComboBox& box) {
    const int value = box.currentData().toInt();
    return box.currentIndex() < 0 || value < 0 ? std::nullopt : std::optional(static_cast<Value>(value));
}

/// "mesh_tp · ranks 0, 1, 2, 3 …": groups of a dimension have one description.
QString groupChoice(const CommGroup& group) {
    constexpr std::size_t kMostRanks = 4;
    QStringList ranks;
    for (std::size_t i = 0; i < std::min(kMostRanks, group.ranks.size()); ++i)
        ranks << QString::number(group.ranks[i]);
    if (group.ranks.size() > kMostRanks)
        ranks << u"… %1"_s.arg(group.ranks.back());
    const QString title = QString::fromUtf8(group_title(group)).left(60).simplified();
    return ranks.isEmpty() ? title : CallFilterBar::tr("%1 (ranks %2)").arg(title, ranks.join(u", "_s));
}

} // namespace

CallFilterBar::CallFilterBar(QWidget* parent)
    : QWidget(parent), kind_(new QComboBox), dimension_(new QComboBox), group_(new QComboBox), text_(new QLineEdit),
      count_(new QLabel) {
    auto* layout = new FlowLayout(this); // in a narrow window two lines
    layout->setContentsMargins(0, 0, 0, 0);
    for (const auto& [box, name] : {std::pair(kind_, tr("Kind of collective")),
                                    {dimension_, tr("Dimension of parallelism")},
                                    {group_, tr("Process group")}}) {
        box->setAccessibleName(name);
        box->setToolTip(name);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setMaximumWidth(240);
        layout->addWidget(box);
        connect(box, &QComboBox::currentIndexChanged, this, &CallFilterBar::filterChanged);
    }
    text_->setPlaceholderText(tr("Filter by name, group or type"));
    text_->setAccessibleName(tr("Filter calls by text"));
    text_->setClearButtonEnabled(true);
    text_->setFixedWidth(text_->fontMetrics().horizontalAdvance(text_->placeholderText()) + 40);
    layout->addWidget(text_);
    count_->setForegroundRole(QPalette::PlaceholderText);
    count_->setAccessibleName(tr("Calls shown"));
    layout->addWidget(count_);
    connect(text_, &QLineEdit::textChanged, this, &CallFilterBar::filterChanged);
}

void CallFilterBar::setCalls(const CollectiveCalls& calls) {
    std::set<CollectiveKind> kinds;
    std::set<ParallelDimension> dimensions;
    std::set<std::uint32_t> groups;
    bool collectives = false;
    bool messages = false;
    bool unknown = false;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        kinds.insert(calls.timing(i).kind);
        dimensions.insert(calls.calls[i].dimension);
        groups.insert(calls.timing(i).group);
        (calls.group(i).point_to_point ? messages : is_unknown_call(calls.timing(i)) ? unknown : collectives) = true;
    }
    std::vector<std::pair<QString, int>> items;
    if (collectives && (messages || unknown))
        items = {{tr("All collectives"), kCollectivesOnly},
                 {unknown ? tr("All calls, also of unknown kind") : tr("Collectives and messages"), kAll}};
    else
        items = {{collectives || !messages ? tr("All collectives") : tr("All messages"), kAll}};
    for (const CollectiveKind kind : kinds)
        items.emplace_back(QString::fromUtf8(collective_kind_word(kind)), static_cast<int>(kind));
    fill(*kind_, items);
    items = {{tr("All dimensions"), kAll}};
    for (const ParallelDimension dimension : dimensions)
        items.emplace_back(dimension == ParallelDimension::unknown
                               ? tr("unknown dimension")
                               : QString::fromUtf8(parallel_dimension_word(dimension)),
                           static_cast<int>(dimension));
    fill(*dimension_, items);
    dimension_->setVisible(dimensions.size() > 1);
    items = {{tr("All groups"), kAll}};
    for (const std::uint32_t group : groups)
        items.emplace_back(groupChoice(calls.analysis->collectives().groups[group]), static_cast<int>(group));
    fill(*group_, items);
    group_->setVisible(groups.size() > 1);
}

CallFilter CallFilterBar::filter() const {
    CallFilter filter;
    filter.kind = valueOf<CollectiveKind>(*kind_);
    filter.messages = kind_->currentData().toInt() != kCollectivesOnly;
    filter.dimension = valueOf<ParallelDimension>(*dimension_);
    filter.group = valueOf<std::uint32_t>(*group_);
    filter.unknown = filter.messages || filter.group;
    filter.text = text_->text().trimmed().toStdString();
    return filter;
}

void CallFilterBar::setCount(std::size_t shown, std::size_t all, std::size_t kernels) {
    const auto number = [](std::size_t value) { return groupedNumber(static_cast<std::int64_t>(value)); };
    const QString calls = shown == all ? callCountText(static_cast<std::int64_t>(all))
                                       : tr("%1 of %2 calls", nullptr, plural(all)).arg(number(shown), number(all));
    count_->setText(kernels == 1
                        ? tr("%1 (1 kernel on all ranks)").arg(calls)
                        : tr("%1 (%2 kernels on all ranks)", nullptr, plural(kernels)).arg(calls, number(kernels)));
}

QString CallFilterBar::count() const { return count_->text(); }

} // namespace rankscope
