// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/kineto/first_events.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/shallow_json.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

using Json = nlohmann::json;

/// SGLang's ProfileMerger writes "[TP00-DP01] 83" as the process, and "[Unknown] 83" of files that it cannot place.
bool is_labelled(std::string_view process) {
    const std::size_t end = process.find("] ");
    if (!process.starts_with('[') || end == std::string_view::npos)
        return false;
    const std::string_view label = process.substr(1, end - 1);
    return label == "Unknown" || std::ranges::any_of(std::array{"TP", "DP", "PP", "EP"}, [&](std::string_view word) {
               return label.starts_with(word) && label.size() > 2 && label[2] >= '0' && label[2] <= '9';
           });
}

std::string text_of(const Json& value) {
    if (value.is_string())
        return value.get<std::string>();
    return value.is_number_integer() ? value.dump() : std::string();
}

bool is_of_the_host(const Json& event) {
    static constexpr std::array<std::string_view, 8> categories{"cpu_op",      "user_annotation", "cuda_runtime",
                                                                "cuda_driver", "python_function", "operator",
                                                                "runtime",     "hip_runtime"};
    if (!event.contains("cat") || !event["cat"].is_string())
        return false;
    std::string category = event["cat"].get<std::string>();
    std::ranges::transform(category, category.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    return std::ranges::find(categories, category) != categories.end();
}

std::optional<TimeNs> time_of(const Json& event, TimeNs base) {
    if (!event.contains("ts") || !event["ts"].is_number())
        return {};
    constexpr double kNsPerUs = 1000;
    const double ns = event["ts"].get<double>() * kNsPerUs;
    if (!(std::abs(ns) < 4e18))
        return {};
    // Recent files count from the base, older ones hold the epoch.
    constexpr double kEpochLike = 1e18;
    return static_cast<TimeNs>(ns) + (ns < kEpochLike && is_plausible_time(base) ? base : 0);
}

} // namespace

void look_at_first_events(std::span<const std::string_view> elements, TimeNs base, KinetoPeek& peek) {
    constexpr std::size_t kAsked = 512;
    constexpr std::size_t kLongest = 64 * 1024;
    for (const std::string_view element : elements.first(std::min(elements.size(), kAsked))) {
        if (element.size() > kLongest)
            continue;
        const Json event = parse_shallow_json<Json>(element);
        if (!event.is_object() || !event.contains("pid"))
            continue;
        if (event.value("name", Json()) == "process_name" && event.contains("args") && event["args"].is_object()) {
            const std::string named = text_of(event["args"].value("name", Json()));
            if (named == "Ascend Hardware")
                peek.unread = KinetoPeek::Unread::torch_npu;
            peek.is_of_xla = peek.is_of_xla || named.starts_with("/device:") || named.starts_with("/host:");
        }
        const std::string process = text_of(event["pid"]);
        if (process == "CPU functions" || process == "CUDA functions")
            peek.unread = KinetoPeek::Unread::autograd_profiler;
        if (event.contains("args") && event["args"].is_object() && event["args"].contains("BeginNs") &&
            event["args"].contains("EndNs") && !event.contains("cat"))
            peek.unread = KinetoPeek::Unread::rocprof;
        if (is_labelled(process))
            peek.merged_by = "SGLang's ProfileMerger";
        if (event.contains("args") && event["args"].is_object() && event["args"].contains("pid_raw") &&
            event["args"].contains("rank"))
            peek.merged_by = "TraceLens's TraceFusion";
        if (!event.contains("ph") || event["ph"] != "X")
            continue;
        if (const auto time = time_of(event, base); time && (!peek.start || *time < *peek.start))
            peek.start = time;
        if (peek.process.empty() && is_of_the_host(event))
            peek.process = process;
    }
}

} // namespace rankscope
