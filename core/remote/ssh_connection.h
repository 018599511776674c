// SPDX-License-Identifier: GPL-3.0-or-later
// A rankscope on another machine, asked through the system's ssh. Who may log in, and whether it is the right machine,
// is the affair of ssh and its configuration.
#pragma once
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/input/bytes/child_process.h"
#include "core/remote/remote_path.h"
#include "core/remote/remote_wishes.h"

namespace rankscope {

/// Why a connection gives no more.
struct ConnectionTrouble {
    Error error;
    bool lost = false;     ///< it may be tried again
    bool unusable = false; ///< the rankscope there cannot be asked by this one
};
template <typename T>
using Answered = tl::expected<T, ConnectionTrouble>;

class SshConnection {
public:
    /// Starts ssh and the rankscope there, and waits until it says what it is. Where it lacks one, wishes.may_install
    /// decides. Nothing of remote is a word of a shell or an option: the path does not travel here at all.
    static Answered<SshConnection> open(const RemotePath& remote, const RemoteWishes& wishes, std::stop_token cancel);

    Answered<void> say(std::string_view text);
    /// The next line without its end, but for ticks. work: for how long ticks alone may come, besides the patience.
    /// Trouble: also an "error" of the other side, which is not lost.
    Answered<std::string> line(std::chrono::milliseconds work = {});
    Answered<std::string> bytes(std::size_t count);
    /// The words of the line expected, of so many words; anything else is trouble.
    Answered<std::vector<std::string>> expect(std::string_view first, std::size_t count);

    /// A part that has been announced, as the bytes of its chunks until its end. take: false ends it as trouble of
    /// writing. Bytes beyond `most` are trouble.
    Answered<void> chunks(std::uint64_t most, const std::function<Result<void>(std::string_view)>& take);

    /// What the other side said is not as the protocol has it.
    [[nodiscard]] ConnectionTrouble nonsense() const;

private:
    SshConnection(RemotePath remote, ChildProcess ssh, std::chrono::milliseconds patience, std::stop_token cancel)
        : remote_(std::move(remote)), ssh_(std::move(ssh)), patience_(patience), cancel_(std::move(cancel)) {}
    Answered<void> fill(std::chrono::milliseconds patience);
    Answered<std::string> any_line(std::chrono::milliseconds patience);
    [[nodiscard]] ConnectionTrouble trouble_of(ChildProcess::Transfer transfer);
    Answered<void> greet();

    RemotePath remote_;
    ChildProcess ssh_;
    std::chrono::milliseconds patience_; ///< RemoteWishes::patience
    std::stop_token cancel_;
    std::string pending_; ///< arrived and not taken
    std::size_t taken_ = 0;
};

} // namespace rankscope
