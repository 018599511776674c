// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the sections of a trace file. A number is never used again for something else.
#pragma once
#include <cstdint>

namespace rankscope::section {

enum Id : std::uint32_t {
    head = 1,         ///< key, rank, source file, sizes, spans
    names = 2,        ///< texts one after the other
    name_sizes = 3,   ///< their lengths
    structure = 4,    ///< lanes, rows, groups, devices, header, notices and what else is small
    facts = 5,        ///< DigestFacts
    accounting = 6,   ///< Accounting; files of older versions lack it
    served = 7,       ///< which file lists the requests of a serving benchmark
    notice_texts = 8, ///< of each notice of the structure: its text and arguments; files of older versions lack it

    start = 10,
    duration,
    name,
    kind,
    ordinal,
    link,
    operator_event,
    occupancy,
    launch_shape,
    correlation,

    collective_event = 30,
    collective_name,
    collective_dtype,
    collective_in,
    collective_out,
    collective_size,
    collective_sequence,
    collective_source,
    collective_destination,
    collective_group,
    collective_in_split,
    collective_out_split,

    // 50 to 76 and 90 to 98: for_each_side_table() (core/trace/side_tables.h)

    served_ttft = 80, ///< of each request, as ServedRequest has it
    served_latency,
    served_prompt,
    served_output,
    served_gaps, ///< number of gaps between its tokens
    served_gap   ///< those of all requests, one after the other
};

} // namespace rankscope::section
