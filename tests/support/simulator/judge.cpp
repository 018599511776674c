// SPDX-License-Identifier: GPL-3.0-or-later
// What counts as the right cause and the right rank.
#include "tests/support/simulator/judge.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace rankscope::machine {
namespace {

using Document = nlohmann::json;

bool one_of(const std::string& word, std::initializer_list<const char*> words) {
    return std::ranges::any_of(
        words, [&](const char* each) { return word == each; });
}

bool has(const std::vector<int>& ranks, int rank) { return std::ranges::find(ranks, rank) != ranks.end(); }

/// The cause of a finding about a rank: that of a straggler, or the code itself where it names a host's doing.
std::string cause_of(const SaidFinding& finding) {
    if (finding.code == "slower_steps") // of the rank that it names
        return finding.cause == "computation" && !finding.ranks.empty() ? "slow_gpu" : finding.code;
    return finding.code == "straggler" ? finding.cause : finding.code;
}

bool right_cause(const FaultTruth& fault, const SaidFinding& said) {
    const std::string cause = cause_of(said);
    switch (fault.kind) {
    case FaultKind::slow_gpu:
    case FaultKind::slow_kernel: return one_of(cause, {"slower_kernels", "slow_gpu", "slow_kernel"});
    case FaultKind::slow_link:
    case FaultKind::slow_card:
    case FaultKind::slow_group:
    case FaultKind::slow_dimension:
        return said.code.find("link") != std::string::npos || said.code.find("network") != std::string::npos ||
               said.code.find("card") != std::string::npos;
    case FaultKind::stall_before_load: // no event shows what the host did
        return one_of(cause, {"host_bound", "host_stall", "data_loading", "late_data", "unexplained", "late_start"});
    case FaultKind::stall_in_load:
    case FaultKind::late_data: return one_of(cause, {"data_loading", "late_data"});
    case FaultKind::garbage_collection: return cause == "garbage_collection";
    case FaultKind::synchronisation: return one_of(cause, {"synchronisation", "host_bound"});
    case FaultKind::slow_host:
    case FaultKind::host_bound: return cause == "host_bound";
    case FaultKind::allocation: return one_of(cause, {"allocation", "allocation_churn"});
    case FaultKind::uneven_stages: {
        const std::string words = said.code + " " + said.cause;
        return words.find("stage") != std::string::npos ||
               (words.find("imbalance") != std::string::npos && said.code != "expert_imbalance");
    }
    case FaultKind::uneven_experts: return said.code == "expert_imbalance";
    }
    return false;
}

bool right_ranks(const FaultTruth& fault, const SaidFinding& said, int world) {
    const auto concerned = [&](int rank) { return has(fault.concerned, rank) || has(fault.ranks, rank); };
    switch (fault.kind) {
    case FaultKind::slow_link: // one end, both, or the group the link is in: no trace tells which hop of a ring
        return !said.ranks.empty() && std::ranges::all_of(said.ranks, concerned) &&
               std::ranges::any_of(fault.ranks, [&](int rank) { return has(said.ranks, rank); });
    case FaultKind::slow_card:
        return std::ranges::all_of(said.ranks, concerned) && has(said.ranks, fault.ranks.front());
    case FaultKind::slow_group: return !said.ranks.empty() && std::ranges::all_of(said.ranks, concerned);
    case FaultKind::uneven_experts: return has(said.ranks, fault.ranks.front());
    case FaultKind::late_data:
    case FaultKind::host_bound: return said.ranks.empty() || static_cast<int>(said.ranks.size()) == world;
    case FaultKind::slow_dimension:
    case FaultKind::uneven_stages: return true;
    default: return said.ranks == fault.ranks;
    }
}

} // namespace

Said read_said(const std::string& json) {
    const Document document = Document::parse(json);
    Said said;
    for (const Document& each : document.at("findings")) {
        SaidFinding& finding = said.findings.emplace_back();
        finding.code = each.at("code");
        finding.cause = each.value("cause", "");
        finding.title = each.at("title");
        finding.fault = each.value("kind", "fault") == "fault" && !each.value("hidden", false);
        finding.ranks = each.at("ranks").get<std::vector<int>>();
        std::ranges::sort(finding.ranks);
        finding.cost = 1000 * each.at("cost_us_per_step").get<double>();
        finding.share = each.value("share_of_step", 0.0);
        finding.first_iteration = each.value("first_iteration", -1);
        if (finding.share > 0 && said.step == 0)
            said.step = finding.cost / finding.share;
    }
    const Document& run = document.at("runs").at(0);
    const Document& metrics = run.at("metrics");
    if (metrics.contains("straggler_lag") && metrics["straggler_lag"].contains("details")) {
        const Document& details = metrics["straggler_lag"]["details"];
        if (details.contains("late_rank") && details["late_rank"].is_number())
            said.late_rank = details["late_rank"].get<int>();
    }
    if (run.contains("judged"))
        said.links_judged = run["judged"].value("links", true);
    for (const Document& notice : run.at("notices"))
        said.notices.push_back(notice.at("code"));
    return said;
}

Verdict judge(const Truth& truth, const Said& said) {
    Verdict verdict;
    const FaultTruth* fault = truth.faults.empty() ? nullptr : &truth.faults.front();
    const SaidFinding* first_fault = nullptr;
    for (const SaidFinding& each : said.findings)
        if (each.fault && first_fault == nullptr)
            first_fault = &each;
    for (const SaidFinding& each : said.findings) {
        const bool right = fault != nullptr && right_cause(*fault, each) && right_ranks(*fault, each, truth.world);
        if (right && !verdict.found) {
            verdict.found = true;
            verdict.finding = &each;
            verdict.first = fault->inherent || &each == first_fault;
            verdict.headline = &each == &said.findings.front();
            verdict.onset = each.first_iteration == fault->first_step;
            verdict.error = std::abs(each.cost / fault->cost - 1);
            if (const double affected = std::abs(each.cost / fault->cost_affected - 1); affected < verdict.error) {
                verdict.error = affected;
                verdict.per_affected_step = true;
            }
        } else if (!right && each.fault && each.share >= kAccusation &&
                   (fault == nullptr || fault->ranks.empty() || each.ranks != fault->ranks)) {
            verdict.accusations.push_back(&each);
        }
    }
    if (said.late_rank) {
        const bool victim_of_nobody = fault == nullptr || fault->ranks.empty();
        verdict.wrong_late_rank =
            victim_of_nobody || (!has(fault->ranks, *said.late_rank) && !has(fault->concerned, *said.late_rank));
    }
    return verdict;
}

Truth read_foreign_truth(const std::string& json) {
    const Document document = Document::parse(json);
    const Document& args = document.at("args");
    Job job;
    job.pp = args.at("pp");
    job.dp = args.at("dp");
    job.tp = args.at("tp");
    job.pipeline_inside_data = args.at("order") == "dp,pp,tp";
    Truth truth;
    truth.world = job.world();
    truth.step = 1000 * document.at("period_us").get<double>();
    for (const Document& each : document.at("faults")) {
        const std::string text = each.at("fault");
        const auto number = [&](const std::string& key, int otherwise) {
            const auto at = text.find(key + "=");
            return at == std::string::npos ? otherwise : std::stoi(text.substr(at + key.size() + 1));
        };
        FaultTruth& fault = truth.faults.emplace_back();
        if (number("rank", -1) >= 0)
            fault.ranks = {number("rank", -1)};
        fault.first_step = args.at("first").get<int>() + number("from", 0);
        fault.last_step = args.at("first").get<int>() + args.at("iters").get<int>() - 1;
        fault.steps = (fault.last_step - fault.first_step) / number("every", 1) + 1;
        fault.cost = 1000 * each.at("period_cost_us").get<double>();
        fault.cost_affected = fault.cost * args.at("iters").get<int>() / fault.steps;
        fault.share = fault.cost / truth.step;
        truth.steps.assign(args.at("iters").get<std::size_t>(), truth.step);
        if (text.starts_with("slow:")) {
            fault.kind = FaultKind::slow_gpu;
        } else if (text.starts_with("data:")) {
            fault.kind = fault.ranks.empty()       ? FaultKind::late_data
                         : number("named", 1) != 0 ? FaultKind::stall_in_load
                                                   : FaultKind::stall_before_load;
        } else if (text.starts_with("link:") && !fault.ranks.empty()) {
            const auto has_dimension = [&](const char* word) { return text.find(word) != std::string::npos; };
            const Dimension dimension = has_dimension("dim=pp")   ? Dimension::pipeline
                                        : has_dimension("dim=tp") ? Dimension::tensor
                                                                  : Dimension::data;
            fault.kind = FaultKind::slow_card;
            fault.concerned = group_of(job, dimension, fault.ranks.front());
        } else {
            throw std::runtime_error("a fault that the judge does not know: " + text);
        }
    }
    return truth;
}

} // namespace rankscope::machine
