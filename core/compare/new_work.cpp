// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/new_work.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/base/words.h"
#include "core/compare/change_causes.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostOfAName = 60;

struct WorkOfOneRun {
    std::vector<std::string> names; ///< largest first
    double us = 0;                  ///< an iteration of a rank
};

WorkOfOneRun of_one_run(const std::vector<OperatorChange>& kernels, OperatorStatus status) {
    WorkOfOneRun work;
    for (const OperatorChange& change : kernels)
        if (change.status == status) {
            work.names.push_back(change.name);
            work.us += change.test.time_us + change.baseline.time_us;
        }
    return work;
}

std::set<std::string_view> launching_operators(const RunAnalysis& analysis) {
    std::set<std::string_view> names;
    for (const OperatorRow& row : analysis.leaves())
        names.insert(analysis.run().names->view(row.name));
    return names;
}

/// The operator that the other run does not have and that launches at least half of the work, and its time; none: us is
/// 0.
struct NewOperator {
    std::string name;
    double us = 0; ///< an iteration of a rank
};
NewOperator new_operator(const RunAnalysis& has, const RunAnalysis& other, double us) {
    constexpr double kOfTheWork = 0.5;
    const std::set<std::string_view> known = launching_operators(other);
    double iterations = 0;
    for (const RankSteps& rank : has.steps().ranks)
        iterations += static_cast<double>(rank.steps);
    std::map<std::string_view, double> times;
    for (const RankAnalysis& rank : has.ranks()) {
        std::vector<GpuSlice> computation; // an operator that communicates computes nothing
        std::ranges::copy_if(rank.gpu_work, std::back_inserter(computation),
                             [](const GpuSlice& slice) { return slice.kernel_class == KernelClass::compute; });
        for (const OperatorRow& row : analyse_operators(*rank.trace, computation).leaves)
            if (const std::string_view name = has.run().names->view(row.name); !known.contains(name))
                times[name] += static_cast<double>(row.direct) / 1000;
    }
    const auto most = std::ranges::max_element(times, {}, [](const auto& entry) { return entry.second; });
    return most != times.end() && iterations > 0 && most->second / iterations >= kOfTheWork * us
               ? NewOperator{std::string(most->first), most->second / iterations}
               : NewOperator{};
}

/// Numbers of the ranks that have GPU work of that name, or of that operator.
std::vector<int> ranks_with(const RunAnalysis& analysis, std::string_view name, bool is_operator) {
    const StringTable& names = *analysis.run().names;
    std::vector<int> ranks;
    for (std::size_t r = 0; r < analysis.ranks().size(); ++r) {
        const auto named = [&](const auto& row) { return names.view(row.name) == name; };
        if (is_operator ? std::ranges::any_of(analysis.operators()[r].leaves, named)
                        : std::ranges::any_of(analysis.kernel_tables()[r], named))
            ranks.push_back(analysis.ranks()[r].trace->rank);
    }
    return ranks;
}

/// By how much the computation of these ranks changed in an iteration, us, mean of them.
double change_on(const RunAnalysis& baseline, const RunAnalysis& test, const std::vector<int>& ranks) {
    double change = 0;
    for (const auto& [analysis, sign] : {std::pair(&baseline, -1.0), std::pair(&test, 1.0)})
        for (const RankSteps& rank : analysis->steps().ranks)
            if (std::ranges::find(ranks, rank.rank) != ranks.end())
                change += sign * rank.mean.compute / 1000;
    return change / static_cast<double>(ranks.size());
}

} // namespace

Message new_work_cause(const RunAnalysis& baseline, const RunAnalysis& test, const std::vector<OperatorChange>& kernels,
                       double change_us) {
    constexpr double kOfTheChange = 0.5;
    constexpr double kInPlace = 0.2; // kernels of the other run of so much of the time may do the same
    const bool more = change_us > 0;
    const WorkOfOneRun own = of_one_run(kernels, more ? OperatorStatus::added : OperatorStatus::removed);
    const WorkOfOneRun others = of_one_run(kernels, more ? OperatorStatus::removed : OperatorStatus::added);
    if (own.names.empty() || own.us < kOfTheChange * std::abs(change_us) || others.us > kInPlace * own.us)
        return {};
    const RunAnalysis& has = more ? test : baseline;
    const NewOperator launches = new_operator(has, more ? baseline : test, own.us);
    const bool by_operator = !launches.name.empty();
    const std::string& name = by_operator ? launches.name : own.names.front();
    const std::vector<int> ranks = ranks_with(has, name, by_operator);
    if (ranks.empty())
        return {};
    const bool on_all = ranks.size() == has.ranks().size();
    // On these ranks alone: the mean of all ranks is no time of theirs.
    const double on_these = (by_operator ? launches.us : own.us) * static_cast<double>(has.ranks().size()) /
                            static_cast<double>(ranks.size());
    // Kernels that other ranks still have, or had before, may have stood in their place here.
    if (!on_all && change_on(baseline, test, ranks) * (more ? 1 : -1) < (1 - kInPlace) * on_these)
        return {};
    const Message on = on_all ? "on all ranks"_text() : "on %1"_text(rank_words(ranks));
    const std::string shown = shortened(terminal_safe(name), kMostOfAName);
    const std::string by = signed_ms_text(more ? on_these : -on_these);
    if (const std::size_t others_of_them = own.names.size() - 1; !by_operator && others_of_them > 0)
        return (more ? plural(others_of_them, "%1 and %2 more kernel are new: %3 %4"_one,
                              "%1 and %2 more kernels are new: %3 %4"_many)
                     : plural(others_of_them, "%1 and %2 more kernel are gone: %3 %4"_one,
                              "%1 and %2 more kernels are gone: %3 %4"_many))(shown, others_of_them, by, on);
    return (more ? "%1 is new: %2 %3"_text : "%1 is gone: %2 %3"_text)(shown, by, on);
}

std::string name_apart(std::string_view name, std::string_view other) {
    constexpr std::size_t kBefore = 16;
    const std::string shown = shortened(terminal_safe(name), kMostOfAName);
    if (name == other || shown != shortened(terminal_safe(other), kMostOfAName))
        return shown;
    const auto differ = static_cast<std::size_t>(std::ranges::mismatch(name, other).in1 - name.begin());
    std::size_t from = differ > kBefore ? differ - kBefore : 0;
    while (from > 0 && (static_cast<unsigned char>(name[from]) & 0xC0U) == 0x80U)
        --from; // inside of a character
    return "…" + shortened(terminal_safe(name.substr(from)), kMostOfAName - 1);
}

} // namespace rankscope
