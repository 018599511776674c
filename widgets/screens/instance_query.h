// SPDX-License-Identifier: GPL-3.0-or-later
// The search that finds all events of one name: what "show all of these in the timeline" asks.
#pragma once
#include <optional>
#include <string_view>

#include <QString>

namespace rankscope {

/// A regular expression that exactly this name matches, in one line of text.
QString exactPattern(std::string_view name);
/// Text for the search box (core/analysis/search/event_query.h): events with exactly this name; rank: of that rank
/// only.
QString instanceQuery(std::string_view name, std::optional<int> rank = {});

} // namespace rankscope
