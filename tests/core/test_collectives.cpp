// SPDX-License-Identifier: GPL-3.0-or-later
// Matching of collectives across ranks, clock alignment and straggler lag, worked out by hand.
#include <array>
#include <filesystem>
#include <memory>

#include <QtTest>

#include "core/analysis/collectives/call_alignment.h"
#include "core/analysis/collectives/message_partners.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::collectives_test {

namespace {

ProcessGroup group_of(std::vector<int> ranks, std::string name = "0") {
    return {std::move(name), "default_pg", ranks, static_cast<int>(ranks.size())};
}

CollectiveCall all_reduce(std::int64_t elements, ProcessGroup group) {
    CollectiveCall call;
    call.collective = "allreduce";
    call.in_elements = call.out_elements = elements;
    call.group = std::move(group);
    return call;
}

/// All-reduces of one size, at these starts (us), that end at start + 100.
TraceBuilder reducing_rank(int number, const std::vector<double>& starts, double clock_us = 0) {
    TraceBuilder rank(number);
    rank.base(1'000'000'000);
    for (const double start : starts)
        rank.collective("ncclDevKernel_Generic", 3, start + clock_us, 100, all_reduce(1024, group_of({0, 1})));
    return rank;
}

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::vector<CallKey> keys(const std::vector<std::pair<std::uint64_t, TimeNs>>& calls) {
    std::vector<CallKey> result;
    for (const auto& [token, end_us] : calls)
        result.push_back({token, {end_us * 1000 - 100'000, end_us * 1000}, true, -1});
    return result;
}

MetricResult straggler_lag(const std::shared_ptr<const Run>& run, Align align = Align::automatic) {
    return find_metric("straggler_lag")->compute(RunAnalysis(run, {}, align));
}

} // namespace

class TestCollectives : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Five messages of each of two senders, 1 ms apart, whose receivers end 20 us after them and by up to 3 us more or
    /// less: a message ends on both sides at once. With more streams than any job has nothing is compared.
    void messagesThatEndTogetherHaveTheSameTwoEnds() {
        CollectiveMatching matching;
        CollectiveArgs args;
        args.in_elements = 1 << 20;
        std::vector<MessageStream> streams;
        const std::array<std::array<TimeNs, 5>, 2> ends{{{1'000'000, 2'010'000, 3'090'000, 4'020'000, 5'060'000},
                                                         {1'300'000, 2'390'000, 3'310'000, 4'370'000, 5'340'000}}};
        for (std::uint32_t rank = 0; rank < 4; ++rank) {
            MessageStream& stream = streams.emplace_back(MessageStream{rank, rank < 2, {}});
            std::vector<CommCall>& calls = matching.calls.emplace_back();
            for (std::uint32_t i = 0; i < 5; ++i) {
                const TimeNs after = rank < 2 ? 0 : 20'000 + 1000 * (i % 4);
                calls.push_back({i, {0, ends[rank % 2][i] + after}, CollectiveKind::send, &args, 0});
                stream.calls.push_back(i);
            }
        }
        using Partners = std::vector<std::pair<std::size_t, std::size_t>>;
        QVERIFY(message_partners(matching, streams) == (Partners{{0, 2}, {1, 3}}));
        std::vector<MessageStream> many;
        for (int i = 0; i < 300; ++i)
            many.insert(many.end(), {streams[0], streams[2]});
        QVERIFY(message_partners(matching, many).empty());
    }

    void equalSequencesPairOneToOne() {
        const auto a = keys({{1, 1000}, {2, 2000}, {1, 3000}});
        QVERIFY(align_calls(a, a).pairs == (Pairs{{0, 0}, {1, 1}, {2, 2}}));
    }

    void aShiftedWindowOfEqualCallsIsRecognisedByItsTimes() {
        const auto a = keys({{1, 1000}, {1, 2000}, {1, 3000}, {1, 4000}});
        const auto b = keys({{1, 2001}, {1, 3001}, {1, 4001}, {1, 5001}});
        QVERIFY(align_calls(a, b).pairs == (Pairs{{1, 0}, {2, 1}, {3, 2}}));
        QVERIFY(align_calls(b, a).pairs == (Pairs{{0, 1}, {1, 2}, {2, 3}}));
    }

    void aLostCallLeavesTheOthersWhereTheyAre() {
        const auto a = keys({{1, 1000}, {1, 2000}, {1, 3000}, {1, 4000}, {1, 5000}, {1, 6000}});
        const auto b = keys({{1, 1002}, {1, 2002}, {1, 4002}, {1, 5002}, {1, 6002}});
        QVERIFY(align_calls(a, b).pairs == (Pairs{{0, 0}, {1, 1}, {3, 2}, {4, 3}, {5, 4}}));
    }

    void aClockDifferenceOfManyCallsIsFoundByTheRhythm() {
        // Irregular gaps 1000, 700, 1900, 300, 1100; b's clock is 5 ms ahead and its window starts one call later.
        const auto a = keys({{1, 1000}, {1, 2000}, {1, 2700}, {1, 4600}, {1, 4900}, {1, 6000}});
        const auto b = keys({{1, 7000}, {1, 7700}, {1, 9600}, {1, 9900}, {1, 11000}});
        QVERIFY(align_calls(a, b).pairs == (Pairs{{1, 0}, {2, 1}, {3, 2}, {4, 3}, {5, 4}}));
    }

    /// Two steps of two calls each, on clocks two seconds apart, whose ends scatter by 150 us: their ends alone would
    /// as well pair the second step of one with the first of the other. Of other steps, or hours apart, nothing tells.
    void theSameCallsInTheSameStepsPairOneToOne() {
        const auto calls = [](TimeNs clock_us, TimeNs scatter_us, std::int64_t first_step) {
            auto result = keys({{1, clock_us + 1000},
                                {1, clock_us + 2000 + scatter_us},
                                {1, clock_us + 51'000},
                                {1, clock_us + 52'000 - scatter_us}});
            for (std::size_t i = 0; i < result.size(); ++i)
                result[i].step = first_step + static_cast<std::int64_t>(i / 2);
            return result;
        };
        QVERIFY(align_calls(calls(0, 0, 2), calls(2'000'000, 150, 2)).pairs == (Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}}));
        QVERIFY(align_calls(calls(0, 0, 2), calls(2'000'000, 150, 9)).pairs.size() < 4);
        QVERIFY(align_calls(calls(0, 0, 2), calls(3'600'000'000, 150, 2)).pairs.size() < 4);
    }

    /// A time range ends while the early rank waits in its fifth call, which the late one makes after it. The ends of
    /// calls scatter by up to 400 us.
    void aCallThatTheRangeCutsLeavesTheOthersPaired() {
        const auto early = keys({{1, 10'000}, {1, 20'000}, {1, 30'000}, {1, 40'000}, {1, 50'000}});
        const auto late = keys({{1, 10'300}, {1, 19'900}, {1, 30'400}, {1, 39'700}});
        auto longer = early;
        auto shorter = late;
        for (auto* calls : {&longer, &shorter})
            for (CallKey& call : *calls) {
                call.range.begin -= 3'000'000;
                call.step = 1;
            }
        const Pairs all{{0, 0}, {1, 1}, {2, 2}, {3, 3}};
        QVERIFY(align_calls(longer, shorter).pairs == all);
        QVERIFY(align_calls(shorter, longer).pairs == all);
    }

    void callsOfDifferentSizeNeverPair() {
        const auto a = keys({{1, 1000}, {2, 2000}});
        const auto b = keys({{3, 1000}, {2, 2000}});
        QVERIFY(align_calls(a, b).pairs == (Pairs{{1, 1}}));
        QVERIFY(align_calls(a, {}).pairs.empty());
    }

    void groupsOfOneNameButOtherMembersAreApart() {
        std::vector<TraceBuilder> ranks;
        for (int r = 0; r < 4; ++r) {
            const ProcessGroup group = group_of(r < 2 ? std::vector<int>{0, 1} : std::vector<int>{2, 3}, "1");
            ranks.push_back(TraceBuilder(r).collective("ncclDevKernel_Generic", 3, 10, 20, all_reduce(8, group)));
        }
        const auto run = make_run(ranks);
        const RunAnalysis analysis(run, {});
        QCOMPARE(analysis.collectives().groups.size(), std::size_t{2});
        QCOMPARE(analysis.collectives().matched.size(), std::size_t{2});
        QVERIFY(analysis.collectives().matched[1].complete);
        QCOMPARE(analysis.collectives().matched[1].members[0].first, std::uint32_t{2});
    }

    void aCallMissingOnAMemberIsPartialAndDoesNotCountAsLag() {
        const auto run = make_run({reducing_rank(0, {0, 1000, 2000, 3000}), reducing_rank(1, {0, 1000, 3000})});
        const RunAnalysis analysis(run, {});
        QCOMPARE(analysis.collectives().matched.size(), std::size_t{4});
        QCOMPARE(analysis.collectives().partial, std::int64_t{1});
        QCOMPARE(straggler_lag(run).value, 0.0);
    }

    void sendsPairWithTheReceivesOfTheirPeer() {
        CollectiveCall send = all_reduce(64, group_of({4, 5}));
        send.collective = "send";
        send.destination_rank = 1; // position in the group: rank 5
        CollectiveCall receive = send;
        receive.collective = "recv";
        receive.destination_rank = -1;
        receive.source_rank = 4;
        const auto run = make_run({TraceBuilder(4).collective("ncclDevKernel_SendRecv", 6, 10, 5, send),
                                   TraceBuilder(5).collective("ncclDevKernel_SendRecv", 6, 11, 5, receive)});
        const RunAnalysis analysis(run, {});
        QCOMPARE(analysis.collectives().groups.size(), std::size_t{1});
        QVERIFY(analysis.collectives().groups[0].point_to_point);
        QVERIFY(analysis.collectives().matched[0].complete);
        QVERIFY(analysis.stragglers().calls.empty()); // a pair is no collective
    }

    void withoutArgumentsStreamsThatRunTogetherAreOneCommunicator() {
        // Rank 1 numbers its streams the other way round.
        const auto run = make_run({TraceBuilder(0).kernel("nccl_a", 1, 0, 50).kernel("nccl_b", 2, 100, 50),
                                   TraceBuilder(1).kernel("nccl_a", 2, 5, 45).kernel("nccl_b", 1, 110, 40)});
        const RunAnalysis analysis(run, {});
        QCOMPARE(analysis.collectives().groups.size(), std::size_t{2});
        QCOMPARE(analysis.collectives().partial, std::int64_t{0});
        QCOMPARE(analysis.stragglers().calls[0].lag, TimeNs{5'000});
        QCOMPARE(analysis.stragglers().calls[1].lag, TimeNs{10'000});
    }

    /// Two pairs reduce on a stream, without arguments; some calls of the second pair come late, every other or one in
    /// six, and the first pair does not wait for them: these are not calls of four.
    void callsOfAGuessedGroupThatDoNotEndTogetherAreNoCalls() {
        const auto rank = [](int number, double late_us, int one_in) {
            TraceBuilder built(number);
            built.base(1'000'000'000);
            for (int i = 0; i < 20; ++i)
                built.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 3, 1000 * i + (i % one_in == 1 ? late_us : 0),
                             500);
            return built;
        };
        const auto matched = [&](double late_us, int one_in) {
            const auto run =
                make_run({rank(0, 0, one_in), rank(1, 0, one_in), rank(2, late_us, one_in), rank(3, late_us, one_in)});
            const RunAnalysis analysis(run, {});
            return std::ranges::count_if(analysis.collectives().matched,
                                         [](const MatchedCall& call) { return call.members.size() > 1; });
        };
        QCOMPARE(matched(0, 2), std::ptrdiff_t{20});
        QCOMPARE(matched(300, 2), std::ptrdiff_t{0});
        QCOMPARE(matched(300, 6), std::ptrdiff_t{0});
    }

    /// The second pair always reduces 3 ms later: its clock is ahead, or, in a pipeline, it is the next stage. Messages
    /// to unlike neighbours, on another stream, tell of a pipeline; then nothing tells of a clock.
    void stagesOfAPipelineAreNoClocksThatDiffer() {
        const auto clock_of = [](bool messages) {
            std::vector<TraceBuilder> ranks;
            for (int rank = 0; rank < 4; ++rank) {
                TraceBuilder& built = ranks.emplace_back(rank);
                built.base(1'000'000'000);
                for (int i = 0; i < 20; ++i) {
                    built.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 3, 10'000 * i + (rank > 1 ? 3000 : 0), 500);
                    if (messages)
                        built.kernel("ncclDevKernel_SendRecv", 4, 10'000 * i + 5000 + (i % 2) * 400 * rank, 100);
                }
            }
            return RunAnalysis(make_run(ranks), {}).clock();
        };
        QVERIFY(clock_of(false).applied);
        QCOMPARE(clock_of(false).offset[3], TimeNs{3'000'000});
        QVERIFY(!clock_of(true).applied);
    }

    /// The ends of calls of 5 ms lie up to 300 us apart: that is how well such calls end together. In a job of two
    /// ranks there is no other group, however short the calls are.
    void howFarEndsMayBeApartFollowsTheCalls() {
        const auto rank = [](int number, double late_us, double length_us, int world) {
            TraceBuilder built(number);
            built.base(1'000'000'000).world_size(world);
            for (int i = 0; i < 20; ++i)
                built.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 3, 10'000 * i + (i % 2 == 1 ? late_us : 0),
                             length_us);
            return built;
        };
        const auto matched = [](const std::vector<TraceBuilder>& ranks) {
            const RunAnalysis analysis(make_run(ranks), {});
            return std::ranges::count_if(analysis.collectives().matched,
                                         [](const MatchedCall& call) { return call.members.size() > 1; });
        };
        QCOMPARE(matched({rank(0, 0, 5000, 8), rank(1, 300, 5000, 8)}), std::ptrdiff_t{20});
        QCOMPARE(matched({rank(0, 0, 1000, 8), rank(1, 300, 1000, 8)}), std::ptrdiff_t{0});
        QCOMPARE(matched({rank(0, 0, 1000, 2), rank(1, 300, 1000, 2)}), std::ptrdiff_t{20});
    }

    /// The headers of four ranks list one group, that of all: a call without arguments can be of no other.
    void callsWithoutArgumentsAreOfTheOnlyGroup() {
        const auto rank = [](int number, std::vector<ProcessGroup> groups) {
            TraceBuilder built(number);
            built.base(1'000'000'000).world_size(4);
            for (const ProcessGroup& group : groups)
                built.process_group(group);
            for (int i = 0; i < 20; ++i)
                built.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 3, 1000 * i + (number > 1 && i % 2 ? 300 : 0),
                             500);
            return built;
        };
        const auto grouped = [&](const std::vector<ProcessGroup>& groups) {
            const auto run = make_run({rank(0, groups), rank(1, groups), rank(2, groups), rank(3, groups)});
            const RunAnalysis analysis(run, {});
            return std::ranges::count_if(analysis.collectives().matched,
                                         [](const MatchedCall& call) { return call.members.size() == 4; });
        };
        const ProcessGroup all{"0", "default_pg", {0, 1, 2, 3}, 4};
        QCOMPARE(grouped({all}), std::ptrdiff_t{20});
        QCOMPARE(grouped({all, {"1", "tp", {0, 1}, 2}}), std::ptrdiff_t{0});
        QCOMPARE(grouped({}), std::ptrdiff_t{0});
    }

    /// PyTorch before 2.5 records the group of a send or receive, and not its other end.
    void messagesWithoutAPeerAreNoCallsOfTheirGroup() {
        const auto rank = [](int number) {
            TraceBuilder built(number);
            built.base(1'000'000'000);
            for (int i = 0; i < 4; ++i) {
                CollectiveCall call = all_reduce(1024, group_of({0, 1, 2}));
                call.collective = number == 2 ? "recv" : "send";
                built.collective("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", 3, 1000 * i, 100, call);
            }
            return built;
        };
        const RunAnalysis analysis(make_run({rank(0), rank(1), rank(2)}), {});
        QVERIFY(!analysis.collectives().matched.empty());
        for (const MatchedCall& call : analysis.collectives().matched)
            QCOMPARE(call.members.size(), std::size_t{1});
    }

    void aStreamThatOverlapsNothingDoesNotTakeTheGroupOfOneThatDoes() {
        // Rank 1's stream 2 runs together with rank 0's stream 1; its stream 1 with none.
        const auto run = make_run({TraceBuilder(0).kernel("nccl_a", 1, 0, 50).kernel("nccl_b", 2, 100, 50),
                                   TraceBuilder(1).kernel("nccl_a", 2, 5, 45).kernel("nccl_c", 1, 1000, 50)});
        const RunAnalysis analysis(run, {});
        QCOMPARE(analysis.stragglers().calls.size(), std::size_t{1});
        QCOMPARE(analysis.stragglers().calls[0].lag, TimeNs{5'000});
    }

    void longSequencesWithoutNumbersAreAlignedByTheirRhythm() {
        // 200 000 calls at irregular distances; b is the second half of a, on a clock that is 3 ms ahead.
        constexpr std::size_t kCalls = 200'000;
        std::vector<std::pair<std::uint64_t, TimeNs>> calls;
        std::uint64_t random = 1;
        TimeNs end_us = 0;
        for (std::size_t i = 0; i < kCalls; ++i) {
            random = random * 6364136223846793005ULL + 1442695040888963407ULL;
            end_us += 300 + static_cast<TimeNs>(random >> 54U);
            calls.emplace_back(1, end_us);
        }
        const auto a = keys(calls);
        std::vector<CallKey> b(a.begin() + kCalls / 2, a.end());
        for (CallKey& call : b)
            call.range = {call.range.begin + 3'000'000, call.range.end + 3'000'000};
        const CallAlignment aligned = align_calls(a, b);
        QCOMPARE(aligned.pairs.size(), b.size());
        QCOMPARE(aligned.pairs.front(), (std::pair<std::uint32_t, std::uint32_t>(kCalls / 2, 0)));
        QCOMPARE(aligned.pairs.back(), (std::pair<std::uint32_t, std::uint32_t>(kCalls - 1, kCalls / 2 - 1)));
    }

    void clocksAreAlignedByTheEndsOfCollectives() {
        // Rank 1's clock is 3 ms ahead and it comes 10 us late to the second of three calls: the call lasts longer for
        // rank 0, both end together.
        TraceBuilder ahead(1);
        ahead.base(1'003'000'000);
        TraceBuilder first(0);
        first.base(1'000'000'000);
        const std::vector<double> starts{0, 1500, 2100};
        for (std::size_t i = 0; i < starts.size(); ++i) {
            const double late = i == 1 ? 10 : 0;
            first.collective("ncclDevKernel_Generic", 3, starts[i], 100, all_reduce(8, group_of({0, 1})));
            ahead.collective("ncclDevKernel_Generic", 3, starts[i] + late, 100 - late, all_reduce(8, group_of({0, 1})));
        }
        const auto run = make_run({first, ahead});
        const RunAnalysis analysis(run, {});
        QVERIFY(analysis.clock().applied);
        QCOMPARE(analysis.clock().offset[0], TimeNs{0});
        QCOMPARE(analysis.clock().offset[1], TimeNs{3'000'000});
        QCOMPARE(analysis.clock().residual, TimeNs{0});
        const MetricResult result = straggler_lag(run);
        QCOMPARE(result.value, 3.333); // 10 / 3
        QCOMPARE(result.details["worst_rank"].get<int>(), 1);
        QCOMPARE(RunAnalysis(run, {}, Align::none).stragglers().calls[0].lag, TimeNs{3'000'000});
    }

    void clocksThatDriftAreAlignedByLines() {
        // Twelve calls, 10 ms apart. Rank 1's clock is 3 ms ahead in the middle, at 55.1 ms, and gains 100 us a second.
        std::vector<double> starts;
        TraceBuilder drifting(1);
        drifting.base(1'000'000'000);
        for (int i = 0; i < 12; ++i) {
            starts.push_back(10'000.0 * i);
            const double end = starts.back() + 100;
            const double ahead = 3000 + 1e-4 * (end - 55'100);
            drifting.collective("ncclDevKernel_Generic", 3, end + ahead - 100, 100, all_reduce(1024, group_of({0, 1})));
        }
        const RunAnalysis analysis(make_run({reducing_rank(0, starts), drifting}), {});
        const ClockAlignment& clock = analysis.clock();
        QCOMPARE(clock.offset[1], TimeNs{3'000'000});
        QVERIFY(std::abs(clock.drift.at(1) - 1e-4) < 1e-7);
        QVERIFY(clock.residual <= 1);
        QCOMPARE(clock.origin, TimeNs{1'055'100'000});
        QCOMPARE(clock.aligned(1, clock.origin + 3'000'000), clock.origin);
        QVERIFY(std::abs(clock.aligned(1, TimeNs{1'155'100'000} + 3'010'000) - 1'155'100'000) <= 1);
        QVERIFY(std::abs(clock.recorded(1, TimeNs{1'155'100'000}) - 1'158'110'000) <= 1);
        for (const CallLag& call : analysis.stragglers().calls)
            QVERIFY(call.lag <= 20); // the length of the drifting kernel is not corrected
    }

    void endsThatScatterAreNoDrift() {
        // As above without a drift: ends differ by 0, 4, 1, 5, 2 or 3 us, again and again.
        std::vector<double> starts;
        TraceBuilder other(1);
        other.base(1'000'000'000);
        for (int i = 0; i < 12; ++i) {
            starts.push_back(10'000.0 * i);
            other.collective("ncclDevKernel_Generic", 3, starts.back() + 3000 + (i * 4) % 6 + i % 2, 100,
                             all_reduce(1024, group_of({0, 1})));
        }
        const RunAnalysis analysis(make_run({reducing_rank(0, starts), other}), {});
        QVERIFY(analysis.clock().applied);
        QVERIFY(analysis.clock().drift.empty());
    }

    void aRangeOfTimeIsTheSameMomentOnAllRanks() {
        // Rank 1's clock is 3 ms behind. Each ms: a kernel of 500 us, an all-reduce that ends 900 us later.
        const auto rank = [](int number, TimeNs base) {
            TraceBuilder trace(number);
            trace.base(base);
            for (int i = 0; i < 8; ++i) {
                trace.kernel("gemm", 7, 1000.0 * i, 500);
                trace.collective("ncclDevKernel_Generic", 7, 1000.0 * i + 500, 400, all_reduce(8, group_of({0, 1})));
            }
            return trace;
        };
        const auto run = make_run({rank(0, 1'003'000'000), rank(1, 1'000'000'000)});
        const RunAnalysis whole(run, {});
        QCOMPARE(whole.first_event(), TimeNs{1'003'000'000}); // on rank 0's clock
        QCOMPARE(whole.length(), TimeNs{7'900'000});          // the recorded times span 10.9 ms
        QCOMPARE(whole.since_start(1, 1'000'500'000), TimeNs{500'000});

        Selection selection;
        selection.time = TimeRange{3'100'000, 4'200'000}; // too few calls to tell the clocks by
        const RunAnalysis part(run, selection);
        QVERIFY(part.clock().applied);
        QCOMPARE(part.clock().offset[1], TimeNs{-3'000'000});
        for (std::size_t r = 0; r < 2; ++r) {
            QCOMPARE(part.ranks()[r].gpu_work.size(), std::size_t{3});
            QCOMPARE(part.since_start(r, part.ranks()[r].gpu_work.front().range.begin), TimeNs{3'100'000});
            QCOMPARE(part.since_start(r, part.ranks()[r].gpu_work.back().range.end), TimeNs{4'200'000});
        }
        QCOMPARE(part.stragglers().calls.size(), std::size_t{1}); // the other one is cut
        selection.time = TimeRange{7'000'000, kOpenEnd};
        QCOMPARE(RunAnalysis(run, selection).selection().time->end, TimeNs{7'900'000});
    }

    void smallDifferencesOfEndsAreNoClockDifference() {
        const auto run = make_run({reducing_rank(0, {0, 1500, 2100}), reducing_rank(1, {0, 1500, 2100}, 40)});
        const RunAnalysis analysis(run, {});
        QVERIFY(!analysis.clock().applied);
        QCOMPARE(analysis.clock().largest_difference, TimeNs{40'000});
        QVERIFY(RunAnalysis(run, {}, Align::collectives).clock().applied);
    }

    void offsetsReachRanksThatShareNoGroupWithTheRoot() {
        // 0-1 in one group, 1-2 in another; clocks +1 ms and +3 ms.
        TraceBuilder r0(0);
        TraceBuilder r1(1);
        TraceBuilder r2(2);
        for (const double at : {10.0, 510.0, 1710.0}) {
            r0.collective("ncclDevKernel_Generic", 3, at, 50, all_reduce(8, group_of({0, 1}, "a")));
            r1.collective("ncclDevKernel_Generic", 3, at + 1000, 50, all_reduce(8, group_of({0, 1}, "a")));
            r1.collective("ncclDevKernel_Generic", 4, at + 1100, 50, all_reduce(8, group_of({1, 2}, "b")));
            r2.collective("ncclDevKernel_Generic", 4, at + 3100, 50, all_reduce(8, group_of({1, 2}, "b")));
        }
        const auto run = make_run({r0, r1, r2});
        const RunAnalysis analysis(run, {});
        QCOMPARE(analysis.clock().offset[1], TimeNs{1'000'000});
        QCOMPARE(analysis.clock().offset[2], TimeNs{3'000'000});
    }

    void messagesDoNotMoveRanksThatCollectivesConnect() {
        // Collectives of 1-2, then of 0-1, connect all three; the message 0 -> 2 ends 300 us later at its receiver.
        CollectiveCall message = all_reduce(8, group_of({0, 2}, "pp"));
        message.collective = "send";
        message.destination_rank = 1; // position in the group
        TraceBuilder r0(0);
        TraceBuilder r1(1);
        TraceBuilder r2(2);
        r1.collective("ncclDevKernel_Generic", 4, 10, 50, all_reduce(8, group_of({1, 2}, "b")));
        r2.collective("ncclDevKernel_Generic", 4, 10, 50, all_reduce(8, group_of({1, 2}, "b")));
        r0.collective("ncclDevKernel_Generic", 3, 510, 50, all_reduce(8, group_of({0, 1}, "a")));
        r1.collective("ncclDevKernel_Generic", 3, 510, 50, all_reduce(8, group_of({0, 1}, "a")));
        r0.collective("ncclDevKernel_SendRecv", 5, 1000, 50, message);
        message.collective = "recv";
        message.destination_rank = -1;
        message.source_rank = 0;
        r2.collective("ncclDevKernel_SendRecv", 5, 1000, 350, message);
        const auto run = make_run({r0, r1, r2});
        const RunAnalysis analysis(run, {});
        QCOMPARE(analysis.collectives().matched.size(), std::size_t{3});
        QCOMPARE(offsets_by_messages(analysis.collectives(), analysis.clock()), (std::vector<TimeNs>{0, 0, 0}));
    }

    void callsOfTwoStreamsMayStartInAnotherOrderOnEachRank() {
        // FSDP gathers on one stream and scatters on another, of one communicator. Each pair ends together; which of
        // the two starts first differs from rank to rank. Rank 1's clock runs 100 ppm fast, over 40 steps of 50 ms.
        std::vector<TraceBuilder> ranks;
        for (int r = 0; r < 2; ++r) {
            TraceBuilder rank(r);
            rank.base(1'000'000'000);
            for (int step = 0; step < 40; ++step) {
                for (int layer = 0; layer < 8; ++layer) {
                    const double end = 50'000.0 * step + 5'000 * layer + 3'000;
                    const double gather = r == 0 ? 900 : 600;
                    const double scatter = r == 0 ? 700 : 800;
                    const double drift = r == 0 ? 0 : 1e-4 * end;
                    CollectiveCall call = all_reduce(4096, group_of({0, 1}, "5"));
                    call.collective = "_allgather_base";
                    call.out_elements = 8192;
                    rank.collective("ncclDevKernel_AllGather_RING_LL", 20, end - gather + drift, gather, call);
                    call = all_reduce(8192, group_of({0, 1}, "5"));
                    call.collective = "_reduce_scatter_base";
                    call.out_elements = 4096;
                    rank.collective("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL", 24, end - scatter + 50 + drift,
                                    scatter, call);
                }
            }
            ranks.push_back(rank);
        }
        const RunAnalysis analysis(make_run(ranks), {});
        QCOMPARE(analysis.collectives().matched.size(), std::size_t{640});
        QCOMPARE(analysis.collectives().partial, 0);
    }

    void lagWaitAndBlameFollowTheDefinition() {
        // Ends at 100 and 300 for both. Arrivals: call 1: 0 and 30; call 2: 210 and 200.
        const auto rank = [](int number, double first, double second) {
            return TraceBuilder(number)
                .collective("ncclDevKernel_Generic", 3, first, 100 - first, all_reduce(8, group_of({0, 1})))
                .collective("ncclDevKernel_Generic", 3, second, 300 - second, all_reduce(8, group_of({0, 1})));
        };
        const MetricResult result = straggler_lag(make_run({rank(0, 0, 210), rank(1, 30, 200)}));
        QCOMPARE(result.value, 20.0); // (30 + 10) / 2
        QCOMPARE(result.details["p50_lag_us"].get<double>(), 10.0);
        QCOMPARE(result.details["max_lag_us"].get<double>(), 30.0);
        QCOMPARE(result.details["num_collectives"].get<int>(), 2);
        const Json& rank0 = result.details["per_rank"][0];
        QCOMPARE(rank0["sum_lag_us"].get<double>(), 10.0);
        QCOMPARE(rank0["times_last"].get<int>(), 1);
        QCOMPARE(rank0["share_last"].get<double>(), 50.0);
        QCOMPARE(rank0["sum_wait_us"].get<double>(), 30.0);    // 100 against rank 1's 70
        QCOMPARE(rank0["wait_caused_us"].get<double>(), 10.0); // rank 1 waits 100 - 90
        QCOMPARE(result.details["worst_rank"].get<int>(), 1);  // 30 caused
    }

    void whereAllComeAtOnceNobodyIsLast() {
        const auto rank = [](int number) {
            return TraceBuilder(number).collective("ncclDevKernel_Generic", 3, 50, 100,
                                                   all_reduce(8, group_of({0, 1})));
        };
        const MetricResult result = straggler_lag(make_run({rank(0), rank(1)}));
        QCOMPARE(result.details["num_collectives"].get<int>(), 1);
        for (const Json& each : result.details["per_rank"])
            QCOMPARE(each["times_last"].get<int>(), 0);
    }

    void delayIsWhatTheLongestMemberHasMoreThanTheShortest() {
        // Four calls of two ranks, all ending together: arrivals 10, 30, 10 and 0 us apart are the delays.
        const auto rank = [](int number, std::vector<double> late) {
            TraceBuilder trace(number);
            for (std::size_t i = 0; i < late.size(); ++i) {
                const double end = 100 + 200 * static_cast<double>(i);
                trace.collective("ncclDevKernel_Generic", 3, end - 50 + late[i], 50 - late[i],
                                 all_reduce(8, group_of({0, 1})));
            }
            return trace;
        };
        const auto run = make_run({rank(0, {0, 0, 10, 0}), rank(1, {10, 30, 0, 0})});
        const RunAnalysis analysis(run, {});
        const DelayDistribution delay = delay_distribution(analysis.stragglers().calls);
        QCOMPARE(delay.total, TimeNs{200'000});  // 4 x 50
        QCOMPARE(delay.actual, TimeNs{150'000}); // 40 + 20 + 40 + 50
        QCOMPARE(delay.mean, 12'500.0);          // (10 + 30 + 10 + 0) / 4
        QCOMPARE(delay.median, 10'000.0);
        QCOMPARE(delay.p95, 30'000.0);
        const std::vector<std::pair<TimeNs, double>> curve{{0, 0.25}, {10'000, 0.75}, {30'000, 1.0}};
        QVERIFY(delay.ecdf == curve);
        QCOMPARE(straggler_lag(run).details["delay"]["ecdf"][1]["share"].get<double>(), 0.75);
    }

    /// One call a step, whose length varies by 0.1 ms: on clocks that drift by 0.2 ms over the run, the calls of the
    /// step before and after end about as evenly beside each other.
    void clocksMayDriftByMoreThanStepsVary() {
        constexpr std::array<TimeNs, 8> kVaries{0, 130, -60, 90, -110, 40, 150, -20};
        std::vector<std::pair<std::uint64_t, TimeNs>> a;
        std::vector<std::pair<std::uint64_t, TimeNs>> b;
        Pairs all;
        for (std::uint32_t i = 0; i < kVaries.size(); ++i) {
            a.emplace_back(1, 206'500 * (static_cast<TimeNs>(i) + 1) + kVaries[i]);
            b.emplace_back(1, a.back().second - 2160 - 30 * static_cast<TimeNs>(i));
            all.emplace_back(i, i);
        }
        QVERIFY(align_calls(keys(a), keys(b)).pairs == all);
        QVERIFY(align_calls(keys(b), keys(a)).pairs == all);
    }

    void aRegularSequenceOnUnknownClocksIsNotGuessed() {
        // Three and two calls a millisecond apart, clocks 300 us apart: two ways to pair them fit equally well.
        const auto a = keys({{1, 1000}, {1, 2000}, {1, 3000}});
        const auto b = keys({{1, 1300}, {1, 2300}});
        QVERIFY(align_calls(a, b).ambiguous);
        QVERIFY(align_calls(a, b).pairs.empty());
        QVERIFY(align_calls(a, b, 300'000).pairs == (Pairs{{0, 0}, {1, 1}})); // other calls have told the difference
        auto numbered_a = a;
        auto numbered_b = b;
        for (std::size_t i = 0; i < 3; ++i)
            numbered_a[i].sequence = static_cast<std::int64_t>(i) + 7;
        numbered_b[0].sequence = 8;
        numbered_b[1].sequence = 9;
        QVERIFY(align_calls(numbered_a, numbered_b).pairs == (Pairs{{1, 0}, {2, 1}}));
    }

    void oneRankHasNoStraggler() { QVERIFY(!straggler_lag(make_run({reducing_rank(0, {0, 1000})})).available); }

    void realAndHandMadeCasesFromTheSharedFolder() {
        const std::string traces = std::string(RANKSCOPE_SHARED_DIR) + "/traces/";
        if (!std::filesystem::exists(traces))
            QSKIP("skipped: no shared traces");
        const auto load = [&](const std::string& folder) { return load_run(traces + folder).value(); };
        // c2: rank 1's window starts one call later; TraceLens pairs by order and reports 1001 us of skew. It is 1 us.
        const MetricResult shifted = straggler_lag(load("collective_cases/c2_window_shift_same_shape"));
        QCOMPARE(shifted.value, 1.0);
        QCOMPARE(shifted.details["num_collectives"].get<int>(), 3);
        QCOMPARE(shifted.details["partial_collectives"].get<int>(), 1);
        // c3: the same with different sizes; TraceLens aborts.
        QCOMPARE(straggler_lag(load("collective_cases/c3_window_shift_diff_shape")).value, 1.0);
        // c4, c5: no arguments, one and two streams: lags 2, 2, 2, 3 and four times 2.
        QCOMPARE(straggler_lag(load("collective_cases/c4_no_metadata_single_stream")).value, 2.25);
        QCOMPARE(straggler_lag(load("collective_cases/c5_no_metadata_two_streams")).value, 2.0);
        // Communication of rank r starts r * 200 us later, with the same end, so at most 600 us after rank 0.
        const MetricResult late = straggler_lag(load("derived_sendrecv_4rank"));
        QCOMPARE(late.details["worst_rank"].get<int>(), 3);
        QCOMPARE(late.details["max_lag_us"].get<double>(), 600.0);
        QCOMPARE(late.details["partial_collectives"].get<int>(), 0);
        // rccl_demo: rank 4 is made late.
        const MetricResult rccl = straggler_lag(load("rccl_demo/56cu_256threads"));
        QCOMPARE(rccl.details["worst_rank"].get<int>(), 4);
    }
};

RANKSCOPE_TEST(TestCollectives)

} // namespace rankscope::collectives_test

#include "test_collectives.moc"
