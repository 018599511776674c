// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between the runs beside their times: engine, GPU, degrees of parallelism, settings.
//   Groups of 4 tensor-parallel ranks before, of 8 after: "tp 4 -> 8". Only one run tells its microbatches: nothing.
#include "core/compare/change_causes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/collectives/parallel_dimension.h"
#include "core/base/digits.h"
#include "core/base/text.h"
#include "core/base/text_match.h"
#include "core/compare/cause_words.h"
#include "core/compare/config_influence.h"
#include "core/compare/engine_name.h"
#include "core/trace/run_settings.h"

namespace rankscope {

using namespace cause_words;

namespace {

std::string short_value(std::string_view value) {
    constexpr std::size_t kValueWidth = 24;
    return shortened(terminal_safe(value), kValueWidth);
}

/// The account of the iterations tells these: the GPU, degrees of parallelism and groups.
bool is_told_by_the_trace(const ConfigEntry& entry) {
    if (entry.key == "run.folder") // run_7 is no setting, 56cu_256threads is
        return !folder_names_settings(*entry.baseline, *entry.test);
    if (entry.key.starts_with("trace.device"))
        return true;
    const auto kind = setting_kind(entry.key);
    const bool of_parallelism = kind == SettingKind::parallelism || kind == SettingKind::pipeline;
    const auto number = [](const std::string& text) {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && end == text.data() + text.size();
    };
    return of_parallelism && (entry.key.starts_with("trace.") || (number(*entry.baseline) && number(*entry.test)));
}

/// Settings of both runs that may change what an iteration takes and that are no number the account tells already.
/// engine: of the test; its version is told with its name.
std::vector<Message> changed_settings(std::span<const ConfigEntry> config, const std::string& engine) {
    constexpr std::size_t kTold = 4;
    std::vector<Message> told;
    std::size_t more = 0;
    for (const ConfigEntry& entry : config) {
        if (entry.equal() || !entry.baseline || !entry.test || is_told_by_the_trace(entry) ||
            !setting_kind(entry.key) || (entry.key.ends_with("_version") && engine.ends_with(' ' + *entry.test)))
            continue;
        if (told.size() == kTold) {
            ++more;
            continue;
        }
        const std::size_t part = entry.key.rfind('.');
        told.emplace_back(
            "%1 %2 -> %3"_text(shown_name(std::string_view(entry.key).substr(part == std::string::npos ? 0 : part + 1)),
                               short_value(*entry.baseline), short_value(*entry.test)));
    }
    if (more > 0)
        told.push_back("%1 more settings"_text(more));
    return told;
}

using Degrees = std::array<std::optional<int>, kParallelDimensionCount>;

/// What groups were recorded of, else what the configuration names; where these fill the world, the others are 1.
Degrees degrees_of(const RunAnalysis& analysis) {
    const StepAccount& account = analysis.steps();
    const Parallelism parallelism = parallelism_of(analysis.run().config);
    Degrees degrees;
    const auto of = [&degrees](ParallelDimension d) -> std::optional<int>& {
        return degrees[static_cast<std::size_t>(d)];
    };
    for (std::size_t d = 0; d < kParallelDimensionCount; ++d)
        if (account.group_size[d] > 0)
            degrees[d] = account.group_size[d];
    const bool whole_dp = of(ParallelDimension::dp).has_value();
    for (const auto& [dimension, size] : mesh_of(parallelism, account.world_size)) {
        const bool part = dimension == ParallelDimension::dp_replicate || dimension == ParallelDimension::dp_shard;
        if (!of(dimension) && !(part && whole_dp))
            of(dimension) = size;
    }
    if (!of(ParallelDimension::ep) && parallelism.ep && parallelism.ep->value >= 1)
        of(ParallelDimension::ep) = static_cast<int>(std::min(parallelism.ep->value, 1e9));
    // Groups of experts lie across the mesh; dp is both its parts.
    std::vector<ParallelDimension> mesh{ParallelDimension::pp, ParallelDimension::cp, ParallelDimension::tp};
    if (!whole_dp && (of(ParallelDimension::dp_replicate) || of(ParallelDimension::dp_shard)))
        mesh.insert(mesh.end(), {ParallelDimension::dp_replicate, ParallelDimension::dp_shard});
    else
        mesh.push_back(ParallelDimension::dp);
    double ranks = 1;
    for (const ParallelDimension dimension : mesh)
        ranks *= of(dimension).value_or(1);
    if (ranks == account.world_size)
        for (const ParallelDimension dimension : mesh)
            if (!of(dimension))
                of(dimension) = 1;
    return degrees;
}

} // namespace

bool split_alike(const RunAnalysis& baseline, const RunAnalysis& test) {
    const Degrees before = degrees_of(baseline);
    const Degrees after = degrees_of(test);
    for (std::size_t d = 0; d < before.size(); ++d)
        if (before[d] && after[d] && *before[d] != *after[d])
            return false;
    return baseline.run().world_size == test.run().world_size;
}

std::vector<Message> setup_changes(const RunAnalysis& baseline, const RunAnalysis& test, const InputSizes& inputs,
                                   std::span<const ConfigEntry> config) {
    const StepAccount& before = baseline.steps();
    const StepAccount& after = test.steps();
    std::vector<Message> changes;
    const std::string engine_before = engine_name(baseline.run());
    const std::string engine_after = engine_name(test.run());
    if (!engine_before.empty() && !engine_after.empty() && engine_before != engine_after)
        changes.emplace_back("%1 -> %2"_text(terminal_safe(engine_before), terminal_safe(engine_after)));
    if (another_gpu(before, after))
        changes.emplace_back("GPU %1 -> %2"_text(before.gpu, after.gpu));
    const Degrees degrees_before = degrees_of(baseline);
    const Degrees degrees_after = degrees_of(test);
    for (std::size_t d = 0; d + 1 < kParallelDimensionCount; ++d) {
        const auto& from = degrees_before[d];
        const auto& to = degrees_after[d];
        if (from && to && *from != *to)
            changes.emplace_back(
                fmt::format("{} {} -> {}", parallel_dimension_word(static_cast<ParallelDimension>(d)), *from, *to));
    }
    if (before.microbatches && after.microbatches && *before.microbatches != *after.microbatches)
        changes.push_back(
            "microbatches %1 -> %2"_text(count_text(*before.microbatches), count_text(*after.microbatches)));
    if (before.world_size != after.world_size && before.world_size > 0 && after.world_size > 0)
        changes.push_back("%1 -> %2 ranks"_text(before.world_size, after.world_size));
    if (!inputs.differ.empty())
        changes.push_back("inputs of other sizes (%1)"_text(inputs.differ));
    for (Message& setting : changed_settings(config, engine_after))
        changes.push_back(std::move(setting));
    return changes;
}

} // namespace rankscope
