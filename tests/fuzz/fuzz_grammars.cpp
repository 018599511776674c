// SPDX-License-Identifier: GPL-3.0-or-later
// The small languages of the command line and the search box; the first letter says which.
#include <string_view>

#include "app/command/options_values.h"
#include "core/analysis/search/event_query.h"
#include "core/analysis/whatif/what_if.h"
#include "core/compare/gate.h"

using namespace rankscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0]) {
    case 'g': (void)parse_gate(text); break;
    case 't': (void)parse_time_range(text); break;
    case 'd': (void)parse_duration(text); break;
    case 'i': (void)parse_iterations(text); break;
    case 'l': (void)parse_list(text); break;
    case 'q': (void)parse_event_query(text); break;
    case 'w': (void)parse_change(text); break;
    default: break;
    }
    return 0;
}
