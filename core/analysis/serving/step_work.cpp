// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/serving/step_work.h"

#include <algorithm>
#include <array>

#include "core/analysis/basics/intervals.h"
#include "core/base/text_match.h"
#include "core/trace/collective_kind.h"

namespace rankscope {
namespace {

using Shares = std::array<WorkShare, kStepWorkCount>;

/// Adds the pieces of a class; allowed: the time that is theirs.
void add_class(std::span<const PieceOfWork> pieces, bool (*is_of_class)(KernelClass), const IntervalSet& allowed,
               TimeRange window, Shares& shares) {
    TimeNs reached = window.begin;
    for (const PieceOfWork& piece : pieces) {
        if (!is_of_class(piece.kernel_class) || piece.range.clipped_to(window).empty())
            continue;
        WorkShare& share = shares[static_cast<std::size_t>(piece.work)];
        ++share.kernels;
        const TimeRange adds{std::max(piece.range.begin, reached), std::min(piece.range.end, window.end)};
        if (!adds.empty()) {
            share.time += covered(allowed, adds);
            reached = adds.end;
        }
    }
}

bool computes(KernelClass c) { return c == KernelClass::compute || c == KernelClass::memory_set; }
bool communicates(KernelClass c) { return c == KernelClass::communication; }
bool copies(KernelClass c) { return c == KernelClass::memory_copy; }

} // namespace

StepWork step_work(KernelClass kernel_class, std::string_view kernel_name) {
    switch (kernel_class) {
    case KernelClass::memory_copy: return StepWork::copies;
    case KernelClass::memory_set: return step_work(ComputeKind::elementwise);
    case KernelClass::communication: break;
    case KernelClass::compute:
        // An engine trains nothing: these kernels work through lists of tensors, whatever for.
        const ComputeKind kind = compute_kind(kernel_name);
        return step_work(kind == ComputeKind::optimiser ? ComputeKind::elementwise : kind);
    }
    const std::string lower = lower_case(kernel_name.substr(0, kernel_name.find('(')));
    if (contains(lower, "combine"))
        return step_work(ComputeKind::combine);
    if (contains(lower, "dispatch"))
        return step_work(ComputeKind::dispatch);
    return collective_kind(kernel_name) == CollectiveKind::all_reduce ? StepWork::all_reduce : StepWork::communication;
}

std::string_view step_work_word(StepWork work) {
    switch (work) {
    case StepWork::all_reduce: return "all-reduce";
    case StepWork::communication: return "other communication";
    case StepWork::copies: return "copies";
    }
    return compute_kind_word(static_cast<ComputeKind>(work));
}

std::vector<WorkShare> shares_of_work(std::span<const PieceOfWork> pieces, TimeRange window) {
    const auto ranges_of = [&](bool (*is_of_class)(KernelClass)) {
        std::vector<TimeRange> ranges;
        for (const PieceOfWork& piece : pieces)
            if (is_of_class(piece.kernel_class))
                ranges.push_back(piece.range.clipped_to(window));
        return merge(std::move(ranges));
    };
    Shares shares{};
    const IntervalSet computing = ranges_of(computes);
    const IntervalSet communicating = subtract(ranges_of(communicates), computing);
    add_class(pieces, computes, computing, window, shares);
    add_class(pieces, communicates, communicating, window, shares);
    add_class(pieces, copies, subtract(ranges_of(copies), unite(computing, communicating)), window, shares);
    std::vector<WorkShare> result;
    for (std::size_t i = 0; i < kStepWorkCount; ++i)
        if (shares[i].kernels > 0) {
            shares[i].work = static_cast<StepWork>(i);
            result.push_back(shares[i]);
        }
    return result;
}

RepeatedLayers repeated_layers(std::span<const NameId> names) {
    constexpr std::size_t kLongest = 1024;   // kernels of a layer
    constexpr std::size_t kMost = 32 * 1024; // of a step
    RepeatedLayers best;
    if (names.size() > kMost)
        return best;
    for (std::size_t period = 1; period <= std::min(kLongest, names.size() / kLeastLayers); ++period) {
        std::size_t run = 0; // names in a row that come again a period later
        for (std::size_t i = 0; i + period < names.size(); ++i) {
            run = names[i] == names[i + period] ? run + 1 : 0;
            const std::size_t count = run / period + 1;
            if (count >= kLeastLayers && 2 * count * period >= names.size() &&
                count * period > best.count * best.kernels)
                best = {i + 1 - run, period, count};
        }
        if (best.count > 0)
            return best;
    }
    return best;
}

} // namespace rankscope
