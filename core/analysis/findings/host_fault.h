// SPDX-License-Identifier: GPL-3.0-or-later
// A fault of the hosts: where, how to take it out of the times, and its finding.
//   Example: of 4 ranks, rank 1 alone loads data, for 10 ms in each of 2 steps: per_step 10 ms; "...; only on rank 1".
#pragma once
#include <cstdint>
#include <functional>
#include <set>

#include "core/analysis/findings/host_times.h"

namespace rankscope {

/// Of a step of a rank that has it, ns; usual: in the other steps.
struct HostAmounts {
    double per_step = 0;
    double calls = 0;
    double usual = 0;
    const std::set<std::int64_t>& only_in; ///< numbers of the steps that have it; empty: all
};

struct HostFault {
    HostTimes host;
    TimesChange remove;
    FindingCode code{};
    std::function<Message(const HostAmounts&)> title;
    bool repairs = true;           ///< whether what follows is told of the run without it
    bool names_ranks = false;      ///< the title does, and the steps
    bool no_fault = false;         ///< it happens once, as the program starts
    bool beside_first_use = false; ///< what a first use takes is no part of it, or all of it
};
Finding describe_host_fault(const FindingContext& context, const HostFault& fault, double cost);

} // namespace rankscope
