// SPDX-License-Identifier: GPL-3.0-or-later
// How long a search over many events takes, from the text of the query to the hits:
//   rankscope_bench_search [millions of events [ranks]]
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>

#include "core/analysis/search/event_search.h"
#include "core/trace/rank_builder.h"
#include "tests/bench/stopwatch.h"

namespace rankscope {
namespace {

constexpr int kStreams = 4;
constexpr int kNames = 4'000; ///< as many distinct names as large traces have

/// Kernels of 0.5 to 40 us with gaps; every tenth is named as a collective.
std::shared_ptr<const RankTrace> busy_rank(int rank, std::size_t events, const std::shared_ptr<StringTable>& names) {
    std::mt19937_64 random(static_cast<std::uint64_t>(rank) + 1);
    RankBuilder builder(names);
    builder.trace().rank = rank;
    builder.trace().names = names;
    std::vector<NameId> kernels;
    for (int i = 0; i < kNames; ++i)
        kernels.push_back(names->intern(
            "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_" + std::to_string(i) +
            "<c10::BFloat16>, std::array<char*, 3> >(int, at::native::CUDAFunctor, std::array<char*, 3>)"));
    const NameId collective =
        names->intern("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)");
    std::uniform_int_distribution<TimeNs> durations(500, 40'000);
    std::uint32_t ordinal = 0;
    for (int stream = 0; stream < kStreams; ++stream) {
        const TrackId track = builder.track("0", std::to_string(stream), 0, stream);
        TimeNs now = 1'700'000'000'000'000'000;
        for (std::size_t i = 0; i < events / kStreams; ++i) {
            RawEvent event;
            event.start = now;
            event.duration = durations(random);
            event.kind = EventKind::kernel;
            event.name = i % 10 == 0 ? collective : kernels[random() % kernels.size()];
            event.track = track;
            event.ordinal = ordinal++;
            builder.add(event);
            now += event.duration + 1'000;
        }
    }
    return builder.finish();
}

std::shared_ptr<const Run> busy_run(std::size_t events, int ranks) {
    auto run = std::make_shared<Run>();
    run->names = std::make_shared<StringTable>();
    for (int rank = 0; rank < ranks; ++rank)
        run->ranks.push_back(busy_rank(rank, events / static_cast<std::size_t>(ranks), run->names));
    run->span = run->ranks.front()->span;
    return run;
}

void measure(const RunClasses& classes, const char* query) {
    SearchHits hits;
    const double seconds =
        best_seconds(Clock::wall, [&] { hits = *search_events(classes, *parse_event_query(query)); });
    std::printf("  %-44s %8.1f ms   %zu hits\n", query, seconds * 1e3, hits.count);
}

} // namespace
} // namespace rankscope

int main(int argc, char** argv) {
    using namespace rankscope;
    const double millions = argc > 1 ? std::atof(argv[1]) : 10;
    const int ranks = argc > 2 ? std::max(1, std::atoi(argv[2])) : 8;
    const auto run = busy_run(static_cast<std::size_t>(millions * 1e6), ranks);
    const RunClasses classes(run);
    std::printf("%zu events of %d ranks, %zu names\n", static_cast<std::size_t>(run->event_count()), ranks,
                run->names->size());
    const double first = seconds_on(Clock::wall);
    static_cast<void>(search_events(classes, *parse_event_query("class:memcpy")));
    std::printf("  %-44s %8.1f ms\n", "classes, once for a run", (seconds_on(Clock::wall) - first) * 1e3);
    for (const char* query : {"functor_1234", "AllReduce", "elementwise", "/Functor_(12|34)5</",
                              "class:communication dur>30us", "dur>39us", "rank:0-3 -elementwise", "arg:group=dp"})
        measure(classes, query);
    return 0;
}
