// SPDX-License-Identifier: GPL-3.0-or-later
// How the user arranged the timeline's lanes.
#include "widgets/timeline/lane_arrangement.h"

#include <algorithm>
#include <array>

#include <QJsonArray>

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::array kGroupWords{"streams"_L1, "counters"_L1, "annotations"_L1, "threads"_L1};
constexpr std::array kColourWords{"class"_L1, "name"_L1, "operator"_L1, "deviation"_L1};
constexpr std::array kHeightWords{"fit"_L1, "compact"_L1, "normal"_L1, "tall"_L1};

template <typename Words>
std::optional<std::size_t> indexOf(const Words& words, const QString& word) {
    const auto found = std::find(words.begin(), words.end(), word);
    return found == words.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - words.begin()));
}

/// {"rank": 3}, {"rank": 3, "group": "threads"}, {"rank": 3, "group": "streams", "lane": 1}
QJsonObject jsonOf(const LaneId& id) {
    QJsonObject json{{u"rank"_s, id.rank}};
    if (id.level != LaneLevel::rank)
        json.insert(u"group"_s, kGroupWords[static_cast<std::size_t>(id.group)]);
    if (id.level == LaneLevel::lane)
        json.insert(u"lane"_s, id.lane);
    return json;
}

std::optional<LaneId> idFrom(const QJsonValue& json) {
    const int rank = json[u"rank"].toInt(-1);
    if (rank < 0)
        return std::nullopt;
    if (json[u"group"].isUndefined())
        return LaneId::ofRank(rank);
    const auto group = indexOf(kGroupWords, json[u"group"].toString());
    if (!group)
        return std::nullopt;
    if (json[u"lane"].isUndefined())
        return LaneId::ofGroup(rank, static_cast<LaneGroup>(*group));
    const int lane = json[u"lane"].toInt(-1);
    return lane < 0 ? std::nullopt : std::optional(LaneId::ofLane(rank, static_cast<LaneGroup>(*group), lane));
}

template <typename Ids>
QJsonArray jsonOfAll(const Ids& ids) {
    QJsonArray json;
    for (const LaneId& id : ids)
        json.append(jsonOf(id));
    return json;
}

template <typename Take>
void eachId(const QJsonValue& json, Take take) {
    const QJsonArray entries = json.toArray();
    for (const auto& entry : entries)
        if (const std::optional<LaneId> id = idFrom(entry))
            take(*id);
}

} // namespace

void LaneArrangement::toggleFold(const LaneId& id) {
    if (folded.erase(id) == 0)
        folded.insert(id);
}

bool LaneArrangement::isPinned(const LaneId& id) const {
    return std::find(pinned.begin(), pinned.end(), id) != pinned.end();
}

void LaneArrangement::togglePin(const LaneId& id) {
    if (std::erase(pinned, id) > 0)
        return;
    std::erase_if(pinned, [&](const LaneId& other) {
        return other.rank == id.rank &&
               (id.level == LaneLevel::rank ||
                (id.level == LaneLevel::group && other.group == id.group && other.level == LaneLevel::lane));
    });
    pinned.push_back(id);
}

void moveRank(LaneArrangement& arrangement, std::vector<int> shown, int rank, int places) {
    const auto from = std::find(shown.begin(), shown.end(), rank);
    if (from == shown.end())
        return;
    const auto index = from - shown.begin();
    const auto target = std::clamp<std::ptrdiff_t>(index + places, 0, static_cast<std::ptrdiff_t>(shown.size()) - 1);
    shown.erase(from);
    shown.insert(shown.begin() + target, rank);
    arrangement.order = std::move(shown);
}

QJsonObject toJson(const LanePlace& place) {
    QJsonObject json = jsonOf(place.id);
    json.insert(u"offset"_s, place.offset);
    return json;
}

std::optional<LanePlace> lanePlaceFrom(const QJsonValue& json) {
    const std::optional<LaneId> id = idFrom(json);
    const int offset = json[u"offset"].toInt(-1);
    return id && offset >= 0 ? std::optional(LanePlace{*id, offset}) : std::nullopt;
}

QJsonObject toJson(const LaneArrangement& arrangement) {
    QJsonArray order;
    for (const int rank : arrangement.order)
        order.append(rank);
    QJsonArray hiddenNames;
    for (const std::string& name : arrangement.names.hidden)
        hiddenNames.append(QString::fromStdString(name));
    return {{u"folded"_s, jsonOfAll(arrangement.folded)},
            {u"pinned"_s, jsonOfAll(arrangement.pinned)},
            {u"hidden"_s, jsonOfAll(arrangement.hidden)},
            {u"order"_s, order},
            {u"filter"_s, QString::fromStdString(arrangement.filter)},
            {u"only_name"_s, QString::fromStdString(arrangement.names.only)},
            {u"hidden_names"_s, hiddenNames},
            {u"height"_s, kHeightWords[static_cast<std::size_t>(arrangement.height)]},
            {u"colour"_s, kColourWords[static_cast<std::size_t>(arrangement.colour)]}};
}

LaneArrangement laneArrangementFrom(const QJsonObject& json) {
    LaneArrangement arrangement;
    eachId(
        json[u"folded"], [&](const LaneId& id) { arrangement.folded.insert(id); });
    eachId(
        json[u"hidden"], [&](const LaneId& id) { arrangement.hidden.insert(id); });
    eachId(json[u"pinned"], [&](const LaneId& id) {
        if (!arrangement.isPinned(id))
            arrangement.pinned.push_back(id);
    });
    const QJsonArray order = json[u"order"].toArray();
    for (const auto& entry : order)
        if (const int rank = entry.toInt(-1);
            rank >= 0 && std::find(arrangement.order.begin(), arrangement.order.end(), rank) == arrangement.order.end())
            arrangement.order.push_back(rank);
    arrangement.filter = json[u"filter"].toString().toStdString();
    arrangement.names.only = json[u"only_name"].toString().toStdString();
    const QJsonArray hiddenNames = json[u"hidden_names"].toArray();
    for (const auto& name : hiddenNames)
        if (!name.toString().isEmpty())
            arrangement.names.hidden.insert(name.toString().toStdString());
    if (const auto height = indexOf(kHeightWords, json[u"height"].toString()))
        arrangement.height = static_cast<LaneHeight>(*height);
    if (const auto colour = indexOf(kColourWords, json[u"colour"].toString()))
        arrangement.colour = static_cast<ColourBy>(*colour);
    return arrangement;
}

} // namespace rankscope
