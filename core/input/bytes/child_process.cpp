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
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

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

} // namespace

std::filesystem::path find_on_path(std::string_view program) {
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? std::string_view{} : path;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::filesystem::path candidate = std::filesystem::path(rest.substr(0, end)) / program;
        std::error_code error;
        if (end > 0 && std::filesystem::is_regular_file(candidate, error) && ::access(candidate.c_str(), X_OK) == 0)
            return candidate;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

Result<ChildResult> run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                                const std::stop_token& cancel, const std::function<void(std::string_view)>& on_output) {
    Pipe pipe;
    if (!pipe.open())
        return input_error(fmt::format("{} cannot be started: {}", program.string(), std::strerror(errno)));
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe.end(1), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipe.end(1), STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // A group of its own, to end it whole; what this program ignores ends others as they expect.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    pid_t child = 0;
    const int failed = ::posix_spawn(&child, program.c_str(), &actions, &attributes, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0)
        return input_error(fmt::format("{} cannot be started: {}", program.string(), std::strerror(failed)));
    pipe.close_end(1);

    ChildResult result;
    std::array<char, 4096> buffer{};
    for (bool open = true; open;) {
        if (cancel.stop_requested()) {
            end_group(child);
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"});
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
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"});
        }
        std::this_thread::sleep_for(20ms);
    }
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

} // namespace rankscope
