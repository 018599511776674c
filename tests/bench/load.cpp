// SPDX-License-Identifier: GPL-3.0-or-later
// How fast traces load with 1, 2 and all threads, and with more than there are cores: one file of 50, 250 and 1000 MB,
// plain and gzip'd, then eight files. Beside it simdjson On-Demand alone, walking the same fields of the same file, and
// Perfetto's trace processor where it is there.
//   rankscope_bench_load                 simulated files, in a temporary folder that is removed afterwards
//   rankscope_bench_load FILE|FOLDER...  those
//   PERFETTO_DIR, PERFETTO_SCRIPT        the folder with the wasm, and a script for node that loads a file with it
// What is compared takes turns; medians.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include "core/base/worker_threads.h"
#include "core/demo/run_simulator.h"
#include "core/input/kineto/kineto_reader.h"
#include "tests/bench/load_cost.h"
#include "tests/bench/simdjson_walk.h"
#include "tests/bench/sized_run.h"
#include "tests/bench/stopwatch.h"

namespace {

using namespace rankscope;
namespace fs = std::filesystem;

void measure_threads(const std::string& title, const fs::path& path, int rounds) {
    const int cores = tbb::info::default_concurrency();
    std::set<int> jobs{1, 2, cores, 4 * cores};
    std::map<int, std::vector<Cost>> costs;
    Loaded loaded;
    for (int round = 0; round < rounds; ++round)
        for (const int threads : jobs)
            costs[threads].push_back((loaded = load_and_measure(path, threads)).cost);
    fmt::print("{}: {:.0f} MB of text, {} events, {:.1f} bytes of memory an event; median of {}\n", title,
               loaded.text / kMega, loaded.events, loaded.model / static_cast<double>(loaded.events), rounds);
    const Cost one = median(costs.at(1));
    for (const int threads : jobs) {
        const Cost cost = median(costs.at(threads));
        fmt::print("  --jobs {:<3}{:7.3f} s {:6.0f} MB/s  {:4.2f} of one thread's time, {:4.2f} times as fast; user "
                   "{:.3f} s, system {:.3f} s; switches {:.0f} waiting, {:.0f} forced; page faults {:.0f}\n",
                   threads, cost.seconds, loaded.text / kMega / cost.seconds, cost.seconds / one.seconds,
                   one.seconds / cost.seconds, cost.user, cost.system, cost.switches, cost.forced_switches,
                   cost.page_faults);
    }
}

void measure_bound(const fs::path& file) {
    const double megabytes = static_cast<double>(fs::file_size(file)) / kMega;
    constexpr int kTimes = 5;
    const double bound = best_seconds(
        Clock::cpu, [&] { walk_with_simdjson(file); }, kTimes);
    tbb::task_arena arena(1);
    const double ours = best_seconds(
        Clock::cpu, [&] { arena.execute([&] { return read_kineto(file, std::make_shared<StringTable>(), {}); }); },
        kTimes);
    fmt::print("  processor time of one thread, best of {}: simdjson alone {:.0f} MB/s, rankscope {:.0f} MB/s, ratio "
               "{:.2f}\n",
               kTimes, megabytes / bound, megabytes / ours, bound / ours);
}

void measure_perfetto(const fs::path& file) {
    const char* const folder = std::getenv("PERFETTO_DIR");
    const char* const script = std::getenv("PERFETTO_SCRIPT");
    if (folder == nullptr || script == nullptr)
        return;
    fmt::print("  Perfetto's trace processor:\n");
    std::fflush(stdout);
    if (std::system(fmt::format("node '{}' '{}'", script, file.string()).c_str()) != 0)
        fmt::print("  {} failed\n", script);
}

void measure_size(double megabytes, int rounds, const fs::path& folder) {
    SimulatorOptions options = dense(1, 1, 2);
    options.unwritten_ranks = {1};
    options = with_size(options, megabytes * kMega, folder / "scratch");
    const fs::path plain = folder / "plain" / "rank0.json";
    write(options, plain.parent_path());
    measure_threads("one file", plain, rounds);
    if (megabytes < 500) { // Perfetto takes three times the file's size in memory, and half a minute for 1 GB
        measure_bound(plain);
        measure_perfetto(plain);
    }
    fs::remove_all(plain.parent_path());
    options.compression = Compression::gzip;
    write(options, folder / "gzipped");
    measure_threads("one file, gzip'd", folder / "gzipped" / "rank0.json.gz", rounds);
    fs::remove_all(folder / "gzipped");
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    start_worker_threads();
    if (argc > 1) {
        for (const fs::path path : std::vector<std::string>(argv + 1, argv + argc)) {
            measure_threads(path.string(), path, 7);
            if (path.extension() == ".json") {
                measure_bound(path);
                measure_perfetto(path);
            }
        }
        return 0;
    }
    std::string name = (fs::temp_directory_path() / "rankscope-load-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        return 1;
    const fs::path folder = name;
    measure_size(50, 9, folder);
    measure_size(250, 7, folder);
    measure_size(1000, 3, folder);
    write(with_size(dense(2, 2, 2), 50 * kMega, folder / "scratch"), folder / "eight");
    measure_threads("eight files", folder / "eight", 5);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("peak memory of all of it {:.0f} MB\n", static_cast<double>(usage.ru_maxrss) / 1024);
    fs::remove_all(folder);
    return 0;
}
