// SPDX-License-Identifier: GPL-3.0-or-later
// Where the numbers of the overview lead to.
#include "widgets/panels/evidence_place.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rankscope {

QString placeOfMetric(std::string_view metric) {
    using Place = std::pair<std::string_view, const char*>;
    constexpr std::array kPlaces{
        Place{"step_time", kStretchPlace},
        Place{"iter_time", kStretchPlace},
        Place{"throughput_tokens", kStretchPlace},
        Place{"mfu", "kernels"},
        Place{"ttft", "serving"},
        Place{"tpot", "serving"},
        Place{"inter_token_latency", "serving"},
        Place{"serving_throughput", "serving"},
        Place{"gpu_timeline", kIdlePlace},
        Place{"idle", kIdlePlace},
        Place{"temporal_breakdown", "kernels"},
        Place{"comm_comp_overlap", kStretchPlace},
        Place{"idle_causes", kIdlePlace},
        Place{"coll_call_num", "collectives"},
        Place{"straggler_lag", kStretchPlace},
        Place{"straggler_slowdown", "workers"},
        Place{"comm_bandwidth", "collectives"},
        Place{"parallel_efficiency", kFactorsPlace},
        Place{"pipeline_bubble", "pipeline"},
        Place{"traffic_distribution", "collectives"},
        Place{"traffic_window", kStretchPlace},
        Place{"kernel_breakdown", "kernels"},
        Place{"launch_stats", "kernels"},
        Place{"memory", "memory"},
        Place{"operators", "kernels"},
        Place{"modules", "kernels"},
        Place{"roofline", "kernels"},
        Place{"graph_replay", "kernels"},
        Place{"sm", "kernels"},
    };
    const auto found = std::ranges::find(kPlaces, metric, &Place::first);
    return found == kPlaces.end() ? QString() : QString::fromLatin1(found->second);
}

} // namespace rankscope
