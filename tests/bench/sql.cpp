// SPDX-License-Identifier: GPL-3.0-or-later
// How fast queries read many events, beside Perfetto's trace processor on the same events in the same run:
//   rankscope_bench_sql [MILLIONS OF EVENTS [MILLIONS FOR PERFETTO]]
//   PERFETTO_DIR, PERFETTO_SCRIPT   the folder with the wasm, and a script for node that loads a file and runs queries
// The wasm has 4 GB of memory at most, so Perfetto may get fewer events; what is compared is rows a second.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/query/query.h"
#include "core/trace/rank_builder.h"
#include "tests/bench/stopwatch.h"

namespace rankscope {
namespace {

constexpr int kRanks = 8;
constexpr int kStreams = 4;
constexpr int kNames = 500;
constexpr TimeNs kBase = 1'700'000'000'000'000'000;

std::string name_of(std::uint32_t number) {
    return number == 0 ? "ncclDevKernel_AllReduce_Sum_bf16_RING_LL" : fmt::format("elementwise_kernel_{}", number);
}

struct MadeEvent {
    TimeNs start = 0;
    TimeNs duration = 0;
    std::uint32_t name = 0;
};

/// The events of one stream, the same every time: kernels of 0.5 to 40 us with gaps of 1 us, every tenth a collective.
template <typename Take>
void make_events(int rank, int stream, std::size_t count, Take&& take) {
    std::mt19937_64 random(static_cast<std::uint64_t>(rank) * kStreams + static_cast<std::uint64_t>(stream) + 1);
    TimeNs now = kBase;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t bits = random();
        const MadeEvent event{now, static_cast<TimeNs>(500 + bits % 39'500),
                              i % 10 == 0 ? 0 : static_cast<std::uint32_t>(1 + (bits >> 32U) % kNames)};
        take(event);
        now += event.duration + 1'000;
    }
}

std::shared_ptr<const Run> make_run(std::size_t events) {
    auto run = std::make_shared<Run>();
    run->name = "made";
    run->names = std::make_shared<StringTable>();
    run->world_size = kRanks;
    std::vector<NameId> names;
    for (std::uint32_t i = 0; i <= kNames; ++i)
        names.push_back(run->names->intern(name_of(i)));
    for (int rank = 0; rank < kRanks; ++rank) {
        RankBuilder builder(run->names);
        builder.trace().rank = rank;
        std::uint32_t ordinal = 0;
        for (int stream = 0; stream < kStreams; ++stream) {
            const TrackId track = builder.track("0", std::to_string(stream), 0, stream);
            make_events(rank, stream, events / kRanks / kStreams, [&](const MadeEvent& made) {
                RawEvent event;
                event.start = made.start;
                event.duration = made.duration;
                event.kind = EventKind::kernel;
                event.name = names[made.name];
                event.track = track;
                event.ordinal = ordinal++;
                builder.add(event);
            });
        }
        run->ranks.push_back(builder.finish());
    }
    run->span = run->ranks.front()->span;
    for (const auto& rank : run->ranks)
        run->span = {std::min(run->span.begin, rank->span.begin), std::max(run->span.end, rank->span.end)};
    return run;
}

struct Question {
    const char* title;
    const char* ours;
    const char* perfettos;
};

constexpr Question kQuestions[] = {
    {"count and sum", "select count(*), sum(dur_ns) from event", "select count(*), sum(dur) from slice"},
    {"by name", "select name, count(*), sum(dur_ns) from event group by name",
     "select name, count(*), sum(dur) from slice group by name"},
    {"by rank and class", "select rank, class, count(*), sum(dur_ns) from event group by rank, class",
     "select upid, category, count(*), sum(dur) from slice join thread_track t on t.id = slice.track_id join thread "
     "using (utid) group by upid, category"},
    {"by an expression", "select name, avg(dur_ns), max(dur_ns) from event where name like '%AllReduce%' group by name",
     "select name, avg(dur), max(dur) from slice where name like '%AllReduce%' group by name"},
    {"longest ten", "select name, start_ns, dur_ns from event order by dur_ns desc limit 10",
     "select name, ts, dur from slice order by dur desc limit 10"},
    {"one rank, 10 ms",
     "select count(*), sum(dur_ns) from event where rank = 3 and start_ns between 100000000 and 110000000",
     "select count(*), sum(dur) from slice join thread_track t on t.id = slice.track_id join thread using (utid) where "
     "upid = 4 and ts between 1700000000100000000 and 1700000000110000000"}};

void measure_ours(const std::shared_ptr<const Run>& run) {
    const double before = seconds_on(Clock::cpu);
    auto analysis = std::make_shared<const RunAnalysis>(run, Selection(), Align::none);
    static_cast<void>(analysis->clock());
    const auto model = std::make_shared<const QueryModel>(std::vector<QueryRun>{{"made", "run", std::move(analysis)}});
    for (std::size_t rank = 0; rank < model->ranks().size(); ++rank)
        static_cast<void>(model->classes(rank));
    fmt::print("once for a run (classes, clocks): {:.2f} s of processor time\n", seconds_on(Clock::cpu) - before);
    auto database = QueryDatabase::open(model);
    const auto events = static_cast<double>(run->event_count());
    for (const Question& question : kQuestions) {
        std::size_t rows = 0;
        const double seconds = best_seconds(
            Clock::cpu,
            [&] {
                const auto result = run_query(*database, question.ours, 10'000);
                if (!result)
                    fmt::print("{}\n", english(result.error().message));
                rows = result ? result->rows.size() : 0;
            },
            3);
        fmt::print("  {:<20}{:8.3f} s {:8.1f} M events/s   {} rows\n", question.title, seconds, events / 1e6 / seconds,
                   rows);
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("peak memory {:.0f} MB, of it events {:.0f} MB\n", static_cast<double>(usage.ru_maxrss) / 1024,
               29 * events / 1e6);
}

void measure_perfetto(std::size_t events) {
    const char* const folder = std::getenv("PERFETTO_DIR");
    const char* const script = std::getenv("PERFETTO_SCRIPT");
    if (folder == nullptr || script == nullptr) {
        fmt::print("PERFETTO_DIR and PERFETTO_SCRIPT are not set: no comparison\n");
        return;
    }
    const auto file = std::filesystem::temp_directory_path() / fmt::format("rankscope-sql-{}.json", ::getpid());
    std::FILE* const out = std::fopen(file.c_str(), "w");
    if (out == nullptr)
        return;
    fmt::print(out, "{{\"traceEvents\":[");
    bool first = true;
    for (int rank = 0; rank < kRanks; ++rank)
        for (int stream = 0; stream < kStreams; ++stream)
            make_events(rank, stream, events / kRanks / kStreams, [&](const MadeEvent& e) {
                fmt::print(out,
                           "{}{{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{}.{:03},"
                           "\"dur\":{}.{:03}}}",
                           first ? "\n" : ",\n", name_of(e.name), rank + 1, 100 * (rank + 1) + stream, e.start / 1000,
                           e.start % 1000, e.duration / 1000, e.duration % 1000);
                first = false;
            });
    fmt::print(out, "]}}\n");
    std::fclose(out);
    fmt::print("Perfetto's trace processor, {} events:\n", events);
    std::fflush(stdout);
    std::string command = fmt::format("node --max-old-space-size=8192 '{}' '{}'", script, file.string());
    for (const Question& question : kQuestions)
        command += fmt::format(" \"{}\"", question.perfettos);
    if (std::system(command.c_str()) != 0)
        fmt::print("  {} failed; give it fewer events\n", script);
    std::filesystem::remove(file);
}

} // namespace
} // namespace rankscope

int main(int argc, char** argv) {
    using namespace rankscope;
    const double millions = argc > 1 ? std::atof(argv[1]) : 20;
    const double for_perfetto = argc > 2 ? std::atof(argv[2]) : millions;
    const auto run = make_run(static_cast<std::size_t>(millions * 1e6));
    fmt::print("{} events of {} ranks; best of 3, processor time of one thread\n", run->event_count(), kRanks);
    measure_ours(run);
    measure_perfetto(static_cast<std::size_t>(for_perfetto * 1e6));
    return 0;
}
