// SPDX-License-Identifier: GPL-3.0-or-later
// Rows a second of reading an export of Nsight Systems, beside the sqlite3 shell writing the same columns to /dev/null.
// rankscope_bench_nsys [MILLIONS] : kernels generated, default 2; a runtime call for each.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "core/input/bytes/child_process.h"
#include "core/input/load/load_run.h"
#include "core/input/nsys/nsys_tables.h"
#include "tests/bench/stopwatch.h"
#include "tests/support/nsys_export.h"

using namespace rankscope;
namespace fs = std::filesystem;

namespace {

constexpr int kRepetitions = 3;

void generate(const fs::path& path, long kernels) {
    NsysExport report(path);
    report.session_start(1'700'000'000'000'000'000);
    for (const int process : {100, 101})
        report.kernel(0, 10, "first", {.process = process, .device = process - 100});
    report.call(0, 5, "cudaLaunchKernel_v7000", nsys_tid(100, 100), 0);
    for (int i = 0; i < 200; ++i)
        report.text(fmt::format("void kernel_{}<float, 128>(Params)", i));
    const std::string numbers =
        fmt::format("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {}) ", kernels);
    report.run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL " + numbers +
               fmt::format("SELECT i * 1000, i * 1000 + 700 + i % 250, i % 2, 1, NULL, 7 + i % 3, i, {} + (i % 2) * "
                           "16777216, 103 + i % 200, 103 + i % 200, 32, "
                           "1 + i % 100, 1, 1, 128, 1, 1, 0, 1024, NULL FROM n",
                           nsys_pid(100)));
    report.run("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME " + numbers +
               fmt::format("SELECT i * 1000 - 900, i * 1000 - 800, 0, {} + (i % 2) * 16777216, i, 101, 0, NULL FROM n",
                           nsys_tid(100, 100)));
}

std::string dump_statement() {
    std::string statements;
    for (const NsysTable& table : nsys_tables()) {
        const std::string name = table.name;
        if (!name.ends_with("KERNEL") && !name.ends_with("RUNTIME"))
            continue;
        std::string columns;
        for (const char* column : table.columns)
            if (std::string_view(column) != "mangledName") // the generated table has no such column
                columns += fmt::format("{}\"{}\"", columns.empty() ? "" : ",", column);
        statements += fmt::format("SELECT {} FROM {};", columns, name);
    }
    return statements;
}

} // namespace

int main(int argc, char** argv) {
    const long kernels = static_cast<long>((argc > 1 ? std::atof(argv[1]) : 2.0) * 1e6);
    const fs::path folder = fs::temp_directory_path() / fmt::format("rankscope-bench-nsys-{}", ::getpid());
    fs::create_directories(folder);
    const fs::path file = folder / "report.sqlite";
    generate(file, kernels);
    const double rows = 2.0 * static_cast<double>(kernels);
    fmt::print("{:.1f} M rows, {:.0f} MB\n", rows / 1e6, static_cast<double>(fs::file_size(file)) / 1e6);
    const auto print = [&](const char* what, double seconds) {
        fmt::print("{:<34} {:6.2f} s  {:6.2f} M rows/s\n", what, seconds, rows / seconds / 1e6);
    };
    if (const fs::path shell = find_on_path("sqlite3"); !shell.empty()) {
        bool failed = false;
        const double seconds = best_seconds(
            Clock::wall,
            [&] {
                const auto dumped =
                    run_program(shell, {"-readonly", "-csv", file.string(), ".output /dev/null", dump_statement()});
                failed |= !dumped || dumped->exit_code != 0;
            },
            kRepetitions);
        failed ? fmt::print("the sqlite3 shell failed\n") : print("sqlite3 shell, to /dev/null", seconds);
    } else {
        fmt::print("no sqlite3 shell to compare with\n");
    }
    for (const int jobs : {1, 0}) {
        LoadOptions options;
        options.jobs = jobs;
        bool whole = true;
        const double seconds = best_seconds(
            Clock::wall,
            [&] {
                const auto run = load_run(file, options);
                whole &= run && static_cast<double>((*run)->event_count()) >= rows;
            },
            kRepetitions);
        print(jobs == 1 ? "Rankscope, one thread, whole model" : "Rankscope, all cores, whole model", seconds);
        if (!whole)
            fmt::print("not all rows were read\n");
    }
    fs::remove_all(folder);
    return 0;
}
