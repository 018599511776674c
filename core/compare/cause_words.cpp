// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/cause_words.h"

#include <cmath>

#include <fmt/format.h>

#include "core/base/text.h"

namespace rankscope::cause_words {

std::string shown_name(std::string_view name) {
    constexpr std::size_t kNameWidth = 60;
    return shortened(terminal_safe(name), kNameWidth);
}

std::string ratio_text(double before, double after) { return fmt::format("{:.2f}", after / before); }

std::string count_text(double count) { return fmt::format("{:.6g}", std::round(count * 100) / 100); }

Message joined(Message text, const Message& more) {
    if (!more.empty())
        text += ", ";
    return text += more;
}

Message degree_change(const StepAccount& before, const StepAccount& after, ParallelDimension dimension) {
    const int from = before.group_size[static_cast<std::size_t>(dimension)];
    const int to = after.group_size[static_cast<std::size_t>(dimension)];
    return from != to && from > 0 && to > 0 && dimension != ParallelDimension::unknown
               ? Message(fmt::format("{} {} -> {}", parallel_dimension_word(dimension), from, to))
               : Message();
}

bool another_gpu(const StepAccount& before, const StepAccount& after) {
    return !before.gpu.empty() && !after.gpu.empty() && before.gpu != after.gpu;
}

} // namespace rankscope::cause_words
