// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the search box: what is asked of an event, from text.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/analysis/selection/kernel_class.h"
#include "core/base/notice.h"

namespace re2 {
class RE2;
}

namespace rankscope {

enum class Comparison : std::uint8_t { less, at_most, equal, at_least, more };
bool compare(std::int64_t value, Comparison how, std::int64_t with);

struct NameContains {
    std::string lower; ///< ASCII letters of names and text are compared in lower case
};
struct NameMatches {
    std::shared_ptr<const re2::RE2> pattern; ///< found anywhere in the name
};
struct OfClass {
    KernelClass kernel_class; ///< GPU work only
};
struct OfKind {
    std::vector<EventKind> kinds;
};
struct OfRank {
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges; ///< inclusive
};
struct InLane {
    std::string lower; ///< part of the lane's name, in lower case
};
struct OnStream {
    std::int64_t stream;
};
struct Lasts {
    Comparison how;
    TimeNs time;
};
/// What a collective's arguments, or a copy's bytes, say.
enum class ArgKey : std::uint8_t { collective, group, dtype, bytes, elements, ranks, seq, source, destination };
struct HasArg {
    ArgKey key;
    std::string lower;                  ///< collective: part of it; group, dtype: all of it
    Comparison how = Comparison::equal; ///< of numbers
    std::int64_t number = 0;
};

struct QueryTerm {
    bool negated = false;
    std::variant<NameContains, NameMatches, OfClass, OfKind, OfRank, InLane, OnStream, Lasts, HasArg> what;
};

/// An event is a hit when it meets every term. Without terms nothing is.
struct EventQuery {
    std::vector<QueryTerm> terms;
};

/// Terms are separated by spaces; "-" before one negates it.
///   word  "two words"  /regular expression/        in the name
///   class:communication  kind:runtime  rank:0-3,7  stream:7  lane:autograd
///   dur>1ms  dur<=20us                             units ns, us, ms, s
///   arg:group=mesh_dp  arg:dtype=BFloat16  arg:bytes>1MB  and so on
/// The error names the place: "character 5: ...".
Result<EventQuery> parse_event_query(std::string_view text);

} // namespace rankscope
