// SPDX-License-Identifier: GPL-3.0-or-later
// The values that options take: times, ranges, lists.
#pragma once
#include <optional>
#include <string_view>

#include "app/command/options.h"

namespace rankscope {

/// "4s420ms", "1.5s", "200us", "10ns", "0": a sum of numbers with units, exact to the nanosecond; nothing finer.
std::optional<TimeNs> parse_duration(std::string_view text);
/// "4s420ms/35s390ms", "1.5s/", "/200ms"; the start must come before end, and one of them must be there.
/// "4s420ms/5s" from the run's first event, "@4s420ms/@5s" from the start of Nsight Systems' session.
std::optional<Options::Time> parse_time_range(std::string_view text);
/// "4-6,9", or "all" for an empty list.
std::optional<std::vector<std::pair<std::int64_t, std::int64_t>>> parse_iterations(std::string_view text);
/// Bytes: "8G", "512M", "1.5T", "64K" (powers of 1024; "GB" and "GiB" mean the same), at least 16 MB.
std::optional<std::uint64_t> parse_size(std::string_view text);
/// A word of --profile-mode.
std::optional<ProfileMode> parse_profile_mode(std::string_view text);
/// "a,b,c" at its commas; an empty item makes it invalid.
std::optional<std::vector<std::string>> parse_list(std::string_view text);

} // namespace rankscope
