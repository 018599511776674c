// SPDX-License-Identifier: GPL-3.0-or-later
// What the names of Flight Recorder dumps tell.
#pragma once
#include <charconv>
#include <optional>
#include <string_view>

#include "core/base/text_match.h"
#include "core/trace/plausible.h"

namespace rankscope {

/// A dump's name: what stands before the number, and the number, both as written; endings that some add are left out.
struct DumpName {
    std::string_view prefix;
    std::string_view digits;
    explicit DumpName(std::string_view name) {
        for (bool more = true; more;) {
            more = false;
            for (const std::string_view ending : {".json", ".pickle", ".pkl", ".gz", ".zst"})
                if (name.ends_with(ending)) {
                    name.remove_suffix(ending.size());
                    more = true;
                }
        }
        const std::size_t first = name.find_last_not_of("0123456789") + 1; // npos + 1 is 0
        prefix = name.substr(0, first);
        digits = name.substr(first);
    }
};

/// The number a dump's name ends in: nccl_trace_rank_12, _dump_12, prefix12, prefix_12.json.
inline std::optional<int> rank_in_dump_name(std::string_view name) {
    const std::string_view digits = DumpName(name).digits;
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return !digits.empty() && error == std::errc{} && number <= kMostRanks ? std::optional(number) : std::nullopt;
}

/// Whether a name is one that only dumps have: "nccl_trace_rank_12", "_dump_12".
inline bool is_usual_dump_name(std::string_view name) {
    const std::string_view prefix = DumpName(name).prefix;
    return rank_in_dump_name(name) &&
           (contains(prefix, "ccl_trace") || contains(prefix, "comm_lib_trace") || prefix.ends_with("_dump_") ||
            prefix == "dump_" || contains(prefix, "flight_recorder"));
}

} // namespace rankscope
