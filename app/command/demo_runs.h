// SPDX-License-Identifier: GPL-3.0-or-later
// The generated runs behind --demo.
#pragma once
#include <filesystem>
#include <stop_token>
#include <vector>

#include "core/base/notice.h"

namespace rankscope {

/// Two simulated runs in a temporary folder that lives as long as this does: a baseline, and a test with a straggler.
class DemoRuns {
public:
    /// Errors: the temporary folder cannot be written (output); it is asked to stop (cancelled). Then no folder is
    /// left.
    static Result<DemoRuns> create(const std::stop_token& stop);
    ~DemoRuns();
    DemoRuns(DemoRuns&& other) noexcept;
    DemoRuns& operator=(DemoRuns&&) = delete;

    [[nodiscard]] std::vector<std::filesystem::path> paths() const; ///< baseline, test

private:
    explicit DemoRuns(std::filesystem::path folder) : folder_(std::move(folder)) {}

    std::filesystem::path folder_; ///< empty: moved from
};

} // namespace rankscope
