// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/digest_command.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "app/batch.h"
#include "app/process.h"
#include "core/analysis/digest/digest.h"
#include "core/base/text.h"
#include "core/base/worker_threads.h"
#include "core/input/bytes/file_stamp.h"
#include "core/input/digest/trace_file.h"
#include "core/input/find/run_config.h"
#include "core/input/load/load_run.h"

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
            tell("rankscope: {}\n", terminal_safe(error.message));
    }
    [[nodiscard]] bool stopped() {
        const std::lock_guard lock(mutex);
        return interrupt.token().stop_requested() || first_error.code != Error::Code::input;
    }
};

Result<void> write_digest(Work& work, const RankTrace& rank, int number, const FileStamp& stamp) {
    auto digest = std::make_shared<RankTrace>(*digest_of(rank, stamp, work.beside));
    digest->rank = number;
    const auto path = *work.options.digest / fmt::format("rank{}.digest", number);
    {
        const auto lock = work.interrupt.writing();
        if (const auto done = write_trace_file(path, *digest, TraceFileKind::digest); !done)
            return done;
    }
    const std::lock_guard lock(work.mutex);
    ++work.written;
    work.digest_bytes += std::filesystem::file_size(path);
    work.text_bytes += rank.text_bytes;
    return {};
}

void digest_file(Work& work, const RankFile& file) {
    if (work.stopped())
        return;
    const auto stamp = stamp_of(file.path); // before it is read: one that changes meanwhile does not fit later
    ReadOptions read;
    read.cancel = work.interrupt.token();
    const auto ranks = read_run_file(file, std::make_shared<StringTable>(), read);
    if (!ranks)
        return work.fail(ranks.error());
    for (std::size_t i = 0; i < ranks->size(); ++i) {
        const RankTrace& rank = *(*ranks)[i];
        if (rank.events.size() == 0 || rank.digest || !rank.can_be_copied() || !stamp) {
            work.fail({Error::Code::input,
                       fmt::format("{} {}", file.path.string(),
                                   rank.digest            ? "is a digest already"
                                   : rank.flight_recorder ? "is a dump of the Flight Recorder, and small as it is"
                                   : rank.operations      ? "is an operation timeline, and small as it is"
                                                          : "holds no events")});
            continue;
        }
        const int number =
            ranks->size() == 1 ? rank.rank : file.rank * static_cast<int>(ranks->size()) + static_cast<int>(i);
        if (const auto done = write_digest(work, rank, number, *stamp); !done)
            return work.fail(done.error());
    }
}

tl::unexpected<Error> interrupted() { return tl::unexpected<Error>(Error{Error::Code::cancelled, "interrupted"}); }

} // namespace

Result<int> write_digests(const Options& options, Interrupt& interrupt) {
    std::error_code error;
    std::filesystem::create_directories(*options.digest, error);
    if (!error && !std::filesystem::is_directory(*options.digest, error) && !error)
        error = std::make_error_code(std::errc::not_a_directory);
    if (error)
        return tl::unexpected<Error>(
            Error{Error::Code::output,
                  fmt::format("cannot create the folder {}: {}", options.digest->string(), error.message())});
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
    if (interrupt.token().stop_requested())
        return interrupted();
    if (work.first_error.code != Error::Code::input || work.written == 0)
        return tl::unexpected<Error>(work.first_error);
    if (!options.quiet)
        tell("rankscope: {} digests written to {}: {:.1f} MB, {:.2f} % of {:.1f} MB of traces\n", work.written,
             terminal_safe(options.digest->string()), static_cast<double>(work.digest_bytes) / 1e6,
             100 * static_cast<double>(work.digest_bytes) / std::max(1.0, static_cast<double>(work.text_bytes)),
             static_cast<double>(work.text_bytes) / 1e6);
    return work.unreadable == 0 ? 0 : exit_code(Error::Code::input);
}

} // namespace rankscope
