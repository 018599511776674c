// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/bytes/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

extern char** environ; // NOLINT: as POSIX has it

namespace rankscope {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kKeptOutput = 16 * 1024;

class Pipe {
public:
    Pipe() { open_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    [[nodiscard]] bool open() const { return open_; }
    [[nodiscard]] int end(std::size_t which) const { return ends_[which]; }
    void close_end(std::size_t which) {
        if (open_ && ends_[which] >= 0)
            ::close(ends_[which]);
        ends_[which] = -1;
    }
    int take_end(std::size_t which) { return std::exchange(ends_[which], -1); }

private:
    std::array<int, 2> ends_{-1, -1};
    bool open_ = false;
};

/// Ends the program and what it started: kindly, then not.
void end_group(pid_t group) {
    ::kill(-group, SIGTERM);
    for (int i = 0; i < 40; ++i) {
        if (::waitpid(group, nullptr, WNOHANG) == group) {
            ::kill(-group, SIGKILL); // children that outlived it
            return;
        }
        std::this_thread::sleep_for(50ms);
    }
    ::kill(-group, SIGKILL);
    ::waitpid(group, nullptr, 0);
}

tl::unexpected<Error> cannot_start(const std::filesystem::path& program, int error_number) {
    return input_error("%1 cannot be started: %2"_text(program.string(), std::strerror(error_number)));
}

/// streams: what its stdin, stdout and stderr are; -1: nothing to read. group: the flag that makes it one of its own.
Result<pid_t> spawn(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment, const std::array<int, 3>& streams, short group) {
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    std::vector<std::string> added = environment;
    std::vector<char*> variables;
    variables.reserve(added.size() + 1);
    for (std::string& variable : added) // the first one of a name counts
        variables.push_back(variable.data());
    for (char** variable = environ; *variable != nullptr; ++variable)
        variables.push_back(*variable);
    variables.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (streams[0] < 0)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (std::size_t i = 0; i < streams.size(); ++i)
        if (streams[i] >= 0)
            posix_spawn_file_actions_adddup2(&actions, streams[i], static_cast<int>(i));
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // A group of its own, to end it whole; what this program ignores or blocks ends others as they expect.
    posix_spawnattr_setflags(&attributes, static_cast<short>(group | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK));
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t usual;
    sigemptyset(&usual);
    posix_spawnattr_setsigmask(&attributes, &usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    pid_t child = 0;
    const int failed = ::posix_spawn(&child, program.c_str(), &actions, &attributes, argv.data(), variables.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0)
        return cannot_start(program, failed);
    return child;
}

/// While it lives, writing to a pipe that nobody reads is an error in this thread, and ends nothing.
class WithoutPipeSignal {
public:
    WithoutPipeSignal() {
        sigemptyset(&signal_);
        sigaddset(&signal_, SIGPIPE);
        sigset_t pending;
        sigpending(&pending);
        pending_ = sigismember(&pending, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, &signal_, &before_);
    }
    ~WithoutPipeSignal() {
        const timespec now{0, 0};
        if (!pending_)
            while (sigtimedwait(&signal_, nullptr, &now) < 0 && errno == EINTR) {
            }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    WithoutPipeSignal(const WithoutPipeSignal&) = delete;
    WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

private:
    sigset_t signal_{};
    sigset_t before_{};
    bool pending_ = false;
};

/// How long a wait lasts until it is asked again whether to go on.
constexpr auto kLook = 50ms;

} // namespace

std::filesystem::path find_on_path(std::string_view program) {
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? std::string_view{} : path;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::filesystem::path candidate = std::filesystem::path(rest.substr(0, end)) / program;
        std::error_code error;
        if (candidate.is_absolute() && std::filesystem::is_regular_file(candidate, error) &&
            ::access(candidate.c_str(), X_OK) == 0)
            return candidate;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

Result<ChildResult> run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                                const std::stop_token& cancel, const std::function<void(std::string_view)>& on_output) {
    Pipe pipe;
    if (!pipe.open())
        return cannot_start(program, errno);
    const auto started = spawn(program, arguments, {}, {-1, pipe.end(1), pipe.end(1)}, POSIX_SPAWN_SETPGROUP);
    if (!started)
        return tl::unexpected<Error>(started.error());
    const pid_t child = *started;
    pipe.close_end(1);

    ChildResult result;
    std::array<char, 4096> buffer{};
    for (bool open = true; open;) {
        if (cancel.stop_requested()) {
            end_group(child);
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
        }
        pollfd ready{pipe.end(0), POLLIN, 0};
        if (::poll(&ready, 1, 50) <= 0)
            continue;
        const ssize_t got = ::read(pipe.end(0), buffer.data(), buffer.size());
        open = got > 0 || (got < 0 && errno == EINTR);
        if (got <= 0)
            continue;
        const std::string_view text(buffer.data(), static_cast<std::size_t>(got));
        result.output += text;
        if (result.output.size() > 2 * kKeptOutput)
            result.output.erase(0, result.output.size() - kKeptOutput);
        if (on_output)
            on_output(text);
    }
    int status = 0;
    // It may have closed its output and go on.
    while (::waitpid(child, &status, WNOHANG) == 0) {
        if (cancel.stop_requested()) {
            end_group(child);
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
        }
        std::this_thread::sleep_for(20ms);
    }
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

Result<ChildProcess> ChildProcess::start(const std::filesystem::path& program,
                                         const std::vector<std::string>& arguments,
                                         const std::vector<std::string>& environment) {
    std::array<Pipe, 3> pipes;
    for (const Pipe& pipe : pipes)
        if (!pipe.open())
            return cannot_start(program, errno);
    const auto child =
        spawn(program, arguments, environment, {pipes[0].end(0), pipes[1].end(1), pipes[2].end(1)}, POSIX_SPAWN_SETSID);
    if (!child)
        return tl::unexpected<Error>(child.error());
    for (const int end : {pipes[0].end(1), pipes[1].end(0), pipes[2].end(0)})
        ::fcntl(end, F_SETFL, O_NONBLOCK);
    return ChildProcess(*child, pipes[0].take_end(1), pipes[1].take_end(0), pipes[2].take_end(0));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : process_(std::exchange(other.process_, 0)), input_(std::exchange(other.input_, -1)),
      output_(std::exchange(other.output_, -1)), errors_(std::exchange(other.errors_, -1)),
      complaints_(std::move(other.complaints_)) {}

ChildProcess::~ChildProcess() {
    close_input();
    if (process_ > 0)
        end_group(process_);
    for (const int end : {output_, errors_})
        if (end >= 0)
            ::close(end);
}

void ChildProcess::close_input() {
    if (input_ >= 0)
        ::close(std::exchange(input_, -1));
}

void ChildProcess::read_complaints() {
    std::array<char, 4096> buffer{};
    ssize_t got = 0;
    while (errors_ >= 0 && (got = ::read(errors_, buffer.data(), buffer.size())) > 0) {
        complaints_.append(buffer.data(), static_cast<std::size_t>(got));
        if (complaints_.size() > 2 * kKeptOutput)
            complaints_.erase(0, complaints_.size() - kKeptOutput);
    }
    if (errors_ >= 0 && got == 0)
        ::close(std::exchange(errors_, -1));
}

ChildProcess::Transfer ChildProcess::read(std::string& text, std::chrono::milliseconds patience,
                                          const std::stop_token& cancel) {
    const auto until = std::chrono::steady_clock::now() + patience;
    std::array<char, 64 * 1024> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by read()
    for (;;) {
        if (cancel.stop_requested())
            return Transfer::cancelled;
        std::array<pollfd, 2> ready{{{output_, POLLIN, 0}, {errors_, POLLIN, 0}}};
        ::poll(ready.data(), ready.size(), static_cast<int>(kLook.count()));
        read_complaints();
        const ssize_t got = ::read(output_, buffer.data(), buffer.size());
        if (got > 0) {
            text.append(buffer.data(), static_cast<std::size_t>(got));
            return Transfer::done;
        }
        if (got == 0)
            return Transfer::closed;
        if (errno != EAGAIN && errno != EINTR)
            return Transfer::closed;
        if (std::chrono::steady_clock::now() > until)
            return Transfer::late;
    }
}

ChildProcess::Transfer ChildProcess::write(std::string_view text, std::chrono::milliseconds patience,
                                           const std::stop_token& cancel) {
    const WithoutPipeSignal quiet;
    auto until = std::chrono::steady_clock::now() + patience;
    while (!text.empty()) {
        if (cancel.stop_requested())
            return Transfer::cancelled;
        const ssize_t put = input_ < 0 ? 0 : ::write(input_, text.data(), text.size());
        if (put > 0) {
            text.remove_prefix(static_cast<std::size_t>(put));
            until = std::chrono::steady_clock::now() + patience;
            continue;
        }
        if (put == 0 || (errno != EAGAIN && errno != EINTR))
            return Transfer::closed;
        if (std::chrono::steady_clock::now() > until)
            return Transfer::late;
        pollfd ready{input_, POLLOUT, 0};
        ::poll(&ready, 1, static_cast<int>(kLook.count()));
        read_complaints();
    }
    return Transfer::done;
}

int ChildProcess::finish() {
    close_input();
    int status = 0;
    for (int i = 0; i < 40; ++i) {
        read_complaints();
        if (process_ <= 0 || ::waitpid(process_, &status, WNOHANG) == process_) {
            read_complaints();
            process_ = 0;
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        std::this_thread::sleep_for(kLook);
    }
    end_group(std::exchange(process_, 0));
    return 128 + SIGKILL;
}

} // namespace rankscope
