// SPDX-License-Identifier: GPL-3.0-or-later
// What each worker of an operation timeline ran, step by step.
#include "core/analysis/slowdown/worker_operations.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "core/analysis/slowdown/operation_types.h"
#include "core/base/seeded_hash.h"
#include "core/trace/operation_timeline.h"

namespace rankscope {
namespace {

/// Numbers by start where the recording has none, or the same twice.
void number_sequences(std::vector<WorkerOperation>& operations) {
    std::map<std::uint32_t, std::vector<WorkerOperation*>> by_type;
    for (WorkerOperation& operation : operations)
        by_type[operation.type].push_back(&operation);
    for (auto& [type, list] : by_type) {
        std::set<std::int32_t> numbers;
        for (const WorkerOperation* operation : list)
            numbers.insert(operation->sequence);
        if (numbers.size() == list.size() && *numbers.begin() == 0 && *numbers.rbegin() + 1 == std::ssize(list))
            continue;
        std::ranges::stable_sort(list, {}, &WorkerOperation::start);
        for (std::size_t i = 0; i < list.size(); ++i)
            list[i]->sequence = static_cast<std::int32_t>(i);
    }
}

/// What a worker ran in a step, as far as it must be alike: type and how many.
using Signature = std::vector<std::pair<std::uint32_t, std::size_t>>;

Signature signature_of(const std::vector<WorkerOperation>& operations) {
    std::map<std::uint32_t, std::size_t> counts;
    for (const WorkerOperation& operation : operations)
        ++counts[operation.type];
    return {counts.begin(), counts.end()};
}

} // namespace

OperationRecording record_of_workers(const Run& run, std::span<const std::vector<ProfilerStep>> steps) {
    OperationRecording recording;
    PlaceMap<NameId, std::uint32_t> type_of;
    std::map<std::pair<int, int>, int> tensor_rank;
    for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
        const RankTrace& rank = *run.ranks[r];
        if (!rank.operations)
            continue;
        // Tensor-parallel ranks run in step: the first stands for them.
        const std::pair place{rank.operations->dp, rank.operations->stage};
        const auto [known, added] = tensor_rank.try_emplace(place, rank.operations->tp);
        if (!added && known->second <= rank.operations->tp)
            continue;
        known->second = rank.operations->tp;
        recording.rank[place] = r;
        recording.other = std::max(recording.other, rank.operations->mesh.other);
        std::set<std::int64_t> selected;
        for (const ProfilerStep& step : steps[r])
            selected.insert(step.number);
        auto& worker = recording.workers[place];
        worker.clear();
        for (const Lane& lane : rank.lanes) {
            if (lane.kind != LaneKind::gpu_stream)
                continue;
            for (EventIndex e = lane.begin; e < lane.end; ++e) {
                const Operation* operation = rank.operations->find(rank.events.ordinal[e]);
                if (operation == nullptr || !selected.contains(operation->step))
                    continue;
                const auto [type, is_new] =
                    type_of.try_emplace(rank.events.name[e], static_cast<std::uint32_t>(recording.types.size()));
                if (is_new) {
                    const std::string_view name = rank.event_name(e);
                    recording.types.push_back({std::string(name), is_communication_type(name), 0});
                }
                worker[operation->step].push_back({type->second, operation->sequence, std::max(0, operation->chunk),
                                                   lane.thread == "compute", rank.events.start[e], rank.events.end(e)});
                recording.steps.insert(operation->step);
            }
        }
        for (auto& [step, operations] : worker)
            number_sequences(operations);
    }
    return recording;
}

std::optional<std::pair<int, std::int64_t>> typical_pipeline(const OperationRecording& recording, int pipelines,
                                                             int stages) {
    std::map<std::vector<Signature>, std::pair<std::size_t, std::pair<std::int64_t, int>>> seen;
    for (const std::int64_t step : recording.steps) {
        for (int dp = 0; dp < pipelines; ++dp) {
            std::vector<Signature> signature;
            for (int stage = 0; stage < stages; ++stage) {
                const auto worker = recording.workers.find({dp, stage});
                if (worker == recording.workers.end() || !worker->second.contains(step))
                    break;
                signature.push_back(signature_of(worker->second.at(step)));
            }
            if (std::ssize(signature) != stages)
                continue;
            auto& [count, first] = seen.try_emplace(signature, 0, std::pair{step, dp}).first->second;
            ++count;
        }
    }
    const auto most = std::ranges::max_element(seen, [](const auto& a, const auto& b) {
        return std::tuple(a.second.first, b.second.second) < std::tuple(b.second.first, a.second.second);
    });
    if (most == seen.end())
        return std::nullopt;
    return std::pair{most->second.second.second, most->second.second.first};
}

} // namespace rankscope
