// SPDX-License-Identifier: GPL-3.0-or-later
// What an expression of the user's own metric makes of values that are bounds, and of values that grow with the
// recording.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace rankscope {

/// Of names in an expression, those of details included.
inline constexpr std::string_view kNameCharacters = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.";

enum class Growth {
    none,            ///< the same however long the recording is
    with_iterations, ///< twice as much in twice as many iterations
    unknown
};

/// The range that the true value lies in. One value: it is exact.
struct KnownRange {
    double low = 0;
    double high = 0;
    Growth growth = Growth::none;
};

/// By interval arithmetic. nullopt: the expression has more than + - * / ( ), numbers and these names.
std::optional<KnownRange> known_range(std::string_view expression, const std::map<std::string, KnownRange>& names);

} // namespace rankscope
