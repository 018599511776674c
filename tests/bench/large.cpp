// SPDX-License-Identifier: GPL-3.0-or-later
// Large runs, beside what bounds them, in one run of one program: a large file on 1, 2 and 4 threads against simdjson
// alone; the same gzip'd against ISA-L alone; eight files against both; memory; opening from the cache; digests, and
// many ranks of them.
//   rankscope_bench_large [GIGABYTES [RANKS [FOLDER]]]     default: 2 GB, 1024 ranks, a temporary folder that is
//   removed afterwards
// Measurements that are compared take turns, and the best of each counts: what else the machine does disturbs both
// alike.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <malloc.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include "core/analysis/digest/digest.h"
#include "core/demo/run_simulator.h"
#include "core/input/bytes/file_stamp.h"
#include "core/input/bytes/inflate_points.h"
#include "core/input/bytes/parallel_source.h"
#include "core/input/digest/trace_file.h"
#include "core/input/kineto/event_block.h"
#include "core/input/kineto/kineto_document.h"
#include "core/input/load/load_run.h"
#include "core/input/load/trace_cache.h"
#include "core/metrics/catalogue.h"
#include "tests/bench/inflate_alone.h"
#include "tests/bench/simdjson_walk.h"
#include "tests/bench/sized_run.h"
#include "tests/bench/stopwatch.h"

namespace {

using namespace rankscope;
namespace fs = std::filesystem;

constexpr double kMega = 1e6;

[[noreturn]] void fail(const std::string& why) {
    fmt::print(stderr, "{}\n", why);
    std::exit(1);
}

std::uint64_t bytes_under(const fs::path& folder) {
    std::uint64_t bytes = 0;
    if (!fs::exists(folder))
        return bytes;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            bytes += entry.file_size();
    return bytes;
}

std::shared_ptr<const Run> load(const fs::path& path, int threads, bool cached = false) {
    LoadOptions options;
    options.jobs = threads;
    options.use_cache = cached;
    auto run = load_run(path, options);
    if (!run)
        fail(english(run.error().message));
    return *run;
}

/// What reading takes before anything is kept: decompressing and cutting at the borders of events, with or without
/// parsing.
void read_only(const fs::path& file, int threads, bool parse) {
    using Piece = KinetoDocument::Piece;
    using Block = std::optional<KinetoDocument::Block>;
    tbb::task_arena arena(threads);
    arena.execute([&] {
        auto source = open_parallel_source(file, threads, std::make_shared<const InflatePoints>());
        if (!source)
            fail(english(source.error().message));
        KinetoDocument document(std::move(*source));
        document.start();
        const auto read = [&](tbb::flow_control& control) -> Piece {
            auto piece = document.next_piece();
            if (!piece)
                control.stop();
            return piece ? std::move(*piece) : Piece();
        };
        const auto cut = [&](Piece piece) { return document.cut(std::move(piece)); };
        tbb::enumerable_thread_specific<EventParser> parsers;
        const auto forget = [&](Block block) {
            if (parse && block)
                parsers.local().parse(std::move(block->bracketed));
        };
        tbb::parallel_pipeline(static_cast<std::size_t>(threads) * 2,
                               tbb::make_filter<void, Piece>(tbb::filter_mode::serial_in_order, read) &
                                   tbb::make_filter<Piece, Block>(tbb::filter_mode::serial_in_order, cut) &
                                   tbb::make_filter<Block, void>(tbb::filter_mode::parallel, forget));
    });
}

/// Seconds of each, best of so many rounds in which all take their turn.
std::map<std::string, double> take_turns(const std::vector<std::pair<std::string, std::function<void()>>>& works,
                                         int rounds) {
    std::map<std::string, double> best;
    for (int round = 0; round < rounds; ++round)
        for (const auto& [name, work] : works) {
            const double begin = seconds_on(Clock::wall);
            work();
            const double seconds = seconds_on(Clock::wall) - begin;
            const auto [known, first] = best.try_emplace(name, seconds);
            known->second = std::min(known->second, seconds);
        }
    return best;
}

/// What was freed before goes back to the system: used again, it would not count.
void reset_peak_memory() {
    ::malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5";
}

double status_mb(const std::string& field) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(field))
            return std::stod(line.substr(field.size() + 1)) / 1024;
    return 0;
}

double model_bytes(const Run& run) {
    auto bytes = static_cast<double>(run.names->memory_bytes());
    for (const auto& rank : run.ranks)
        bytes += static_cast<double>(rank->memory_bytes());
    return bytes;
}

void measure_file(const fs::path& plain, const fs::path& gzipped, int rounds) {
    const auto text = static_cast<double>(fs::file_size(plain));
    std::uint64_t events = 0;
    const auto loading = [&](const fs::path& path, int threads) {
        return [&events, path, threads] { events = load(path, threads)->event_count(); };
    };
    Walked walked;
    const auto best = take_turns({{"simdjson", [&] { walked = walk_with_simdjson(plain); }},
                                  {"1", loading(plain, 1)},
                                  {"2", loading(plain, 2)},
                                  {"4", loading(plain, 4)},
                                  {"isal", [&] { inflate_alone(gzipped); }},
                                  {"gz1", loading(gzipped, 1)},
                                  {"gz4", loading(gzipped, 4)},
                                  {"cut4", [&] { read_only(gzipped, 4, false); }},
                                  {"parsed4", [&] { read_only(gzipped, 4, true); }}},
                                 rounds);
    fmt::print("one file, {:.0f} MB, {} events, gzip'd {:.0f} MB; best of {}\n", text / kMega, events,
               static_cast<double>(fs::file_size(gzipped)) / kMega, rounds);
    const auto line = [&](const char* title, const char* key, double bound) {
        const double seconds = best.at(key);
        fmt::print("  {:<34}{:7.2f} s {:7.0f} MB/s {:7.2f} M events/s   {:.2f} of its bound\n", title, seconds,
                   text / kMega / seconds, static_cast<double>(events) / seconds / kMega, bound / seconds);
    };
    line("simdjson alone, one thread", "simdjson", best.at("simdjson"));
    line("plain, 1 thread", "1", best.at("simdjson"));
    line("plain, 2 threads", "2", best.at("simdjson") / 2);
    line("plain, 4 threads", "4", best.at("simdjson") / 4);
    line("ISA-L alone, one thread", "isal", best.at("isal"));
    line("gzip'd, 1 thread (both in turn)", "gz1", best.at("simdjson") + best.at("isal"));
    line("gzip'd, 4 threads", "gz4", std::max(best.at("isal"), (best.at("simdjson") + best.at("isal")) / 4));
    line("  decompressed and cut, nothing more", "cut4", best.at("isal"));
    line("  and parsed, nothing kept", "parsed4", best.at("isal"));
    fmt::print("  gzip'd, 4 threads: {:.2f} of ISA-L alone, {:.2f} of simdjson x 4\n", best.at("isal") / best.at("gz4"),
               best.at("simdjson") / 4 / best.at("gz4"));
}

void measure_memory(const fs::path& plain, int threads) {
    reset_peak_memory();
    const double before = status_mb("VmRSS:");
    const auto run = load(plain, threads);
    const double peak = status_mb("VmHWM:") - before;
    const double model = model_bytes(*run) / kMega;
    fmt::print("memory, {} threads: model {:.0f} MB, {:.1f} bytes an event; peak while loading {:.0f} MB above what "
               "was there, {:.2f} of the file, {:.0f} MB a thread over the model\n",
               threads, model, model * kMega / static_cast<double>(run->event_count()), peak,
               peak * 1.048576 / (static_cast<double>(run->file_bytes()) / kMega), (peak * 1.048576 - model) / threads);
}

void measure_files(const fs::path& folder, int rounds) {
    const fs::path one = folder / "rank0.json.gz";
    double text = 0;
    std::uint64_t events = 0;
    const fs::path plain = folder.parent_path() / "one_of_eight.json";
    if (std::system(fmt::format("gzip -dc '{}' > '{}'", one.string(), plain.string()).c_str()) != 0)
        fail("gzip -dc failed");
    constexpr int kThreads = 4;
    const auto best = take_turns({{"simdjson", [&] { walk_with_simdjson(plain); }},
                                  {"isal", [&] { inflate_alone(one); }},
                                  {"all",
                                   [&] {
                                       const auto run = load(folder, kThreads);
                                       events = run->event_count();
                                       text = 0;
                                       for (const auto& rank : run->ranks)
                                           text += static_cast<double>(rank->text_bytes);
                                   }}},
                                 rounds);
    const double share = text / static_cast<double>(fs::file_size(plain));
    const double bound = share * (best.at("simdjson") + best.at("isal")) / kThreads;
    fmt::print("8 files gzip'd, {:.0f} MB of text, {} events, {} threads: {:.2f} s, {:.0f} MB/s, {:.2f} of simdjson "
               "and ISA-L on all threads\n",
               text / kMega, events, kThreads, best.at("all"), text / kMega / best.at("all"), bound / best.at("all"));
    fs::remove(plain);
}

void measure_cache(const fs::path& folder, const fs::path& cache) {
    ::setenv("XDG_CACHE_HOME", cache.c_str(), 1);
    const double text = static_cast<double>(bytes_under(folder));
    load(folder, 4, true);
    finish_cache_writes();
    std::uint64_t events = 0;
    const double seconds = best_seconds(
        Clock::wall, [&] { events = load(folder, 4, true)->event_count(); }, 5);
    fmt::print("opening again from the cache: {:.0f} MB on disk, {} events: {:.3f} s; the copies take {:.0f} MB\n",
               text / kMega, events, seconds, static_cast<double>(bytes_under(cache)) / kMega);
    fs::remove_all(cache);
}

void digest_run(const Run& run, const fs::path& folder) {
    fs::create_directories(folder);
    tbb::parallel_for(std::size_t{0}, run.ranks.size(), [&](std::size_t i) {
        const RankTrace& rank = *run.ranks[i];
        const auto digest = digest_of(rank, *stamp_of(rank.file), run);
        if (const auto written =
                write_trace_file(folder / fmt::format("rank{}.digest", rank.rank), *digest, TraceFileKind::digest);
            !written)
            fail(english(written.error().message));
    });
}

void measure_digest_size(const fs::path& folder, const fs::path& digests) {
    const auto run = load(folder, 4);
    double text = 0;
    for (const auto& rank : run->ranks)
        text += static_cast<double>(rank->text_bytes);
    const double begin = seconds_on(Clock::wall);
    digest_run(*run, digests);
    const double seconds = seconds_on(Clock::wall) - begin;
    const auto bytes = static_cast<double>(bytes_under(digests));
    fmt::print(
        "digests of 8 ranks: {:.1f} MB of {:.0f} MB of text, {:.2f} %, {:.1f} bytes an event; {:.2f} s after loading\n",
        bytes / kMega, text / kMega, 100 * bytes / text, bytes / static_cast<double>(run->event_count()), seconds);
    fs::remove_all(digests);
}

void measure_ranks(int ranks, const fs::path& folder) {
    SimulatorOptions options;
    options.tp = std::min(8, ranks);
    options.pp = std::clamp(ranks / 64, 1, 8);
    options.dp = std::max(1, ranks / options.tp / options.pp);
    options.cpu_detail = 2;
    options.layers = 4;
    write(options, folder / "traces");
    const auto text = static_cast<double>(bytes_under(folder / "traces"));
    {
        const auto run = load(folder / "traces", 4);
        digest_run(*run, folder / "digests");
    }
    fs::remove_all(folder / "traces");
    const auto bytes = static_cast<double>(bytes_under(folder / "digests"));
    reset_peak_memory();
    const double before = status_mb("VmRSS:");
    const double begin = seconds_on(Clock::wall);
    const auto run = load(folder / "digests", 4);
    const double loaded = seconds_on(Clock::wall);
    const RunAnalysis analysis(run, Selection());
    const MetricReport report = compute_metrics(analysis);
    const double done = seconds_on(Clock::wall);
    fmt::print("{} ranks, {:.0f} MB of traces, {} events; digests {:.0f} MB ({:.2f} %): opened in {:.2f} s, all {} "
               "metrics in {:.2f} s, {:.0f} MB of memory at most\n",
               run->ranks.size(), text / kMega, run->event_count(), bytes / kMega, 100 * bytes / text, loaded - begin,
               report.entries.size(), done - loaded, status_mb("VmHWM:") - before);
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const double gigabytes = argc > 1 ? std::stod(argv[1]) : 2;
    const int ranks = argc > 2 ? std::stoi(argv[2]) : 1024;
    const fs::path folder =
        (argc > 3 ? fs::path(argv[3]) : fs::temp_directory_path()) / fmt::format("rankscope-large-{}", ::getpid());
    const int rounds = gigabytes >= 1 ? 3 : 5;
    const double bytes = gigabytes * 1e9;

    SimulatorOptions one = dense(1, 1, 2);
    one.unwritten_ranks = {1};
    one = with_size(one, bytes, folder / "scratch");
    write(one, folder / "one");
    one.compression = Compression::gzip;
    write(one, folder / "gzipped");
    const fs::path plain = folder / "one" / "rank0.json";
    measure_file(plain, folder / "gzipped" / "rank0.json.gz", rounds);
    measure_memory(plain, 1);
    measure_memory(plain, 4);
    fs::remove_all(folder / "one");
    fs::remove_all(folder / "gzipped");

    SimulatorOptions eight = with_size(dense(2, 2, 2), bytes / 4, folder / "scratch");
    eight.compression = Compression::gzip;
    write(eight, folder / "eight");
    measure_files(folder / "eight", rounds);
    measure_cache(folder / "eight", folder / "cache");
    measure_digest_size(folder / "eight", folder / "eight_digests");
    fs::remove_all(folder / "eight");

    if (ranks > 0)
        measure_ranks(ranks, folder);
    fs::remove_all(folder);
    return 0;
}
