// SPDX-License-Identifier: GPL-3.0-or-later
// Other programs: run to their end, or asked and answering. Arguments as they are, never through a shell.
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/notice.h"

namespace rankscope {

struct ChildResult {
    int exit_code = 0;  ///< 128 + signal when a signal ended it
    std::string output; ///< the end of what it wrote to stdout and stderr, at most 16 KiB
};

/// The first of the program's names on PATH that can be executed; empty when there is none. Only absolute folders
/// count: what lies in the current one may have come with a trace.
std::filesystem::path find_on_path(std::string_view program);

/// on_output gets what it writes as it comes. Cancel ends it and what it started within two seconds. Error: cannot be
/// started, or cancelled.
Result<ChildResult> run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                                const std::stop_token& cancel = {},
                                const std::function<void(std::string_view)>& on_output = {});

/// A program whose stdin, stdout and stderr are pipes to this one. It has a session of its own and so no terminal: what
/// it would ask there it cannot ask. It ends with this object. Not for several threads.
class ChildProcess {
public:
    /// environment: "NAME=VALUE", besides that of this program. Error: cannot be started.
    static Result<ChildProcess> start(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                                      const std::vector<std::string>& environment = {});
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ChildProcess& operator=(ChildProcess&&) = delete;
    ~ChildProcess();

    /// closed: the other side has closed its end. late: nothing moved for so long as it was waited for.
    enum class Transfer { done, closed, late, cancelled };
    /// Appends to text what is there on stdout, once there is something. Takes what comes on stderr meanwhile.
    Transfer read(std::string& text, std::chrono::milliseconds patience, const std::stop_token& cancel);
    /// All of the text to its stdin.
    Transfer write(std::string_view text, std::chrono::milliseconds patience, const std::stop_token& cancel);
    void close_input();
    /// The end of what it wrote on stderr, at most 16 KiB.
    [[nodiscard]] const std::string& complaints() const { return complaints_; }
    /// Waits a little for it to end by itself, and ends it then. 128 + signal when a signal ended it.
    int finish();

private:
    ChildProcess(int process, int input, int output, int errors)
        : process_(process), input_(input), output_(output), errors_(errors) {}
    void read_complaints();

    int process_; ///< 0: it has ended
    int input_;   ///< -1: closed
    int output_;
    int errors_;
    std::string complaints_;
};

} // namespace rankscope
