// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command/timing.h"

#include <string_view>

#include <fmt/format.h>

#include "core/base/words.h"

namespace rankscope {

void Timing::enter(Stage stage) {
    leave();
    stage_ = stage;
    since_ = Clock::now();
}

void Timing::leave() {
    if (!stage_)
        return;
    auto& sum = sums_.at(static_cast<std::size_t>(*stage_));
    sum = sum.value_or(Clock::duration::zero()) + (Clock::now() - since_);
    stage_.reset();
}

std::string Timing::words() {
    constexpr std::array<std::string_view, 4> kStages{"reading", "aligning", "analysing", "writing"};
    leave();
    std::string text;
    for (std::size_t i = 0; i < kStages.size(); ++i)
        if (sums_.at(i))
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kStages.at(i),
                                time_words(std::chrono::duration<double, std::nano>(*sums_.at(i)).count()));
    return text;
}

} // namespace rankscope
