// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time of a command goes, for --timing.
#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace rankscope {

/// Wall time of the stages of a command. With several runs a stage is entered once for each.
class Timing {
public:
    enum class Stage : std::uint8_t {
        reading,   ///< the files
        aligning,  ///< the ranks' clocks, for which collective calls are paired
        analysing, ///< metrics, findings and predictions
        writing    ///< the answer, with what only it asks for
    };
    /// The stage before, if any, ends here.
    void enter(Stage stage);
    /// "reading 1.203 s, aligning 12 ms, analysing 904 ms, writing 3.1 ms": stages that were entered, the last one up
    /// to now.
    [[nodiscard]] std::string words();

private:
    using Clock = std::chrono::steady_clock;
    void leave();

    std::array<std::optional<Clock::duration>, 4> sums_{};
    std::optional<Stage> stage_;
    Clock::time_point since_;
};

} // namespace rankscope
