// SPDX-License-Identifier: GPL-3.0-or-later
// The few words that stand before all findings.
#include "core/analysis/findings/finding_summary.h"

#include <algorithm>
#include <utility>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/finding_brief.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/base/words.h"

namespace rankscope {

namespace {

/// Of what was judged, that it is healthy; of the rest, that it was not judged; nothing of what is told of.
/// host_told: a finding says that the GPU waits for the host, or, of a host that was judged, that the GPU does nothing.
/// ranks_told: one tells of ranks, or facts forbid to call the ranks healthy.
Message health_words(const Run& run, const Judged& judged, bool host_told, bool ranks_told, const Message& step) {
    std::vector<Message> healthy;
    std::vector<Message> unknown;
    if (!ranks_told)
        (judged.ranks ? healthy : unknown).push_back(run.left_out > 0 ? "the other ranks"_text() : "ranks"_text());
    (judged.links ? healthy : unknown).push_back("links"_text());
    if (judged.links && !judged.network)
        unknown.push_back("the network between machines"_text());
    if (!host_told)
        (judged.host ? healthy : unknown).push_back("the host"_text());
    if (const std::size_t untraced = run.untraced_ranks(); untraced > 0 && (judged.ranks || judged.links))
        unknown.push_back(run.source == TraceSource::xplane
                              ? "%1 of %2 devices (no events)"_text(untraced, run.world_size)
                              : "%1 of %2 ranks (no trace)"_text(untraced, run.world_size));
    Message text;
    if (!healthy.empty())
        text = "No fault of %1 costs 1 % of %2."_text(listed(healthy, "%1 or %2"_text), step);
    if (!text.empty() && !unknown.empty())
        text += ' ';
    if (!unknown.empty())
        text += "Not judged: %1."_text(listed(unknown, "%1 and %2"_text));
    return text;
}

} // namespace

const Finding* head_of(const std::vector<Finding>& list, double together) {
    const auto costly = std::ranges::find_if(list, [](const Finding& f) { return f.share >= kUnhealthy; });
    if (costly == list.end() || list.front().code == FindingCode::clock_misfit)
        return nullptr;
    // Faults that hide each other cost little each, and together more than anything else.
    const auto fault =
        std::ranges::find_if(list, [](const Finding& f) { return !f.inherent && f.code != FindingCode::clock_misfit; });
    return costly->inherent && together > costly->cost && fault != list.end() ? &*fault : &*costly;
}

Message summary_words(const Run& run, const Findings& findings, const Finding* head, Message told, double together,
                      const RanksDiffer& differ, const Message& step) {
    const auto& list = findings.list;
    if (!list.empty() && list.front().code == FindingCode::clock_misfit)
        return "The clocks of the ranks do not fit: what is said across ranks is not to be trusted."_text();
    const auto faults = std::ranges::count_if(list, &Finding::is_costly_fault);
    if (faults > 1) {
        told += ' ';
        return told += together > 0
                           ? "%1 faults cost more than 1 % of %2, together %3."_text(faults, step, time_words(together))
                           : "%1 faults cost more than 1 % of %2."_text(faults, step);
    }
    if (faults == 1)
        return head != nullptr && head->inherent ? told += " One fault costs more than 1 % as well."_text() : told;
    const bool host_told = std::ranges::any_of(
        list,
        [&](const Finding& f) {
            return (f.code == FindingCode::host_bound || (f.code == FindingCode::gpu_idle && findings.judged.host)) &&
                   f.share >= kUnhealthy;
        });
    const bool ranks_told = differ.any() || (!findings.judged.ranks && std::ranges::any_of(list, [&](const Finding& f) {
                                return !f.ranks.empty() && f.ranks.size() < run.ranks.size();
                            }));
    Message all = differ.sentence;
    for (const Message& part : {told, health_words(run, findings.judged, host_told, ranks_told, step)}) {
        if (!all.empty() && !part.empty())
            all += ' ';
        all += part;
    }
    return all;
}

/// "Rank 2: gemm kernels take 1.68× as long as peers'. Cost: 20.69 ms of a 72.24 ms step."
Message short_words(const Run& run, const Finding& finding, bool any_fault) {
    Message words = headline_words(run, finding);
    if (finding.iterations.size() > 1) // of one step the cost says which
        words += finding.when;
    if (!finding.cost_words.empty()) {
        words += std::string(". ");
        words += cost_sentence(finding, any_fault);
    }
    return words.as_sentence();
}

} // namespace rankscope
