// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on other machines: ssh://[user@]host[:port]/path, in place of a path.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/notice.h"

namespace rankscope {

struct RemotePath {
    std::string user; ///< empty: as ssh has it
    std::string host; ///< a name, an address or a word of ssh's configuration; an IPv6 address without brackets
    int port = 0;     ///< 0: as ssh has it
    std::string path; ///< any bytes but NUL, from "/" on; "/~/runs" is below the home folder

    /// "user@host:port", for messages.
    [[nodiscard]] std::string place() const;
    /// The whole address, which reads back as the same: "%" and what is not to be printed are escaped.
    [[nodiscard]] std::filesystem::path text() const;
    /// The same machine, another path there.
    [[nodiscard]] RemotePath at(std::string other) const { return {user, host, port, std::move(other)}; }
};

/// Whether it starts with "ssh://".
bool is_remote(const std::filesystem::path& path);

/// Escapes as in other addresses (%20) are read. Error: it is no such address; or user or host have characters that no
/// user or host has, which a program or a shell could take for something else.
Result<RemotePath> parse_remote_path(std::string_view text);

/// One word of letters, digits, "/", ".", "-", "_" and "%": other bytes are escaped.
std::string escaped_word(std::string_view bytes);
/// Nothing where an escape is none.
std::optional<std::string> unescaped_word(std::string_view text);

/// A path that stays below the folder it is put in: "rank0.digest", "host1/trace.json". What another machine names goes
/// through this.
bool is_safe_below(const std::string& name);

} // namespace rankscope
