// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/made_snapshot.h"

#include "tests/support/flight_recorder_dumps.h"

namespace rankscope {

std::string made_snapshot(const std::vector<MadeAllocation>& allocations) {
    using Json = nlohmann::ordered_json;
    constexpr std::int64_t kAddress = 4096;
    constexpr std::int64_t kStart_us = 1'700'000'000'000'000;
    Json blocks = Json::array();
    Json events = Json::array();
    std::int64_t total = 0;
    for (const MadeAllocation& each : allocations) {
        Json frames = Json::array({{{"name", each.function}, {"filename", "/job/" + each.file}, {"line", each.line}}});
        if (!each.caller.empty())
            frames.push_back({{"name", each.caller}, {"filename", "/job/train.py"}, {"line", 10}});
        blocks.push_back(
            {{"size", each.bytes}, {"requested_size", each.bytes}, {"state", "active_allocated"}, {"frames", frames}});
        Json event{{"action", "alloc"},  {"addr", kAddress + total},
                   {"size", each.bytes}, {"stream", 0},
                   {"frames", frames},   {"time_us", kStart_us + static_cast<std::int64_t>(events.size())}};
        if (!each.category.empty())
            event["category"] = each.category;
        events.push_back(std::move(event));
        total += each.bytes;
    }
    Json segment{{"device", 0},
                 {"address", kAddress},
                 {"total_size", total},
                 {"stream", 0},
                 {"segment_type", "large"},
                 {"segment_pool_id", {0, 0}},
                 {"is_expandable", false},
                 {"frames", Json::array()},
                 {"blocks", std::move(blocks)}};
    return pickled(Json{{"segments", Json::array({std::move(segment)})},
                        {"device_traces", Json::array({std::move(events)})},
                        {"allocator_settings", Json::object()}});
}

} // namespace rankscope
