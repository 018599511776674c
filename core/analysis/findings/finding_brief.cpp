// SPDX-License-Identifier: GPL-3.0-or-later
// A finding in the columns of a table.
#include "core/analysis/findings/finding_brief.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/collectives/parallel_dimension.h"
#include "core/analysis/facts/fact_words.h"
#include "core/base/words.h"

namespace rankscope {

namespace {

const FindingFact* fact_of(const Finding& finding, FactName name) {
    const auto found = std::ranges::find(finding.facts, name, &FindingFact::name);
    return found == finding.facts.end() ? nullptr : &*found;
}

/// "30.28 ms" of a fact in µs; empty: it is not there.
Message time_of(const Finding& finding, FactName us) {
    const FindingFact* fact = fact_of(finding, us);
    return fact == nullptr ? Message() : Message(time_words(1000 * fact->number));
}

/// "1.68"; empty: it is not there.
Message ratio_of(const Finding& finding, FactName ratio) {
    const FindingFact* fact = fact_of(finding, ratio);
    return fact == nullptr ? Message() : Message(fmt::format("{:.2f}", fact->number));
}

/// "12"; empty: it is not there.
Message count_of(const Finding& finding, FactName count) {
    const FindingFact* fact = fact_of(finding, count);
    return fact == nullptr ? Message() : Message(std::llround(fact->number));
}

/// Of several ranks the evidence is that of the worst.
Message at_most_of(const Finding& finding, Message value) {
    return value.empty() || finding.ranks.size() < 2 ? value : "up to %1"_text(std::move(value));
}

/// What a rank takes longer than its peers, in one of the steps that have it.
Message excess_of(const Finding& finding) {
    const Message of_affected = time_of(finding, FactName::excess_us_per_affected_step);
    return at_most_of(finding, of_affected.empty() ? time_of(finding, FactName::excess_us_per_step) : of_affected);
}

Message communication_of(const Finding& finding) {
    return finding.group.empty() ? "communication"_text() : "communication of %1"_text(group_words(finding.group));
}

Message slow_link_what(const Finding& finding) {
    const Message ratio = ratio_of(finding, FactName::ratio);
    const FindingFact* busbw = fact_of(finding, FactName::busbw_gb_s);
    const FindingFact* network = fact_of(finding, FactName::network_gb_s);
    if (finding.cause == FindingCause::below_hardware && busbw != nullptr && network != nullptr)
        return "%1 reaches %2 of %3 GB/s"_text(communication_of(finding), fmt::format("{:.3g}", busbw->number),
                                               fmt::format("{:.3g}", network->number));
    if (finding.cause == FindingCause::slow_card)
        return "its calls of one kind take up to %1× as long, with every partner"_text(ratio);
    return ratio.empty() ? "%1 is slow"_text(communication_of(finding))
                         : "%1 takes up to %2× as long"_text(communication_of(finding), ratio);
}

/// How much of its excess that is, the evidence does not say.
Message more_work_what(const Finding& finding) {
    const FindingFact* surplus = fact_of(finding, FactName::surplus);
    const bool copies = finding.only_copies || (surplus != nullptr && surplus->text == "copies");
    return copies ? "makes copies beyond those of peers"_text() : "runs kernels beyond those of peers"_text();
}

Message straggler_what(const Finding& finding) {
    const Message excess = excess_of(finding);
    const FindingFact* kind = fact_of(finding, FactName::kernel_kind);
    const Message last = count_of(finding, FactName::calls_arrived_last_at);
    switch (finding.cause) {
    case FindingCause::allocation: return "allocates GPU memory where peers do not"_text();
    case FindingCause::computation:
        if (const Message ratio = ratio_of(finding, FactName::ratio); !ratio.empty())
            return "operations take up to %1× as long as peers'"_text(ratio);
        break;
    case FindingCause::data_loading:
        return excess.empty() ? "waits longer for data than peers"_text()
                              : "waits %1 longer for data than peers"_text(excess);
    case FindingCause::garbage_collection: return "Python collects garbage"_text();
    case FindingCause::host_bound:
        return excess.empty() ? "the host launches later than peers'"_text()
                              : "the host takes %1 longer between launches than peers'"_text(excess);
    case FindingCause::late_start:
        return "the first step starts %1 after peers'"_text(
            at_most_of(finding, time_of(finding, FactName::begins_later_us)));
    case FindingCause::more_kernels: return more_work_what(finding);
    case FindingCause::slower_copies:
        return excess.empty() ? "the same copies take longer than peers'"_text()
                              : "the same copies take %1 longer than peers'"_text(excess);
    case FindingCause::slower_kernels:
        return kind == nullptr
                   ? "the same kernels take longer than peers'"_text()
                   : "%1 kernels take %2× as long as peers'"_text(
                         kernel_kind_words(kind->text), at_most_of(finding, ratio_of(finding, FactName::kernel_ratio)));
    case FindingCause::synchronisation: return "the host waits for the GPU where peers' do not"_text();
    default: break;
    }
    return last.empty() ? "the other ranks wait for it"_text()
                        : "comes last at %1 of %2 calls"_text(last, count_of(finding, FactName::calls_of_group));
}

Message slower_steps_what(const Finding& finding) {
    const Message usual = time_of(finding, FactName::usual_step_us);
    const Message slower = time_of(finding, FactName::slower_step_us);
    if (!usual.empty() && !slower.empty())
        return "a step takes %1 instead of %2"_text(slower, usual);
    return "steps grow from %1 to %2"_text(time_of(finding, FactName::first_step_us),
                                           time_of(finding, FactName::last_step_us));
}

} // namespace

Message who_words(const Run& run, const Finding& finding) {
    if (run.ranks.size() == 1)
        return rank_words({run.ranks.front()->rank});
    const bool all = finding.ranks.empty() || (run.untraced_ranks() == 0 && finding.ranks.size() == run.ranks.size());
    return all ? "all ranks"_text() : rank_words(finding.ranks);
}

Message what_words(const Finding& finding) {
    switch (finding.code) {
    case FindingCode::allocation_churn: return "the host allocates or frees GPU memory"_text();
    case FindingCode::clock_misfit:
        return finding.cause == FindingCause::jump ? "the clock jumps by %1"_text(time_of(finding, FactName::jump_us))
                                                   : "the clocks of the ranks do not fit"_text();
    case FindingCode::data_loading: return "the GPU waits for data"_text();
    case FindingCode::engine_pauses:
        return "the engine does nothing between steps, for up to %1"_text(time_of(finding, FactName::longest_us));
    case FindingCode::expert_imbalance:
        return "the busiest experts get %1× the mean tokens"_text(ratio_of(finding, FactName::busiest_over_mean));
    case FindingCode::exposed_communication:
        return finding.group == parallel_dimension_word(ParallelDimension::unknown)
                   ? "exposed communication"_text()
                   : "exposed %1 communication"_text(finding.group);
    case FindingCode::exposed_copies: return "exposed copies"_text();
    case FindingCode::first_iteration:
        return "the first step takes %1 longer than the later ones"_text(time_of(finding, FactName::extra_us));
    case FindingCode::first_use: return "first use of a library or a kernel"_text();
    case FindingCode::garbage_collection: return "Python collects garbage"_text();
    case FindingCode::gpu_idle: return "the GPU does nothing, and no other finding says why"_text();
    case FindingCode::host_bound: {
        const FindingFact* in = fact_of(finding, FactName::host_is_in);
        return in == nullptr ? "the GPU waits for the host"_text()
                             : "the GPU waits for the host, mostly in %1"_text(in->text);
    }
    case FindingCode::host_pauses: return "the host pauses"_text();
    case FindingCode::launch_delay: return "operations start later than they could"_text();
    case FindingCode::pipeline_bubble: return "pipeline bubbles"_text();
    case FindingCode::slow_link: return slow_link_what(finding);
    case FindingCode::slower_steps: return slower_steps_what(finding);
    case FindingCode::straggler: return straggler_what(finding);
    case FindingCode::synchronisation: return "hosts wait for their GPUs, and then launch too late"_text();
    case FindingCode::uneven_microbatches: return "computation differs between microbatches"_text();
    case FindingCode::uneven_stages:
        return "stage %1 computes %2× as long as the mean stage"_text(count_of(finding, FactName::stage),
                                                                      ratio_of(finding, FactName::ratio));
    case FindingCode::uneven_work: return "computation takes longer now on one rank, now on another"_text();
    }
    return {};
}

Message headline_words(const Run& run, const Finding& finding) {
    if (finding.ranks.empty() || finding.ranks.size() == run.ranks.size())
        return what_words(finding);
    return "%1: %2"_text(who_words(run, finding), what_words(finding));
}

} // namespace rankscope
