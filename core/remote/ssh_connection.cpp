// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/ssh_connection.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "core/base/text.h"
#include "core/input/bytes/section_file_version.h"
#include "core/remote/program_package.h"
#include "core/remote/remote_protocol.h"
#include "core/version.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// ssh itself gives up a host that does not answer; this is for what happens between, such as a key to be touched.
constexpr auto kPatienceForHello = 120s;
constexpr auto kPatience = 30s;                     ///< with what is copied there
constexpr std::size_t kMostBeforeHello = 64 * 1024; ///< scripts of a login may print something

/// The programs to look for there, in this order. The text is the same whatever is opened.
std::string command_to_serve() {
    return fmt::format("sh -c 'd=\"${{XDG_CACHE_HOME:-$HOME/.cache}}/rankscope/bin\"; "
                       "for p in \"$d/rankscope-{}/bin/rankscope-batch\" rankscope-batch rankscope; do "
                       "command -v \"$p\" >/dev/null 2>&1 && exec \"$p\" --serve-remote; done; "
                       "echo \"{} none $(uname -s) $(uname -m)\"'",
                       kVersion, kRemoteHello);
}

/// Takes a ProgramPackage from its input. It gets its name when its checksum is right and the program in it starts
/// there.
std::string command_to_install(std::string_view checksum) {
    return fmt::format("sh -c 'umask 077; d=\"${{XDG_CACHE_HOME:-$HOME/.cache}}/rankscope/bin\"; "
                       "mkdir -p \"$d\" && t=$(mktemp -d \"$d/{}.XXXXXX\") && cat >\"$t/package\" && "
                       "s=$(sha256sum <\"$t/package\") && test \"${{s%% *}}\" = {} && "
                       "tar -xzf \"$t/package\" -C \"$t\" && rm \"$t/package\" && "
                       "\"$t/bin/rankscope-batch\" --version >/dev/null && "
                       "ln -sfn \"$t\" \"$d/rankscope-{}\" && echo installed || {{ rm -rf \"$t\"; echo failed; }}'",
                       kVersion, checksum, kVersion);
}

std::vector<std::string> arguments_of(const RemotePath& remote, const std::string& command) {
    const auto set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    // Without a program that asks in a window nothing can be asked.
    const bool asks = set("SSH_ASKPASS") && (set("DISPLAY") || set("WAYLAND_DISPLAY"));
    std::vector<std::string> arguments{"-T", "-x"};
    for (const char* const option :
         {asks ? "BatchMode=no" : "BatchMode=yes", "ConnectTimeout=10", "ServerAliveInterval=10",
          "ServerAliveCountMax=3", "ClearAllForwardings=yes", "ForwardAgent=no", "PermitLocalCommand=no",
          "RemoteCommand=none", "ControlMaster=no", "LogLevel=ERROR"}) {
        arguments.emplace_back("-o");
        arguments.emplace_back(option);
    }
    if (remote.port > 0)
        arguments.insert(arguments.end(), {"-p", fmt::format("{}", remote.port)});
    if (!remote.user.empty())
        arguments.insert(arguments.end(), {"-l", remote.user});
    arguments.insert(arguments.end(), {"--", remote.host, command});
    return arguments;
}

Result<ChildProcess> start_ssh(const RemotePath& remote, const std::string& command) {
    const fs::path ssh = find_on_path("ssh");
    if (ssh.empty())
        return input_error("%1 needs the program ssh, which is not on PATH"_text(remote.text().string()));
    return ChildProcess::start(ssh, arguments_of(remote, command), {"SSH_ASKPASS_REQUIRE=force"});
}

std::string last_line(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.remove_suffix(1);
    const std::size_t before = text.rfind('\n');
    return shortened(terminal_safe(before == std::string_view::npos ? text : text.substr(before + 1)), 300);
}

tl::unexpected<ConnectionTrouble> hopeless(Error::Code code, Message message) {
    return tl::unexpected<ConnectionTrouble>(ConnectionTrouble{{code, std::move(message)}});
}

constexpr std::string_view kTooOld = "unknown option --serve-remote"; ///< what a rankscope before it says

/// What ssh says when it does not get there, in terms of what to do.
Message why_not_there(const RemotePath& remote, const std::string& complaints, int exit_code) {
    const auto says = [&](std::string_view words) { return complaints.find(words) != std::string::npos; };
    const std::string place = remote.place();
    if (says("REMOTE HOST IDENTIFICATION HAS CHANGED"))
        return "%1: its host key is not the one known here: another machine, or one between; see what "
               "\"ssh %1\" says"_text(place);
    if (says("Host key verification failed"))
        return "%1: its host key is not known here: log in once with ssh, and compare the key"_text(place);
    if (says("Permission denied"))
        return "%1: %2; ssh must get in without a password: with a key in its agent, for example"_text(
            place, last_line(complaints));
    if (says(kTooOld))
        return "%1: the rankscope there is too old to be asked: install version %2 there, or allow it to be "
               "copied with --install-remote"_text(place, std::string(kVersion));
    if (!complaints.empty())
        return "%1: %2"_text(place, last_line(complaints));
    return "%1: the connection ended (ssh: exit code %2)"_text(place, exit_code);
}

/// Copies the program to the far side, whose shell checks the checksum.
Answered<void> install_program(const RemotePath& remote, const ProgramPackage& package, const std::stop_token& cancel) {
    const auto failed = [&](const Message& why) {
        return hopeless(Error::Code::input,
                        "%1: %2 could not be copied there: %3"_text(remote.place(), package.program, why));
    };
    auto ssh = start_ssh(remote, command_to_install(package.checksum));
    if (!ssh)
        return failed(ssh.error().message);
    std::ifstream in(package.file, std::ios::binary);
    std::string block(kRemoteChunk, '\0');
    auto state = ChildProcess::Transfer::done;
    while (state == ChildProcess::Transfer::done && in) {
        in.read(block.data(), static_cast<std::streamsize>(block.size()));
        state = ssh->write({block.data(), static_cast<std::size_t>(in.gcount())}, kPatience, cancel);
    }
    ssh->close_input();
    std::string answer;
    while (state == ChildProcess::Transfer::done && answer.size() < kMostBeforeHello)
        state = ssh->read(answer, kPatience, cancel);
    if (cancel.stop_requested())
        return hopeless(Error::Code::cancelled, "cancelled"_text);
    if (answer.find("installed\n") != std::string::npos)
        return {};
    return failed(ssh->complaints().empty() ? "the copy is not what was sent"_text()
                                            : Message(last_line(ssh->complaints())));
}

} // namespace

ConnectionTrouble SshConnection::nonsense() const {
    return {{Error::Code::input, "%1: what the rankscope there answers makes no sense"_text(remote_.place())}};
}

ConnectionTrouble SshConnection::trouble_of(ChildProcess::Transfer transfer) {
    if (transfer == ChildProcess::Transfer::cancelled)
        return {{Error::Code::cancelled, "cancelled"_text}};
    if (transfer == ChildProcess::Transfer::late)
        return {{Error::Code::input, "%1: no answer any more"_text(remote_.place())}, true};
    const int code = ssh_.finish();
    const bool too_old = ssh_.complaints().find(kTooOld) != std::string::npos;
    return {{Error::Code::input, why_not_there(remote_, ssh_.complaints(), code)}, !too_old, too_old};
}

Answered<void> SshConnection::say(std::string_view text) {
    const auto state = ssh_.write(text, patience_, cancel_);
    if (state != ChildProcess::Transfer::done)
        return tl::unexpected<ConnectionTrouble>(trouble_of(state));
    return {};
}

Answered<void> SshConnection::fill(std::chrono::milliseconds patience) {
    if (taken_ > 0) {
        pending_.erase(0, taken_);
        taken_ = 0;
    }
    const auto state = ssh_.read(pending_, patience, cancel_);
    if (state != ChildProcess::Transfer::done)
        return tl::unexpected<ConnectionTrouble>(trouble_of(state));
    return {};
}

Answered<std::string> SshConnection::any_line(std::chrono::milliseconds patience) {
    for (std::size_t looked = taken_;;) {
        const std::size_t end = pending_.find('\n', looked);
        if (end != std::string::npos) {
            std::string line = pending_.substr(taken_, end - taken_);
            taken_ = end + 1;
            return line;
        }
        if (pending_.size() - taken_ > kLongestRemoteLine)
            return tl::unexpected<ConnectionTrouble>(nonsense());
        looked = pending_.size() - taken_;
        if (const auto more = fill(patience); !more)
            return tl::unexpected<ConnectionTrouble>(more.error());
    }
}

Answered<std::string> SshConnection::line(std::chrono::milliseconds work) {
    const auto until = std::chrono::steady_clock::now() + patience_ + work;
    for (;;) {
        auto line = any_line(patience_);
        if (line && *line == "tick") {
            if (std::chrono::steady_clock::now() < until)
                continue;
            return tl::unexpected<ConnectionTrouble>(trouble_of(ChildProcess::Transfer::late));
        }
        if (line && line->starts_with("error ")) {
            const auto message = unescaped_word(line->substr(6));
            return hopeless(Error::Code::input,
                            "%1: %2"_text(remote_.place(), message ? Message(shortened(terminal_safe(*message), 1000))
                                                                   : "it cannot say what is wrong"_text()));
        }
        return line;
    }
}

Answered<std::string> SshConnection::bytes(std::size_t count) {
    while (pending_.size() - taken_ < count)
        if (const auto more = fill(patience_); !more)
            return tl::unexpected<ConnectionTrouble>(more.error());
    std::string bytes = pending_.substr(taken_, count);
    taken_ += count;
    return bytes;
}

Answered<std::vector<std::string>> SshConnection::expect(std::string_view first, std::size_t count) {
    const auto text = line();
    if (!text)
        return tl::unexpected<ConnectionTrouble>(text.error());
    const auto words = words_of(*text);
    if (words.size() != count || words[0] != first)
        return tl::unexpected<ConnectionTrouble>(nonsense());
    return std::vector<std::string>(words.begin(), words.end());
}

Answered<void> SshConnection::chunks(std::uint64_t most, const std::function<Result<void>(std::string_view)>& take) {
    for (;;) {
        const auto text = line();
        if (!text)
            return tl::unexpected<ConnectionTrouble>(text.error());
        if (*text == "end")
            return {};
        const auto words = words_of(*text);
        if (words[0] != "chunk" || words.size() != 3)
            return tl::unexpected<ConnectionTrouble>(nonsense());
        const std::uint64_t plain = number_of(words[1]).value_or(0);
        const std::uint64_t stored = number_of(words[2]).value_or(0);
        if (plain == 0 || plain > kRemoteChunk || stored == 0 || stored > plain || plain > most)
            return tl::unexpected<ConnectionTrouble>(nonsense());
        const auto packed = bytes(stored);
        if (!packed)
            return tl::unexpected<ConnectionTrouble>(packed.error());
        const auto content = bytes_of_chunk(*packed, plain);
        if (!content)
            return tl::unexpected<ConnectionTrouble>(nonsense());
        most -= plain;
        if (const auto done = take(*content); !done)
            return tl::unexpected<ConnectionTrouble>(ConnectionTrouble{done.error()});
    }
}

Answered<void> SshConnection::greet() {
    const auto unusable = [this](const Message& what) {
        return tl::unexpected<ConnectionTrouble>(
            ConnectionTrouble{{Error::Code::input,
                               "%1: %2: install version %3 there, or allow it to be copied with --install-remote"_text(
                                   remote_.place(), what, std::string(kVersion))},
                              false,
                              true});
    };
    utsname here{};
    ::uname(&here);
    const std::string none = fmt::format("{} none ", kRemoteHello);
    for (std::size_t read = 0; read < kMostBeforeHello;) {
        const auto text = any_line(kPatienceForHello);
        if (!text)
            return tl::unexpected<ConnectionTrouble>(text.error());
        read += text->size() + 1;
        if (text->starts_with(none)) {
            if (text->substr(none.size()) == fmt::format("{} {}", here.sysname, here.machine))
                return unusable("there is no rankscope-batch or rankscope on PATH"_text);
            return hopeless(Error::Code::input, "%1: there is no rankscope-batch or rankscope on PATH: "
                                                "install it there"_text(remote_.place()));
        }
        const auto hello = parse_hello(*text);
        if (!hello)
            continue; // what a login prints
        if (hello->protocol != kRemoteProtocol || hello->format != kSectionFileVersion)
            return unusable(
                "the rankscope there, version %1, and this one do not understand each other"_text(hello->version));
        return {};
    }
    return tl::unexpected<ConnectionTrouble>(nonsense());
}

Answered<SshConnection> SshConnection::open(const RemotePath& remote, const RemoteWishes& wishes,
                                            std::stop_token cancel) {
    for (bool copied = false;; copied = true) {
        auto ssh = start_ssh(remote, command_to_serve());
        if (!ssh)
            return tl::unexpected<ConnectionTrouble>(ConnectionTrouble{ssh.error()});
        SshConnection connection(remote, std::move(*ssh), wishes.patience, cancel);
        const auto greeted = connection.greet();
        if (greeted)
            return connection;
        if (!greeted.error().unusable || copied || !wishes.may_install)
            return tl::unexpected<ConnectionTrouble>(greeted.error());
        const auto package = ProgramPackage::make(cancel);
        if (!package)
            return tl::unexpected<ConnectionTrouble>(ConnectionTrouble{package.error()});
        if (!wishes.may_install("%1 has no rankscope %2. Copy %3 (%4 MB) into ~/.cache/rankscope/bin there?"_text(
                remote.place(), std::string(kVersion), (*package)->program,
                fmt::format("{:.0f}", static_cast<double>((*package)->size) / 1e6))))
            return hopeless(Error::Code::cancelled, "cancelled"_text);
        if (const auto installed = install_program(remote, **package, cancel); !installed)
            return tl::unexpected<ConnectionTrouble>(installed.error());
        if (wishes.on_message)
            wishes.on_message(
                "%1: rankscope %2 was copied there, its checksum is right"_text(remote.place(), std::string(kVersion)));
    }
}

} // namespace rankscope
