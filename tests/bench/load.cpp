// SPDX-License-Identifier: GPL-3.0-or-later
// How fast traces load, beside what bounds it, in one run: one file on one thread against simdjson On-Demand alone
// walking the same fields of the same file; then all files on all cores; and the peak memory.
//   rankscope_bench_load [FILE...]     without files: 8 simulated ranks in a temporary folder
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>
#include <sys/resource.h>
#include <tbb/task_arena.h>

#include "core/input/kineto_reader.h"
#include "core/input/load_run.h"
#include "tests/bench/stopwatch.h"
#include "tests/support/run_simulator.h"

namespace {

using namespace rankscope;
namespace fs = std::filesystem;
namespace od = simdjson::ondemand;

/// Sums of everything walked, so that nothing is optimised away.
struct Walked {
    std::uint64_t events = 0;
    std::uint64_t checksum = 0;
};

std::uint64_t scalar_sum(od::value value) {
    const std::string_view token = value.raw_json_token();
    return static_cast<unsigned char>(token[0]) + token.size();
}

/// name, ph, cat, pid, tid, ts, dur of each event and correlation, External id, stream, device of its arguments, as raw tokens: the
/// least that any reader must touch. Text that simdjson refuses (it takes up to 4 GB) throws.
Walked walk_with_simdjson(const fs::path& file) {
    Walked walked;
    const simdjson::padded_string text = simdjson::padded_string::load(file.string());
    od::parser parser;
    od::document document = parser.iterate(text);
    for (od::object event : document["traceEvents"].get_array()) {
        ++walked.events;
        for (auto field : event) {
            const std::string_view key = field.unescaped_key();
            if (key == "ts" || key == "dur") {
                od::value number = field.value();
                walked.checksum += static_cast<std::uint64_t>(number.get_double().value());
            } else if (key == "name" || key == "cat" || key == "ph") {
                od::value name = field.value();
                walked.checksum += name.get_string().value().size();
            } else if (key == "pid" || key == "tid") {
                walked.checksum += scalar_sum(field.value());
            } else if (key == "args") {
                od::object args;
                if (field.value().get_object().get(args) != simdjson::SUCCESS)
                    continue;
                for (auto arg : args) {
                    const std::string_view arg_key = arg.unescaped_key();
                    if (arg_key == "correlation" || arg_key == "External id" || arg_key == "stream" || arg_key == "device")
                        walked.checksum += scalar_sum(arg.value());
                }
            }
        }
    }
    return walked;
}

std::vector<fs::path> simulated_files(const fs::path& folder) {
    SimulatorOptions options;
    options.pp = 2;
    options.dp = 2;
    options.tp = 2;
    options.steps = 40;
    options.microbatches = 8;
    options.layers = 8;
    options.cpu_detail = 2;
    const auto truth = write_run(options, folder);
    if (!truth) {
        fmt::print(stderr, "{}\n", truth.error().message);
        std::exit(1);
    }
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().string().find(".json") != std::string::npos)
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

double peak_memory_mb() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void measure_one_file(const fs::path& file) {
    const double megabytes = static_cast<double>(fs::file_size(file)) / 1e6;
    Walked walked;
    const double bound = best_seconds(Clock::cpu, [&] { walked = walk_with_simdjson(file); });
    std::uint64_t events = 0;
    tbb::task_arena arena(1);
    const double ours = best_seconds(Clock::cpu, [&] {
        const auto names = std::make_shared<StringTable>();
        const auto rank = arena.execute([&] { return read_kineto(file, names, {}); });
        events = rank ? (*rank)->events.size() : 0;
    });
    fmt::print("one file, one thread, CPU time ({:.0f} MB, {} array elements, {} events)\n", megabytes, walked.events, events);
    fmt::print("  simdjson alone  {:8.0f} MB/s {:8.2f} M elements/s\n", megabytes / bound, static_cast<double>(walked.events) / bound / 1e6);
    fmt::print("  rankscope       {:8.0f} MB/s {:8.2f} M elements/s   ratio {:.2f}\n", megabytes / ours,
               static_cast<double>(walked.events) / ours / 1e6, bound / ours);
}

void measure_all(const fs::path& folder, double megabytes) {
    std::uint64_t events = 0;
    std::size_t model = 0;
    const double before = peak_memory_mb();
    const double seconds = best_seconds(Clock::wall, [&] {
        const auto run = load_run(folder);
        if (!run)
            return;
        events = (*run)->event_count();
        model = (*run)->names->memory_bytes();
        for (const auto& rank : (*run)->ranks)
            model += rank->memory_bytes();
    });
    fmt::print("all files, all cores ({:.0f} MB, {} events)\n", megabytes, events);
    fmt::print("  rankscope       {:8.0f} MB/s {:8.2f} M events/s\n", megabytes / seconds, static_cast<double>(events) / seconds / 1e6);
    fmt::print("  model {:.0f} MB, {:.1f} bytes an event; peak memory of the process {:.0f} MB (before {:.0f} MB)\n",
               static_cast<double>(model) / 1e6, static_cast<double>(model) / static_cast<double>(events), peak_memory_mb(), before);
}

} // namespace

int main(int argc, char** argv) {
    std::vector<fs::path> files(argv + 1, argv + argc);
    const fs::path folder = fs::temp_directory_path() / fmt::format("rankscope-bench-{}", ::getpid());
    const bool simulated = files.empty();
    if (simulated)
        files = simulated_files(folder);
    double megabytes = 0;
    for (const fs::path& file : files)
        megabytes += static_cast<double>(fs::file_size(file)) / 1e6;
    if (simulated)
        measure_all(folder, megabytes);
    measure_one_file(files.front());
    if (simulated)
        fs::remove_all(folder);
    return 0;
}
