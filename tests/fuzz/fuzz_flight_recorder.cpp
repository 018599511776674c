// SPDX-License-Identifier: GPL-3.0-or-later
// Dumps of the Flight Recorder: pickles and JSON, and what is concluded from several of them.
#include <array>
#include <cstdlib>
#include <string>

#include "core/analysis/hang/hang.h"
#include "core/input/flight_recorder/dump.h"

using namespace rankscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(data, data + size);
    const auto whole = read_flight_recorder(bytes);
    // Two ranks of one job: the dump, and the same cut in the middle of its calls, so that something does not fit.
    if (!whole)
        return 0;
    FlightRecorderDump other = whole->dump;
    other.calls.resize(other.calls.size() / 2);
    const std::array<RankDump, 2> dumps{RankDump{0, &whole->dump}, RankDump{1, &other}};
    const Hang hang = find_hang(dumps);
    for (const HangRank& rank : hang.ranks)
        if (rank.verdict == HangVerdict::culprit && rank.why.empty())
            std::abort(); // nobody is blamed without a reason
    return 0;
}
