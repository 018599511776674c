// SPDX-License-Identifier: GPL-3.0-or-later
// What the run simulator knows about the run it made, and its JSON form.
#include "core/demo/run_truth.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rankscope {

std::string_view dimension_word(Dimension dimension) {
    switch (dimension) {
    case Dimension::tensor: return "tp";
    case Dimension::data: return "dp";
    case Dimension::pipeline: return "pp";
    case Dimension::expert: return "ep";
    }
    return "";
}

TimeNs CollectiveTruth::lag() const {
    const auto [first, last] = std::minmax_element(starts.begin(), starts.end());
    return *last - *first;
}

int CollectiveTruth::last_rank() const {
    int last = -1;
    TimeNs latest = 0;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        if (last < 0 || starts[i] > latest || (starts[i] == latest && ranks[i] < last)) {
            last = ranks[i];
            latest = starts[i];
        }
    }
    return last;
}

namespace {

using Writer = std::back_insert_iterator<std::string>;

void append_groups(Writer out, const RunTruth& truth) {
    fmt::format_to(out, "\"groups\": [");
    for (std::size_t i = 0; i < truth.groups.size(); ++i) {
        const ProcessGroup& group = truth.groups[i];
        fmt::format_to(out, "{}\n {{\"name\": \"{}\", \"description\": \"{}\", \"ranks\": [{}]}}", i ? "," : "",
                       group.name, group.description, fmt::join(group.ranks, ", "));
    }
    fmt::format_to(out, "],\n");
}

void append_collectives(Writer out, const RunTruth& truth) {
    fmt::format_to(out, "\"collectives\": [");
    for (std::size_t i = 0; i < truth.collectives.size(); ++i) {
        const CollectiveTruth& call = truth.collectives[i];
        fmt::format_to(
            out,
            "{}\n {{\"collective\": \"{}\", \"dimension\": \"{}\", \"group\": {}, \"step\": {}, \"bytes\": {}, "
            "\"ranks\": [{}], \"starts\": [{}], \"transfer\": {}, \"end\": {}, \"lag\": {}, \"last_rank\": {}}}",
            i ? "," : "", call.collective, dimension_word(call.dimension), call.group, call.step, call.bytes,
            fmt::join(call.ranks, ", "), fmt::join(call.starts, ", "), call.transfer, call.end, call.lag(),
            call.last_rank());
    }
    fmt::format_to(out, "],\n");
}

void append_steps(Writer out, const RunTruth& truth) {
    fmt::format_to(out, "\"steps\": [");
    for (std::size_t i = 0; i < truth.steps.size(); ++i) {
        const StepTruth& step = truth.steps[i];
        fmt::format_to(
            out,
            "{}\n {{\"rank\": {}, \"step\": {}, \"begin\": {}, \"end\": {}, \"gpu_begin\": {}, \"gpu_end\": {}, "
            "\"busy\": {}, \"bubble_warmup\": {}, \"bubble_steady\": {}, \"bubble_cooldown\": {}, "
            "\"exposed_tp\": {}, \"exposed_dp\": {}, \"host\": {}, \"tail\": {}}}",
            i ? "," : "", step.rank, step.step, step.annotation.begin, step.annotation.end, step.window.begin,
            step.window.end, step.busy, step.bubble_warmup, step.bubble_steady, step.bubble_cooldown,
            step.exposed_tensor, step.exposed_data, step.host, step.tail);
    }
    fmt::format_to(out, "],\n");
}

} // namespace

std::string truth_json(const RunTruth& truth) {
    std::string text;
    const Writer out = std::back_inserter(text);
    fmt::format_to(out,
                   "{{\n\"ideal_bubble\": {},\n\"slow_rank\": {},\n\"slow_cause\": \"{}\",\n\"slow_factor\": {},\n",
                   truth.ideal_bubble, truth.slow_rank, truth.slow_cause, truth.slow_factor);
    fmt::format_to(out, "\"clock_offsets\": [{}],\n\"traffic_per_step\": {{", fmt::join(truth.clock_offsets, ", "));
    for (std::size_t d = 0; d < truth.traffic.size(); ++d) {
        fmt::format_to(out, "{}\"{}\": {{\"calls\": {}, \"bytes\": {}}}", d ? ", " : "",
                       dimension_word(static_cast<Dimension>(d)), truth.traffic[d].calls, truth.traffic[d].bytes);
    }
    fmt::format_to(out, "}},\n");
    append_groups(out, truth);
    append_steps(out, truth);
    append_collectives(out, truth);
    fmt::format_to(out, "\"bytes_written\": {},\n\"events_written\": {}\n}}\n", truth.bytes_written,
                   truth.events_written);
    return text;
}

} // namespace rankscope
