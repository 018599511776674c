// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command/digest_command.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "app/command/batch.h"
#include "app/command/batch_input.h"
#include "app/command/process.h"
#include "core/base/text.h"
#include "core/base/worker_threads.h"
#include "core/input/digest/trace_file.h"
#include "core/input/find/run_config.h"
#include "core/remote/make_digests.h"
#include "core/remote/remote_run.h"
#include "core/trace/digest_facts.h"

namespace rankscope {
namespace {

/// What all files of the run share while they are digested.
struct Work {
    const Options& options;
    Interrupt& interrupt;
    Run beside{}; ///< the configuration beside the traces
    std::mutex mutex{};
    Error first_error{Error::Code::input, {}};
    std::size_t unreadable = 0;
    std::size_t written = 0;
    std::uint64_t digest_bytes = 0;
    std::uint64_t text_bytes = 0;

    void fail(const Error& error) {
        const std::lock_guard lock(mutex);
        ++unreadable;
        // What ends the whole work counts more than a rank that cannot be read.
        if (first_error.message.empty() || error.code != Error::Code::input)
            first_error = error;
        if (!options.quiet && error.code == Error::Code::input)
            tell("rankscope: {}\n", terminal_safe(english(error.message)));
    }
    [[nodiscard]] bool stopped() {
        const std::lock_guard lock(mutex);
        return interrupt.token().stop_requested() || first_error.code != Error::Code::input;
    }
};

Result<void> write_digest(Work& work, const MadeDigest& made) {
    const auto path = *work.options.digest / fmt::format("rank{}.digest", made.digest->rank);
    {
        const auto lock = work.interrupt.writing();
        if (const auto done = write_trace_file(path, *made.digest, TraceFileKind::digest); !done)
            return done;
    }
    const std::lock_guard lock(work.mutex);
    ++work.written;
    work.digest_bytes += std::filesystem::file_size(path);
    work.text_bytes += made.text_bytes;
    return {};
}

void digest_file(Work& work, const RankFile& file) {
    if (work.stopped())
        return;
    ReadOptions read;
    read.cancel = work.interrupt.token();
    const auto digests = make_digests(file, work.beside, read);
    if (!digests)
        return work.fail(digests.error());
    for (const auto& made : *digests) {
        if (!made) {
            work.fail(made.error());
            continue;
        }
        if (const auto done = write_digest(work, *made); !done)
            return work.fail(done.error());
    }
}

tl::unexpected<Error> interrupted() { return tl::unexpected<Error>(Error{Error::Code::cancelled, "interrupted"_text}); }

/// Says how the digests went, after the last file.
Result<int> finish(Work& work) {
    if (work.interrupt.token().stop_requested())
        return interrupted();
    if (work.first_error.code != Error::Code::input || work.written == 0)
        return tl::unexpected<Error>(work.first_error);
    if (!work.options.quiet)
        tell("rankscope: {} digests written to {}: {:.1f} MB, {:.2f} % of {:.1f} MB of traces\n", work.written,
             terminal_safe(work.options.digest->string()), static_cast<double>(work.digest_bytes) / 1e6,
             100 * static_cast<double>(work.digest_bytes) / std::max(1.0, static_cast<double>(work.text_bytes)),
             static_cast<double>(work.text_bytes) / 1e6);
    return work.unreadable == 0 ? 0 : exit_code(Error::Code::input);
}

/// Of a run on another machine: the digests come from there, and get the configuration that lies beside the traces.
Result<int> fetch_digests(const Options& options, Interrupt& interrupt) {
    LoadOptions load;
    load.mode = options.modes.empty() ? ProfileMode::automatic : options.modes.front();
    load.use_cache = options.use_cache;
    load.cancel = interrupt.token();
    const auto fetched = fetch_run(options.paths.front(), load, remote_wishes(options));
    if (!fetched)
        return tl::unexpected<Error>(fetched.error());
    Work work{options, interrupt};
    for (const Notice& failure : fetched->failures)
        work.fail({Error::Code::input, failure.message});
    read_run_config(fetched->folder, work.beside);
    const auto files = find_run_files(fetched->folder);
    if (!files)
        return tl::unexpected<Error>(work.first_error.message.empty() ? files.error() : work.first_error);
    for (const RankFile& file : files->ranks) {
        if (work.stopped())
            break;
        auto read = read_trace_file(file.path, TraceFileKind::digest, std::make_shared<StringTable>());
        if (!read) {
            work.fail({Error::Code::input, "%1: no digest can be made of %2"_text(options.paths.front().string(),
                                                                                  file.path.filename().string())});
            continue;
        }
        const auto digest = std::make_shared<RankTrace>(*read->trace);
        auto facts = std::make_shared<DigestFacts>(*digest->digest);
        facts->config.insert(work.beside.config.begin(), work.beside.config.end());
        if (!work.beside.serving.file.empty() || !work.beside.serving.requests.empty())
            facts->serving = work.beside.serving;
        facts->expert_loads.insert(facts->expert_loads.end(), work.beside.expert_loads.begin(),
                                   work.beside.expert_loads.end());
        digest->digest = facts;
        if (const auto done = write_digest(work, {digest, digest->text_bytes}); !done)
            return tl::unexpected<Error>(done.error());
    }
    return finish(work);
}

} // namespace

Result<int> write_digests(const Options& options, Interrupt& interrupt) {
    std::error_code error;
    std::filesystem::create_directories(*options.digest, error);
    if (!error && !std::filesystem::is_directory(*options.digest, error) && !error)
        error = std::make_error_code(std::errc::not_a_directory);
    if (error)
        return tl::unexpected<Error>(Error{
            Error::Code::output, "cannot create the folder %1: %2"_text(options.digest->string(), error.message())});
    if (is_remote(options.paths.front()))
        return fetch_digests(options, interrupt);
    tbb::task_arena arena(worker_threads(options.jobs));
    const ProfileMode mode = options.modes.empty() ? ProfileMode::automatic : options.modes.front();
    const auto files = arena.execute([&] { return find_run_files(options.paths.front(), mode); });
    if (!files)
        return tl::unexpected<Error>(files.error());
    Work work{options, interrupt};
    read_run_config(options.paths.front(), work.beside);
    arena.execute([&] {
        tbb::parallel_for(std::size_t{0}, files->ranks.size(), [&](std::size_t i) {
            tbb::this_task_arena::isolate([&] { digest_file(work, files->ranks[i]); });
        });
    });
    return finish(work);
}

} // namespace rankscope
