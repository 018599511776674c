// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the dumps of a large job are read and judged: 1 024 ranks with 2 000 calls each, of which 16 stopped.
//   rankscope_bench_hang            made dumps, in a temporary folder that is removed afterwards
//   rankscope_bench_hang FOLDER...  those
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "core/analysis/hang/hang.h"
#include "core/base/worker_threads.h"
#include "core/input/load/load_run.h"
#include "tests/bench/stopwatch.h"
#include "tests/support/large_hang.h"

namespace {

using namespace rankscope;
namespace fs = std::filesystem;

void measure(const fs::path& folder, int jobs) {
    LoadOptions options;
    options.jobs = jobs;
    options.use_cache = false;
    const double begin = seconds_on(Clock::wall), cpu = seconds_on(Clock::cpu);
    const auto run = load_run(folder, options);
    if (!run) {
        fmt::print(stderr, "{}\n", english(run.error().message));
        std::exit(1);
    }
    const double read = seconds_on(Clock::wall);
    const auto hang = find_hang(**run);
    const double end = seconds_on(Clock::wall);
    std::size_t calls = 0;
    for (const auto& rank : (*run)->ranks)
        calls += rank->flight_recorder ? rank->flight_recorder->calls.size() : 0;
    fmt::print("--jobs {}: {} ranks, {} calls: read in {:.2f} s, judged in {:.2f} s, {:.2f} s of processor time. {}\n",
               jobs, (*run)->ranks.size(), calls, read - begin, end - read, seconds_on(Clock::cpu) - cpu,
               hang ? english(hang_headline(*hang)) : "No dumps.");
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    start_worker_threads();
    std::vector<fs::path> folders(argv + 1, argv + argc);
    std::string name = (fs::temp_directory_path() / "rankscope-hang-XXXXXX").string();
    if (folders.empty()) {
        if (::mkdtemp(name.data()) == nullptr)
            return 1;
        LargeHang job;
        for (int rank = 5; rank < job.ranks(); rank += 64)
            job.stopped.insert(rank);
        write_large_hang(job, name);
        folders.push_back(name);
    }
    for (const fs::path& folder : folders)
        for (const int jobs : {1, 2, 2, 2})
            measure(folder, jobs);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("peak memory {:.0f} MB\n", static_cast<double>(usage.ru_maxrss) / 1024);
    if (argc == 1)
        fs::remove_all(name);
    return 0;
}
