// SPDX-License-Identifier: GPL-3.0-or-later
// What has come from another machine: a folder in $XDG_CACHE_HOME/rankscope/remote (or ~/.cache/...) for each address.
// A file in it is whole; what came of one that was cut off lies apart.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/notice.h"

namespace rankscope {

/// Closed to other processes while files arrive, open to those that read when no more do.
class RemoteMirror {
public:
    static constexpr std::uint64_t kMostBytes = std::uint64_t{20} << 30; ///< of all mirrors together

    /// address: what the folder stands for, any text. keep: false for a folder that is gone with this object. Waits
    /// while another process fills it. Error: cannot be written, or cancelled.
    static Result<std::shared_ptr<RemoteMirror>> open(const std::string& address, bool keep,
                                                      const std::stop_token& cancel);
    ~RemoteMirror();
    RemoteMirror(const RemoteMirror&) = delete;
    RemoteMirror& operator=(const RemoteMirror&) = delete;

    struct File {
        std::string name; ///< below files(); safe
        std::uint64_t bytes = 0;
    };

    [[nodiscard]] std::filesystem::path files() const { return folder_ / "files"; }
    /// The listing kept last; empty: none.
    [[nodiscard]] std::string listing() const;
    Result<void> keep_listing(const std::string& text) const;

    /// The files of that key, if all of them are there as they came; nullptr: not.
    [[nodiscard]] const std::vector<File>* arrived(const std::string& key) const;
    /// Where the bytes of a part that has not come to its end are collected.
    [[nodiscard]] std::filesystem::path unfinished(const std::string& key) const;
    /// Moves a finished part below files().
    Result<void> put(const std::filesystem::path& finished, const std::string& name) const;
    /// From now on arrived().
    Result<void> note(const std::string& key, std::vector<File> files);
    /// Removes what is of none of those keys.
    void keep_only(const std::vector<std::string>& keys);
    /// No more files arrive. Removes the mirrors unused for longest where all together are too large.
    void finish();

private:
    RemoteMirror() = default;
    void read_arrived();
    void drop_leftovers() const;

    std::filesystem::path folder_;
    bool keep_ = true;
    int lock_ = -1;
    std::map<std::string, std::vector<File>> arrived_;
};

} // namespace rankscope
