// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/kineto/kineto_header.h"

#include <nlohmann/json.hpp>

#include "core/base/shallow_json.h"
#include "core/input/kineto/json_text.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

using nlohmann::json;

json parsed(const std::map<std::string, std::string>& header, const std::string& key) {
    const auto at = header.find(key);
    return at == header.end() ? json() : parse_shallow_json<json>(repaired_json(at->second));
}

std::optional<int> integer(const json& object, const char* key) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_number_integer())
        return {};
    const auto value = object[key].get<std::int64_t>();
    if (value < 0 || value > kMostRanks)
        return {};
    return static_cast<int>(value);
}

std::string text_of(const json& object, const char* key) {
    if (!object.contains(key))
        return {};
    const json& value = object[key];
    return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

ProcessGroup group_of(const json& entry) {
    ProcessGroup group;
    group.name = text_of(entry, "pg_name");
    group.description = text_of(entry, "pg_desc");
    if (entry.contains("ranks") && entry["ranks"].is_array())
        for (const json& rank : entry["ranks"])
            if (rank.is_number_integer())
                group.ranks.push_back(rank.get<int>());
    group.size =
        integer(entry, "pg_size").value_or(integer(entry, "group_size").value_or(static_cast<int>(group.ranks.size())));
    return group;
}

/// Scalars as key -> text; of lists only their length: the config diff compares settings, not inventories.
void flatten(const std::string& prefix, const json& value, std::map<std::string, std::string>& out) {
    if (value.is_object())
        for (const auto& [key, member] : value.items())
            flatten(prefix.empty() ? key : prefix + "." + key, member, out);
    else if (value.is_array())
        out[prefix + ".count"] = std::to_string(value.size());
    else if (value.is_string())
        out[prefix] = value.get<std::string>();
    else if (!value.is_null())
        out[prefix] = value.dump();
}

void read_devices(const json& list, RankTrace& trace) {
    if (!list.is_array())
        return;
    for (const json& entry : list) {
        if (!entry.is_object())
            continue;
        Device device;
        device.id = integer(entry, "id").value_or(-1);
        device.name = text_of(entry, "name");
        device.multiprocessors = integer(entry, "numSms").value_or(0);
        if (entry.contains("totalGlobalMem") && entry["totalGlobalMem"].is_number_integer())
            device.memory_bytes = entry["totalGlobalMem"].get<std::int64_t>();
        trace.devices.push_back(std::move(device));
    }
    if (!trace.devices.empty())
        flatten("device", list.front(), trace.header);
}

} // namespace

DistributedInfo distributed_info(const std::map<std::string, std::string>& header) {
    const json info = parsed(header, "distributedInfo");
    return {integer(info, "rank"), integer(info, "world_size")};
}

TimeNs base_time(const std::map<std::string, std::string>& header) {
    const auto at = header.find("baseTimeNanoseconds");
    return at == header.end() ? 0 : parse_integer(at->second).value_or(0);
}

void apply_header(const std::map<std::string, std::string>& header, RankBuilder& builder) {
    RankTrace& trace = builder.trace();
    for (const auto& entry : header) {
        const std::string& key = entry.first;
        const json value = parsed(header, key);
        if (value.is_discarded()) {
            add_notice(trace.notices,
                       {"damaged_header", "header key \"%1\" is not valid JSON and was ignored"_text(key), {}, 1});
            continue;
        }
        if (key == "deviceProperties")
            read_devices(value, trace);
        else
            flatten(key, value, trace.header);
        if (key == "distributedInfo" && value.is_object() && value.contains("pg_config") &&
            value["pg_config"].is_array())
            for (const json& group : value["pg_config"])
                if (group.is_object())
                    builder.process_group(group_of(group));
    }
    const DistributedInfo info = distributed_info(header);
    trace.rank = info.rank.value_or(-1);
    trace.world_size = info.world_size.value_or(0);
}

int merged_ranks(const std::map<std::string, std::string>& header) {
    return integer(parsed(header, "otherData"), "merged_ranks").value_or(0);
}

} // namespace rankscope
