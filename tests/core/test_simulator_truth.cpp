// SPDX-License-Identifier: GPL-3.0-or-later
// Two hundred simulated runs of random shape, slowness, clocks and capture defects: what the analyses find is what the
// simulator knows. Which run failed is in the message; its options follow from its number alone.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "tests/support/test_program.h"

namespace rankscope::simulator_truth_test {

namespace {

constexpr int kRuns = 200;

class Dice {
public:
    explicit Dice(int seed) : engine_(static_cast<std::uint32_t>(seed) * 7919U + 13U) {}
    int between(int least, int most) {
        return least + static_cast<int>(engine_() % static_cast<std::uint32_t>(most - least + 1));
    }
    bool one_in(int n) { return between(1, n) == 1; }
    template <typename T>
    T of(std::initializer_list<T> choices) {
        return *(choices.begin() + between(0, static_cast<int>(choices.size()) - 1));
    }

private:
    std::mt19937 engine_;
};

LayerKernel kernel(const char* operator_name, const char* name, TimeNs duration, bool all_reduce_after) {
    return {{operator_name}, name, duration, all_reduce_after, 432, 256};
}

SimulatorOptions options_of(int number) {
    Dice dice(number);
    SimulatorOptions o;
    do {
        o.pp = dice.of({1, 1, 2, 2, 3, 4});
        o.dp = dice.of({1, 2, 2, 3});
        o.tp = dice.of({1, 2, 2, 4});
    } while (o.world_size() < 2 || o.world_size() > 8);
    o.microbatches = dice.between(1, 5);
    o.layers = dice.between(1, 3);
    o.layers_per_bucket = dice.between(1, 2);
    o.steps = dice.between(2, 3);
    o.forward_layer = {kernel("aten::mm", "gemm_f", 90000, false), kernel("aten::add", "add_f", 20000, true)};
    o.backward_layer = {kernel("autograd::engine::evaluate_function: AddBackward0", "add_b", 25000, false),
                        kernel("autograd::engine::evaluate_function: MmBackward0", "gemm_b", 170000, true)};
    o.embedding_time = dice.of<TimeNs>({0, 40000});
    o.loss_time = dice.of<TimeNs>({0, 60000});
    o.optimizer_kernels = 2;
    o.activation_elements = 262144 * dice.between(1, 4);
    o.gradient_elements_per_layer = 1048576;
    o.jitter = dice.of({0.0, 0.02, 0.05});
    o.seed = static_cast<std::uint64_t>(number) + 1;
    if (dice.one_in(2)) { // then every wait is exactly what the trace shows of it
        o.kernel_gap = 0;
        o.launch_latency = 0;
    }
    if (dice.one_in(2)) {
        o.slow = {dice.between(0, o.world_size() - 1), 1,
                  dice.of({SlowCause::slower_kernels, SlowCause::host_bound, SlowCause::late_data})};
        o.slow.factor = o.slow.cause == SlowCause::slower_kernels ? 1.6
                        : o.slow.cause == SlowCause::host_bound   ? 30
                                                                  : 12;
    }
    if (dice.one_in(2))
        for (int rank = 0; rank < o.world_size(); ++rank)
            o.clock_offsets.push_back(dice.between(-5'000'000, 5'000'000));
    if (dice.one_in(2)) {
        CaptureDefect defect;
        defect.rank = dice.between(0, o.world_size() - 1);
        switch (dice.between(0, 3)) {
        case 0: defect.skip_collectives = dice.between(1, 6); break;
        case 1: defect.drop_collectives = {dice.between(0, 5), dice.between(6, 9)}; break;
        case 2: defect.omit_collective_args = true; break;
        default: defect.skip_collectives = dice.between(1, 4); defect.drop_collectives = {dice.between(5, 9)};
        }
        o.defects.push_back(std::move(defect));
    }
    o.annotate_microbatches = dice.one_in(2);
    o.memory_instants = false;
    o.vendor = dice.of({GpuVendor::nvidia, GpuVendor::amd});
    return o;
}

std::string described(int number, const SimulatorOptions& o) {
    std::string text = "run " + std::to_string(number) + ": pp " + std::to_string(o.pp) + " dp " +
                       std::to_string(o.dp) + " tp " + std::to_string(o.tp) + " mb " + std::to_string(o.microbatches) +
                       " layers " + std::to_string(o.layers);
    text += o.slow.rank < 0
                ? ""
                : ", rank " + std::to_string(o.slow.rank) + " slow by " + std::string(slow_cause_word(o.slow.cause));
    text += o.clock_offsets.empty() ? "" : ", clocks differ";
    for (const CaptureDefect& defect : o.defects) {
        text += ", rank " + std::to_string(defect.rank) + (defect.skip_collectives > 0 ? " begins later" : "") +
                (defect.drop_collectives.empty() ? "" : " loses calls") +
                (defect.omit_collective_args ? " has no arguments" : "");
    }
    return text;
}

/// The true call behind each recorded one: by rank, and by when it ran there on that rank's clock.
class TrueCalls {
public:
    explicit TrueCalls(const RunTruth& truth) : truth_(truth) {
        for (std::size_t i = 0; i < truth.collectives.size(); ++i) {
            const CollectiveTruth& call = truth.collectives[i];
            for (std::size_t m = 0; m < call.ranks.size(); ++m) {
                const TimeNs shift = truth.clock_offsets[static_cast<std::size_t>(call.ranks[m])];
                index_[{call.ranks[m], call.starts[m] + shift, call.end + shift, call.group}].push_back(i);
            }
        }
    }
    /// Those that one recorded call may be; several only where a rank ran two calls of one group at the same time.
    [[nodiscard]] std::vector<std::size_t> behind(int rank, TimeRange range) const {
        std::vector<std::size_t> found;
        const auto first = index_.lower_bound({rank, range.begin, range.end, -1});
        for (auto at = first; at != index_.end() && std::get<0>(at->first) == rank &&
                              std::get<1>(at->first) == range.begin && std::get<2>(at->first) == range.end;
             ++at)
            found.insert(found.end(), at->second.begin(), at->second.end());
        return found;
    }

private:
    const RunTruth& truth_;
    std::map<std::tuple<int, TimeNs, TimeNs, int>, std::vector<std::size_t>> index_;
};

/// Number of the true call that all members of a matched call are; -1 when there is none.
int true_call(const RunAnalysis& analysis, const TrueCalls& calls, const MatchedCall& matched) {
    std::map<std::size_t, std::size_t> votes;
    for (const auto& member : matched.members)
        for (const std::size_t call :
             calls.behind(analysis.run().ranks[member.first]->rank, analysis.collectives().call(member).range))
            ++votes[call];
    for (const auto& [call, count] : votes)
        if (count == matched.members.size())
            return static_cast<int>(call);
    return -1;
}

/// Calls of collectives (not messages) that every member recorded.
std::size_t wholly_recorded(const RunAnalysis& analysis, const RunTruth& truth, const SimulatorOptions& o) {
    std::map<std::tuple<int, TimeNs, TimeNs>, int> recorded;
    for (std::size_t r = 0; r < analysis.run().ranks.size(); ++r)
        for (const CommCall& call : analysis.collectives().calls[r])
            ++recorded[{analysis.run().ranks[r]->rank, call.range.begin, call.range.end}];
    std::set<int> nameless;
    for (const CaptureDefect& defect : o.defects)
        if (defect.omit_collective_args)
            nameless.insert(defect.rank);
    std::size_t count = 0;
    for (const CollectiveTruth& call : truth.collectives) {
        bool whole = call.collective != "send";
        for (std::size_t m = 0; m < call.ranks.size(); ++m) {
            const TimeNs shift = truth.clock_offsets[static_cast<std::size_t>(call.ranks[m])];
            whole = whole && !nameless.contains(call.ranks[m]) &&
                    recorded.contains({call.ranks[m], call.starts[m] + shift, call.end + shift});
        }
        count += whole ? 1 : 0;
    }
    return count;
}

/// The same run as a PyTorch wrote it that does not number the calls of a group.
std::shared_ptr<const Run> without_sequence_numbers(const Run& run) {
    auto copy = std::make_shared<Run>(run);
    for (auto& rank : copy->ranks) {
        auto changed = std::make_shared<RankTrace>(*rank);
        for (CollectiveEntry& call : changed->collectives)
            call.sequence = kUnknown;
        rank = std::move(changed);
    }
    return copy;
}

Json details_of(const RunAnalysis& analysis, const char* metric) {
    return find_metric(metric)->compute(analysis).details;
}

} // namespace

class TestSimulatorTruth : public QObject {
    Q_OBJECT

    struct Counts {
        int runs = 0;
        std::size_t calls = 0;
        std::size_t expected = 0;
        std::size_t bubbles = 0;
        int slow = 0;
        int slow_found = 0;
    } counts_;

    void checkCalls(const RunAnalysis& analysis, const RunTruth& truth, const SimulatorOptions& o, bool numbered,
                    const char* what) {
        const TrueCalls calls(truth);
        for (const MatchedCall& matched : analysis.collectives().matched)
            QVERIFY2(true_call(analysis, calls, matched) >= 0, what);
        const TimeNs tolerance = o.clock_offsets.empty() ? 0 : 2 * analysis.clock().residual + 2;
        for (const CallLag& lag : analysis.stragglers().calls) {
            const MatchedCall& matched = analysis.collectives().matched[lag.call];
            const CollectiveTruth& call =
                truth.collectives[static_cast<std::size_t>(true_call(analysis, calls, matched))];
            QVERIFY2(
                std::abs(lag.lag - call.lag()) <= tolerance,
                qPrintable(QString::fromUtf8(what) + QStringLiteral(": lag %1, true %2").arg(lag.lag).arg(call.lag())));
            if (tolerance == 0)
                QVERIFY2(analysis.run().ranks[lag.last_rank]->rank == call.last_rank(), what);
        }
        const std::size_t expected = wholly_recorded(analysis, truth, o);
        counts_.calls += analysis.stragglers().calls.size();
        counts_.expected += expected;
        // Few calls, as regular as clockwork, on clocks that nothing else compares: those may stay unmatched.
        const bool can_be_told = o.clock_offsets.empty() || o.defects.empty() || numbered;
        QVERIFY2(can_be_told ? analysis.stragglers().calls.size() == expected
                             : analysis.stragglers().calls.size() <= expected,
                 qPrintable(
                     QString::fromUtf8(what) +
                     QStringLiteral(": %1 of %2 calls matched").arg(analysis.stragglers().calls.size()).arg(expected)));
    }

    void checkBubbles(const RunAnalysis& analysis, const RunTruth& truth, const SimulatorOptions& o, const char* what) {
        const PipelineAnalysis& pipeline = analysis.pipeline();
        if (o.pp == 1) {
            QVERIFY2(!pipeline.unavailable.empty(), what);
            return;
        }
        QVERIFY2(std::abs(*pipeline.ideal - truth.ideal_bubble) < 1e-12, what);
        QCOMPARE(pipeline.method, o.annotate_microbatches ? BubbleMethod::annotations : BubbleMethod::p2p);
        QCOMPARE(pipeline.steps.size(), truth.steps.size());
        // A gap is seen to start when the kernel before it ends; the simulator knows when the next could have started.
        const TimeNs per_gap = o.kernel_gap + o.launch_latency;
        const TimeNs tolerance = per_gap * 2 * (o.microbatches + 1);
        for (std::size_t i = 0; i < truth.steps.size(); ++i) {
            const StepBubble& ours = pipeline.steps[i];
            const StepTruth& known = truth.steps[i];
            const auto near = [&](TimeNs a, TimeNs b) { return std::abs(a - b) <= tolerance; };
            const bool found = near(ours.warmup, known.bubble_warmup) && near(ours.steady, known.bubble_steady) &&
                               near(ours.cooldown, known.bubble_cooldown) && ours.unplaced == 0;
            QVERIFY2(found, qPrintable(QString::fromUtf8(what) +
                                       QStringLiteral(": rank %1 step %2: %3 %4 %5, true %6 %7 %8, within %9")
                                           .arg(known.rank)
                                           .arg(known.step)
                                           .arg(ours.warmup)
                                           .arg(ours.steady)
                                           .arg(ours.cooldown)
                                           .arg(known.bubble_warmup)
                                           .arg(known.bubble_steady)
                                           .arg(known.bubble_cooldown)
                                           .arg(tolerance)));
            ++counts_.bubbles;
        }
    }

    void checkTraffic(const RunAnalysis& analysis, const RunTruth& truth, const char* what) {
        const Json by_dimension = details_of(analysis, "traffic_distribution")["by_dimension"];
        for (std::size_t d = 0; d < truth.traffic.size(); ++d) {
            const std::string word(dimension_word(static_cast<Dimension>(d)));
            const bool here = by_dimension.contains(word) || (word == "dp" && by_dimension.contains("dp_replicate"));
            QVERIFY2(here == (truth.traffic[d].calls > 0), what);
            if (here) {
                QVERIFY2(by_dimension[word]["bytes"].get<double>() == static_cast<double>(truth.traffic[d].bytes),
                         what);
                QVERIFY2(by_dimension[word]["calls"].get<double>() == static_cast<double>(truth.traffic[d].calls),
                         what);
            }
        }
    }

    void checkWorstRank(const RunAnalysis& analysis, const RunTruth& truth, const SimulatorOptions& o,
                        const char* what) {
        if (o.slow.rank < 0 || analysis.stragglers().calls.empty() || !o.defects.empty())
            return;
        // Who makes the others wait, by the truth alone.
        std::map<int, TimeNs> caused;
        for (const CollectiveTruth& call : truth.collectives)
            for (std::size_t m = 0; call.collective != "send" && m < call.ranks.size(); ++m)
                caused[call.last_rank()] += *std::max_element(call.starts.begin(), call.starts.end()) - call.starts[m];
        const auto worst = std::max_element(caused.begin(), caused.end(),
                                            [](const auto& a, const auto& b) { return a.second < b.second; });
        const int found = details_of(analysis, "straggler_lag")["worst_rank"].get<int>();
        QVERIFY2(found == worst->first, what);
        ++counts_.slow;
        counts_.slow_found += found == o.slow.rank ? 1 : 0;
    }

private Q_SLOTS:
    void whatTheSimulatorKnowsIsFound() {
        for (int number = 0; number < kRuns; ++number) {
            const SimulatorOptions options = options_of(number);
            const std::string what = described(number, options);
            const QTemporaryDir folder;
            const auto truth = write_run(options, folder.path().toStdString());
            QVERIFY2(truth.has_value(), truth ? "" : english(truth.error().message).c_str());
            const auto run = load_run(folder.path().toStdString());
            QVERIFY2(run.has_value(), run ? "" : english(run.error().message).c_str());
            const bool numbered = number % 2 == 0;
            const RunAnalysis analysis(numbered ? *run : without_sequence_numbers(**run), {});
            checkCalls(analysis, *truth, options, numbered, what.c_str());
            if (QTest::currentTestFailed())
                return;
            if (options.defects.empty()) {
                checkBubbles(analysis, *truth, options, what.c_str());
                checkTraffic(analysis, *truth, what.c_str());
            }
            checkWorstRank(analysis, *truth, options, what.c_str());
            if (QTest::currentTestFailed())
                return;
            ++counts_.runs;
        }
        // Where the worst rank is another, the slow one delays it through the pipeline, and the truth says so too.
        qInfo("%d runs: %zu of %zu calls matched, none wrongly; bubbles of %zu steps; worst rank found in %d, the slow "
              "one in %d of them",
              counts_.runs, counts_.calls, counts_.expected, counts_.bubbles, counts_.slow, counts_.slow_found);
        QCOMPARE(counts_.runs, kRuns);
    }
};

RANKSCOPE_TEST(TestSimulatorTruth)

} // namespace rankscope::simulator_truth_test

#include "test_simulator_truth.moc"
