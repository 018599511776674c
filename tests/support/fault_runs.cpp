// SPDX-License-Identifier: GPL-3.0-or-later
// Random faults and their outcomes.
#include "tests/support/fault_runs.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>

#include <fmt/format.h>
#include <unistd.h>

#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"

namespace rankscope {
namespace {

class Dice {
public:
    explicit Dice(int seed) : engine_(static_cast<std::uint32_t>(seed) * 7919U + 29U) {}
    int between(int least, int most) {
        return least + static_cast<int>(engine_() % static_cast<std::uint32_t>(most - least + 1));
    }
    template <typename T>
    T of(std::initializer_list<T> choices) {
        return *(choices.begin() + between(0, static_cast<int>(choices.size()) - 1));
    }

private:
    std::mt19937 engine_;
};

constexpr FaultCause kCauses[] = {
    FaultCause::slower_kernels,     FaultCause::more_kernels,     FaultCause::host_bound, FaultCause::late_data,
    FaultCause::garbage_collection, FaultCause::synchronisation,  FaultCause::allocation, FaultCause::slow_link,
    FaultCause::first_iteration,    FaultCause::expert_imbalance, FaultCause::late_start};

Fault random_fault(Dice& dice, const SimulatorOptions& o) {
    Fault fault;
    fault.cause = kCauses[dice.between(0, static_cast<int>(std::size(kCauses)) - 1)];
    const int rank = dice.between(0, o.world_size() - 1);
    switch (fault.cause) {
    case FaultCause::slower_kernels:
        fault.rank = rank;
        fault.factor = 1.1 + 0.1 * dice.between(0, 6);
        break;
    case FaultCause::more_kernels:
        fault.rank = rank;
        fault.time = 100'000 * dice.between(1, 4);
        break;
    case FaultCause::host_bound:
        fault.rank = dice.of({rank, rank, rank, Fault::kAllRanks});
        fault.factor = dice.between(8, 20);
        break;
    case FaultCause::late_data:
        fault.rank = dice.of({rank, rank, rank, Fault::kAllRanks});
        fault.time = 1'000'000 * dice.between(1, 4);
        break;
    case FaultCause::garbage_collection:
        fault.rank = dice.of({rank, Fault::kAllRanks});
        fault.time = 1'000'000 * dice.between(3, 9);
        break;
    case FaultCause::synchronisation: fault.rank = dice.of({rank, Fault::kAllRanks}); break;
    case FaultCause::allocation:
        fault.rank = dice.of({rank, Fault::kAllRanks});
        fault.time = 1'000'000 * dice.between(3, 9);
        break;
    case FaultCause::slow_link:
        fault.rank = rank;
        fault.factor = 1.4 + 0.2 * dice.between(0, 8);
        fault.dimension = o.dp > 1 && o.tp > 1 ? dice.of({Dimension::data, Dimension::tensor})
                          : o.dp > 1           ? Dimension::data
                                               : Dimension::tensor;
        break;
    case FaultCause::first_iteration: fault.time = 1'000'000 * dice.between(10, 30); break;
    case FaultCause::expert_imbalance:
        fault.rank = rank;
        fault.factor = 1.2 + 0.2 * dice.between(0, 6);
        break;
    case FaultCause::late_start:
        fault.rank = rank;
        fault.time = 1'000'000 * dice.between(2, 12);
        break;
    }
    return fault;
}

/// Faults that a trace can tell: a slow link needs other groups to compare with, a slow rank peers.
bool can_be_told(const Fault& fault, const SimulatorOptions& o) {
    if (fault.cause == FaultCause::slow_link) {
        const int groups = fault.dimension == Dimension::data ? o.pp * o.tp : o.pp * o.dp;
        return groups >= 3 && (fault.dimension == Dimension::data ? o.dp : o.tp) > 1;
    }
    return fault.cause != FaultCause::expert_imbalance || o.experts;
}

Result<SimulatedRun> simulated_without(SimulatorOptions options, std::size_t fault) {
    const Fault removed = options.faults[fault];
    if (removed.cause == FaultCause::host_bound &&
        removed.rank == Fault::kAllRanks) { // held against a host that takes no time
        options.host = {32, 1, 1};          // as little as its operators fit into
        options.step_return_time = 0;
    }
    options.faults.erase(options.faults.begin() + static_cast<std::ptrdiff_t>(fault));
    return simulate(options);
}

/// The code and cause that a finding about this fault has.
std::pair<std::string, std::string> expected_words(const Fault& fault) {
    if (fault.rank != Fault::kAllRanks && fault.cause != FaultCause::slow_link &&
        fault.cause != FaultCause::expert_imbalance) {
        const std::string word(fault_cause_word(fault.cause));
        return {"straggler", fault.cause == FaultCause::late_data ? "data_loading" : word};
    }
    switch (fault.cause) {
    case FaultCause::late_data: return {"data_loading", ""};
    case FaultCause::allocation: return {"allocation_churn", ""};
    default: return {std::string(fault_cause_word(fault.cause)), ""};
    }
}

bool names(const Finding& finding, const Fault& fault) {
    const auto [code, cause] = expected_words(fault);
    if (code_word(finding.code) != code ||
        (finding.code == FindingCode::straggler && cause_word(finding.cause) != cause))
        return false;
    if (fault.cause == FaultCause::slow_link) {
        const bool dimension = finding.group == fmt::format("mesh_{}", dimension_word(fault.dimension));
        return dimension && std::ranges::find(finding.ranks, fault.rank) != finding.ranks.end();
    }
    return fault.rank == Fault::kAllRanks || finding.ranks == std::vector<int>{fault.rank};
}

} // namespace

SimulatorOptions fault_run(int number) {
    Dice dice(number);
    SimulatorOptions o;
    do {
        o.pp = dice.of({1, 1, 2, 4});
        o.dp = dice.of({1, 2, 3, 4});
        o.tp = dice.of({1, 2, 4});
    } while (o.world_size() < 3 || o.world_size() > 8 || o.dp * o.tp < 2);
    o.microbatches = dice.between(2, 5);
    o.layers = dice.between(1, 3);
    o.steps = dice.between(3, 5);
    o.data_loading_time = 20'000;
    o.experts = o.dp > 1 && dice.between(0, 1) == 0;
    o.jitter = dice.of({0.0, 0.01, 0.02});
    o.seed = static_cast<std::uint64_t>(number) + 1;
    o.memory_instants = false;
    o.configuration = dice.of({true, false});
    o.vendor = dice.of({GpuVendor::nvidia, GpuVendor::amd});
    if (dice.between(0, 2) == 0)
        for (int rank = 0; rank < o.world_size(); ++rank)
            o.clock_offsets.push_back(dice.between(-3'000'000, 3'000'000));
    const std::size_t wanted = number % 5 == 0 ? 0 : number % 5 == 1 ? 2 : 1;
    while (o.faults.size() < wanted) {
        const Fault fault = random_fault(dice, o);
        const bool known =
            std::ranges::any_of(o.faults, [&](const Fault& other) { return other.cause == fault.cause; });
        // A wait of the host costs what it then launches too late: only beside a host that is hardly fast enough.
        const auto slow_host = [&](FaultCause a, FaultCause b) {
            return fault.cause == a &&
                   std::ranges::any_of(o.faults, [&](const Fault& other) { return other.cause == b; });
        };
        if (known || !can_be_told(fault, o) || slow_host(FaultCause::synchronisation, FaultCause::host_bound) ||
            slow_host(FaultCause::host_bound, FaultCause::synchronisation))
            continue;
        o.faults.push_back(fault);
        if (fault.cause == FaultCause::synchronisation)
            o.host = {90'000, 50'000, 20'000};
    }
    return o;
}

std::string described(const SimulatorOptions& o) {
    std::string text =
        (o.experts ? "experts, " : "") + fmt::format("pp {} dp {} tp {} mb {} layers {} steps {} jitter {}", o.pp, o.dp,
                                                     o.tp, o.microbatches, o.layers, o.steps, o.jitter);
    for (const Fault& fault : o.faults) {
        text += fmt::format(", {} of {}", fault_cause_word(fault.cause),
                            fault.rank < 0 ? "all" : fmt::format("rank {}", fault.rank));
        text += fault.time > 0 ? fmt::format(" by {} us", fault.time / 1000) : fmt::format(" by {:.2f}x", fault.factor);
    }
    return text + (o.clock_offsets.empty() ? "" : ", clocks differ");
}

double mean_step(const RunTruth& truth) {
    double sum = 0;
    for (const StepTruth& step : truth.steps)
        sum += static_cast<double>(step.annotation.length());
    return sum / static_cast<double>(truth.steps.size());
}

FaultRunResult examine(const SimulatorOptions& options) {
    FaultRunResult result;
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / fmt::format("rankscope-faults-{}", ::getpid());
    const auto truth = write_run(options, folder);
    const auto run =
        truth ? load_run(folder) : Result<std::shared_ptr<const Run>>(tl::unexpected<Error>(truth.error()));
    std::filesystem::remove_all(folder);
    if (!run) {
        result.error = english(run.error().message);
        return result;
    }
    const RunAnalysis analysis(*run, {});
    result.findings = analysis.findings();
    const std::vector<Finding>& list = result.findings.list;
    const double step = mean_step(*truth);
    for (std::size_t i = 0; i < options.faults.size(); ++i) {
        FaultOutcome outcome{options.faults[i], 0, 0, false, false, 0};
        // What is inherent is told of the run as it is once the faults are gone.
        SimulatorOptions held = options;
        const bool inherent =
            options.faults[i].cause == FaultCause::host_bound && options.faults[i].rank == Fault::kAllRanks;
        if (inherent)
            held.faults = {options.faults[i]};
        const auto with = simulate(held);
        const auto without = simulated_without(held, inherent ? 0 : i);
        if (!with || !without) {
            result.error = english((with ? without : with).error().message);
            return result;
        }
        outcome.true_cost = mean_step(with->truth) - mean_step(without->truth);
        outcome.true_share = outcome.true_cost / step;
        const auto finding = std::ranges::find_if(list, [&](const Finding& f) { return names(f, options.faults[i]); });
        outcome.found = finding != list.end();
        // The recording starts with the late step, so that nobody knows whether the rank or its profiler was late.
        outcome.first =
            outcome.found && (options.faults[i].cause == FaultCause::late_start ||
                              finding == std::ranges::find_if(list, [](const Finding& f) { return !f.inherent; }));
        outcome.found_cost = outcome.found ? finding->cost : 0;
        result.faults.push_back(outcome);
    }
    for (const Finding& finding : list) {
        const bool injected =
            std::ranges::any_of(options.faults, [&](const Fault& fault) { return names(finding, fault); });
        if (!finding.inherent && finding.share >= 0.01 && !injected)
            result.wrong.push_back(finding);
    }
    return result;
}

} // namespace rankscope
