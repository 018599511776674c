// SPDX-License-Identifier: GPL-3.0-or-later
// The tables that `nsys stats` prints, as CSV or in columns, out of text that may hold other lines as well.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

struct StatsHeader {
    std::string name; ///< "Start", "Bytes", "Name": without the unit
    std::string unit; ///< "ns", "MB", "%"; empty without one
};

struct StatsTable {
    enum class Kind { trace, sum };
    Kind kind = Kind::trace;
    std::vector<StatsHeader> header;
    std::vector<std::vector<std::string_view>> rows; ///< cells by column, blanks trimmed; views into the text
    std::int64_t unreadable = 0;                     ///< lines that look like rows and have too few cells

    /// Position of the first column with one of these names, or -1.
    [[nodiscard]] int column(std::initializer_list<std::string_view> names) const;
};

/// Whether a line is the header of such a table: it names a start, a duration and a stream; or a total time and
/// instances.
std::optional<StatsTable::Kind> stats_header_kind(std::string_view line);

/// All tables of the text, which must outlive them. Columns are told by the dashes under the header, or, without them,
/// by where all rows are blank between two names of the header.
std::vector<StatsTable> parse_stats_text(std::string_view text);

/// "3,761,321.620" of a unit of `scale` ns as whole ns, rounded to the nearest; nothing for a blank, cut or other text.
std::optional<TimeNs> scaled_integer(std::string_view number, std::int64_t scale);

/// A cell that may have been cut to the width of its column.
struct CellNumber {
    std::int64_t value = 0;
    std::int64_t step = 0; ///< the number lies less than this above value; 0 where it is whole
};
/// "4280533.2…" tells 4280533.2 and a step of 0.1. Nothing where the cut lies before the point: how many digits are
/// gone is not known then.
std::optional<CellNumber> cell_number(std::string_view cell, std::int64_t scale);
/// ns in one of a unit ("us", "nsec" ...); 0 for an unknown one.
std::int64_t unit_ns(std::string_view unit);
/// Bytes in one of a unit ("MB", "KiB" ...); 0 for an unknown one.
std::int64_t unit_bytes(std::string_view unit);

} // namespace rankscope
