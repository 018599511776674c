// SPDX-License-Identifier: GPL-3.0-or-later
// Opens what a path names, here or on another machine (ssh://[user@]host[:port]/path). Of a run elsewhere digests are
// made there; they travel, and files that are small as they are, and later what is looked at closely. All that came is
// kept (remote_mirror.h), and what did not change does not travel again.
#pragma once
#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/input/load/load_run.h"
#include "core/remote/remote_path.h"
#include "core/remote/remote_wishes.h"

namespace rankscope {

/// As load_run(). A connection that is lost is told and made again, a few times; then it is an error, and what arrived
/// stays. Run::path is the address, and RankTrace::file of a digest that of its trace.
Result<std::shared_ptr<const Run>> open_run(const std::filesystem::path& path, const LoadOptions& options = {},
                                            const RemoteWishes& wishes = {});

class RemoteMirror;

/// What came of a run on another machine: digests, and files that are small as they are.
struct FetchedFiles {
    std::filesystem::path folder;               ///< here
    std::shared_ptr<const RemoteMirror> mirror; ///< while it is held, nobody changes the files
    Notices failures;                           ///< of files there that cannot be read
};
/// The first half of open_run().
Result<FetchedFiles> fetch_run(const std::filesystem::path& path, const LoadOptions& options,
                               const RemoteWishes& wishes = {});

/// As read_full_trace(); of a digest from another machine the trace is fetched. keep: it may stay in the cache.
Result<std::shared_ptr<const RankTrace>> open_full_trace(const RankTrace& digest,
                                                         const std::shared_ptr<StringTable>& names,
                                                         const ReadOptions& options = {}, bool keep = true);

/// As read_event_text(); of a digest from another machine that event is fetched.
Result<std::string> open_event_text(const RankTrace& trace, EventIndex event, const std::stop_token& cancel = {});

/// As paths_of_runs(). Error: of another machine, where it cannot be asked.
Result<std::vector<std::filesystem::path>> find_paths_of_runs(const std::filesystem::path& path,
                                                              const RemoteWishes& wishes = {},
                                                              const std::stop_token& cancel = {});

} // namespace rankscope
