// SPDX-License-Identifier: GPL-3.0-or-later
// How fast real traces load, beside what bounds any reader, in one run of one program: with one thread beside simdjson
// On-Demand alone, with two beside one, gzip'd beside ISA-L and simdjson one after the other. The traces of
// ../shared/traces are small, so each is repeated.
//   rankscope_bench_real [MEGABYTES [ROUNDS]]     default: 250 MB, 9 rounds; in a temporary folder, removed afterwards
// What is compared takes turns. A ratio is the median of those of the rounds: of the time by the clock, and, in
// brackets, of processor time, which other work on the machine disturbs less.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "core/base/worker_threads.h"
#include "tests/bench/inflate_alone.h"
#include "tests/bench/load_cost.h"
#include "tests/bench/repeated_trace.h"
#include "tests/bench/simdjson_walk.h"

namespace {

using namespace rankscope;
namespace fs = std::filesystem;

/// id_stretch: how much wider than recorded the gaps between ids are. In these recordings a call takes 5 to 6.5 ids; in
/// others it takes up to 18, now and then over 200.
struct Trace {
    const char* title;
    const char* file;
    std::int64_t id_stretch;
};
constexpr Trace kTraces[] = {
    {"nccl_a100", "nccl_a100/nccl_data.json.gz", 1},
    {"nccl_a100, gaps between ids three times as wide", "nccl_a100/nccl_data.json.gz", 3},
    {"trace_diff_test, gaps between ids three times as wide", "trace_diff_test/test.json.gz", 3},
    {"dlrm_v100_8rank", "dlrm_v100_8rank/worker0_step_12.1694128201545.pt.trace.json", 1},
};

using Costs = std::map<std::string, std::vector<Cost>>;

/// "1.23 (1.30)": how many times as fast what takes `ours` is as what takes all of `bounds` one after the other.
std::string speed(const Costs& costs, const std::string& ours, const std::vector<std::string>& bounds) {
    std::vector<double> wall, cpu;
    for (std::size_t round = 0; round < costs.at(ours).size(); ++round) {
        Cost bound;
        for (const std::string& name : bounds)
            for (const auto field : kAllCosts)
                bound.*field += costs.at(name)[round].*field;
        const Cost& cost = costs.at(ours)[round];
        wall.push_back(bound.seconds / cost.seconds);
        cpu.push_back((bound.user + bound.system) / (cost.user + cost.system));
    }
    return fmt::format("{:.2f} ({:.2f})", median(wall), median(cpu));
}

void print(const Costs& costs, const char* title, const std::string& name, double text, const std::string& ratio) {
    const Cost cost = median(costs.at(name));
    fmt::print(
        "  {:<24}{:6.3f} s {:5.0f} MB/s  user {:.3f} s, system {:.3f} s; switches {:.0f} waiting, {:.0f} forced; "
        "page faults {:.0f}{}\n",
        title, cost.seconds, text / kMega / cost.seconds, cost.user, cost.system, cost.switches, cost.forced_switches,
        cost.page_faults, ratio);
}

void measure(const Trace& trace, const fs::path& source, double bytes, int rounds, const fs::path& folder) {
    const fs::path plain = folder / "rank0.json", gzipped = folder / "rank0.json.gz";
    write_repeated(source, bytes, trace.id_stretch, plain);
    if (std::system(fmt::format("gzip -1 -c '{}' > '{}'", plain.string(), gzipped.string()).c_str()) != 0)
        std::exit(1);
    Costs costs;
    Loaded loaded;
    for (int round = 0; round < rounds; ++round) {
        costs["simdjson"].push_back(cost_of([&] { walk_with_simdjson(plain); }));
        costs["one"].push_back((loaded = load_and_measure(plain, 1)).cost);
        costs["two"].push_back(load_and_measure(plain, 2).cost);
        costs["igzip"].push_back(cost_of([&] { inflate_alone(gzipped); }));
        costs["gzip"].push_back(load_and_measure(gzipped, 2).cost);
    }
    fmt::print("{}: {:.0f} MB of text, {} events, {:.1f} bytes of memory an event; median of {}\n", trace.title,
               loaded.text / kMega, loaded.events, loaded.model / static_cast<double>(loaded.events), rounds);
    print(costs, "simdjson alone", "simdjson", loaded.text, "");
    print(costs, "one thread", "one", loaded.text, "; speed of simdjson: " + speed(costs, "one", {"simdjson"}));
    print(costs, "two threads", "two", loaded.text, "; speed of one thread: " + speed(costs, "two", {"one"}));
    print(costs, "igzip alone", "igzip", loaded.text, "");
    print(costs, "gzip'd, two threads", "gzip", loaded.text,
          "; speed of igzip and simdjson in turn: " + speed(costs, "gzip", {"igzip", "simdjson"}));
    fs::remove(plain);
    fs::remove(gzipped);
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const double megabytes = argc > 1 ? std::stod(argv[1]) : 250;
    const int rounds = argc > 2 ? std::stoi(argv[2]) : 9;
    start_worker_threads();
    std::string name = (fs::temp_directory_path() / "rankscope-real-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        return 1;
    for (const Trace& trace : kTraces)
        if (const fs::path source = fs::path(RANKSCOPE_SHARED_DIR) / "traces" / trace.file; fs::exists(source))
            measure(trace, source, megabytes * kMega, rounds, name);
        else
            fmt::print("skipped: no {}\n", source.string());
    fs::remove_all(name);
    return 0;
}
