// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command/headless.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include "app/command/batch.h"
#include "app/command/process.h"
#include "app/command/stdio_session.h"
#include "app/command/table.h"
#include "core/base/memory_guard.h"
#include "core/base/worker_threads.h"
#include "core/input/format/memory_limit.h"
#include "core/input/load/trace_cache.h"
#include "core/remote/remote_server.h"
#include "core/report/json_report.h"
#include "core/report/query_output.h"
#include "core/version.h"

namespace rankscope {
namespace {

int print(std::string_view text) {
    const auto printed = print_data(text);
    return printed ? 0 : fail(printed.error());
}

int serve_other_machine(const Options& options, const Interrupt& interrupt) {
    const auto served = serve_remote(STDIN_FILENO, STDOUT_FILENO, options.jobs, interrupt.token());
    return served ? 0 : fail(served.error());
}

int analyse(const Options& options) {
    int code = exit_code(Error::Code::input);
    bool refused = false; // memory or threads
    const bool called = call_with_usual_stack([&] {
        Interrupt interrupt;
        // Without --memory the machine keeps a little for itself, and ends nobody for want of memory.
        limit_memory(options.memory_bytes > 0 ? options.memory_bytes : machine_memory() / 10 * 9);
        try {
            // Never taken back: where oneTBB lacked memory once, that would wait for ever.
            static auto& threads = *std::make_unique<std::optional<tbb::global_control>>().release();
            if (options.jobs > 0)
                threads.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(options.jobs));
            start_worker_threads(options.jobs);
            code = options.action == Options::Action::serve_stdio    ? serve_stdio(options, interrupt)
                   : options.action == Options::Action::serve_remote ? serve_other_machine(options, interrupt)
                                                                     : run_batch(options, interrupt);
        } catch (const std::bad_alloc&) {
            refused = true;
            const std::uint64_t limit = met_memory_limit();
            print_error(
                {Error::Code::input, fmt::format("{}; {}",
                                                 limit > 0 ? "analysing this takes more than the memory budget of " +
                                                                 memory_text(limit) + " (--memory)"
                                                           : std::string(kNoMemory),
                                                 kNeedsLess)});
        } catch (const std::runtime_error& error) { // oneTBB, where no thread can be had
            refused = true;
            print_error({Error::Code::input, "the system refuses what the analysis needs: %1"_text(error.what())});
        }
        finish_cache_writes();
    });
    if (!called)
        print_error({Error::Code::input, "the stack that ulimit -s leaves is too small"_text});
    // A thread of oneTBB may still hold a task of the work that was broken off: it would crash on the way out.
    if (refused) {
        std::fflush(nullptr);
        std::_Exit(code);
    }
    return code;
}

} // namespace

int fail(const Error& error) {
    print_error(error);
    return exit_code(error.code);
}

int run_without_window(const Options& options) {
    switch (options.action) {
    case Options::Action::help: return print(help_text(options.help_of));
    case Options::Action::version: return print(fmt::format("rankscope {}\n", kVersion));
    case Options::Action::list_metrics:
        return print(options.json ? metric_list_json(options.rules.metrics) : metric_list_text(options.rules.metrics));
    case Options::Action::list_tables: return print(options.json ? table_list_json() : table_list_text());
    case Options::Action::batch:
    case Options::Action::serve_stdio:
    case Options::Action::serve_remote:
    case Options::Action::one_metric: return analyse(options);
    case Options::Action::window: break;
    }
    return fail({Error::Code::usage, "this program has no window: use rankscope, or --batch RUN"_text});
}

} // namespace rankscope
