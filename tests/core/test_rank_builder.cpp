// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes, rows and links of a rank built from single events.
#include <QtTest>

#include <algorithm>
#include <limits>
#include <map>
#include <random>

#include "core/trace/row_placement.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::rank_builder_test {

namespace {

EventIndex find(const RankTrace& rank, std::string_view name) {
    for (EventIndex i = 0; i < rank.events.size(); ++i)
        if (rank.event_name(i) == name)
            return i;
    return kNoEvent;
}

std::uint32_t depth(const RankTrace& rank, std::string_view name) {
    const EventIndex i = find(rank, name);
    return rank.row_of(i) - rank.lane_of(i).first_row;
}

} // namespace

class TestRankBuilder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void gpuWorkComesFirstByStreamAndTime() {
        const auto rank = TraceBuilder(0)
                              .cpu_op("op", 0, 50)
                              .kernel("b", 20, 30, 5)
                              .kernel("late", 7, 40, 5)
                              .kernel("early", 7, 10, 5)
                              .gpu_annotation("note", 7, 9, 40)
                              .build();
        QCOMPARE(rank->events.gpu_count, 3u);
        QCOMPARE(rank->event_name(0), std::string_view("early"));
        QCOMPARE(rank->event_name(1), std::string_view("late"));
        QCOMPARE(rank->event_name(2), std::string_view("b"));
        QCOMPARE(rank->lanes[0].name, std::string("stream 7"));
        QCOMPARE(rank->lanes[1].name, std::string("stream 20"));
        QCOMPARE(int(rank->lanes[2].kind), int(LaneKind::gpu_annotation));
        QCOMPARE(rank->gpu_span, (TimeRange{10'000, 45'000}));
    }

    void aMemorySampleBelongsToTheInnermostOperatorOfItsThread() {
        const auto rank = TraceBuilder(0)
                              .cpu_op("outer", 0, 10)
                              .cpu_op("inner", 2, 3)
                              .runtime("cudaMalloc", 3, 1)
                              .cpu_op("elsewhere", 0, 10, TraceBuilder::kAutogradThread)
                              .memory_sample(3.5, {0, 1, 1, 1, 1, 1, 0}) // inside the call inside "inner"
                              .memory_sample(8, {0, 2, 3, 3, 2, 1, 0})
                              .memory_sample(1, {0, 4, 4, 4, 4, 1, 0}, TraceBuilder::kAutogradThread)
                              .memory_sample(12, {0, 8, 8, 8, 8, 1, 0})
                              .memory_sample(1, {0, 16, 16, 16, 16, 1, 0}, "another thread")
                              .build();
        std::vector<std::pair<std::int64_t, EventIndex>> found;
        for (const MemorySample& sample : rank->memory_samples)
            found.emplace_back(sample.bytes, sample.operator_event);
        const std::vector<std::pair<std::int64_t, EventIndex>> expected{{4, find(*rank, "elsewhere")},
                                                                        {16, kNoEvent},
                                                                        {1, find(*rank, "inner")},
                                                                        {2, find(*rank, "outer")},
                                                                        {8, kNoEvent}};
        QCOMPARE(found, expected);
    }

    void nestedEventsLieBelowTheirContainer() {
        const auto rank = TraceBuilder(0)
                              .cpu_op("inner", 2, 3)
                              .cpu_op("outer", 0, 10)
                              .cpu_op("innermost", 2, 3) // same span as inner, later in the file: inside it
                              .cpu_op("next", 10, 4)
                              .build();
        QCOMPARE(depth(*rank, "outer"), 0u);
        QCOMPARE(depth(*rank, "inner"), 1u);
        QCOMPARE(depth(*rank, "innermost"), 2u);
        QCOMPARE(depth(*rank, "next"), 0u);
        QCOMPARE(rank->parent_of(find(*rank, "innermost")), find(*rank, "inner"));
        QCOMPARE(rank->parent_of(find(*rank, "inner")), find(*rank, "outer"));
        QCOMPARE(rank->parent_of(find(*rank, "next")), kNoEvent);
    }

    void overlappingKernelsOfOneStreamAreAllKept() {
        const auto rank =
            TraceBuilder(0).kernel("a", 7, 0, 10).kernel("b", 7, 9.999, 10).kernel("c", 7, 19.999, 5).build();
        QCOMPARE(rank->events.gpu_count, 3u);
        QCOMPARE(depth(*rank, "a"), 0u);
        QCOMPARE(depth(*rank, "b"), 1u); // begins 1 ns before a ends
        QCOMPARE(depth(*rank, "c"), 0u);
        QCOMPARE(rank->parent_of(find(*rank, "b")), kNoEvent);
    }

    void rowsNeverOverlapAndContainersAreFound() {
        std::mt19937 random(11);
        for (int round = 0; round < 200; ++round) {
            std::vector<TimeRange> events;
            for (int i = 0; i < 80; ++i) {
                const TimeNs begin = random() % 300;
                events.push_back({begin, begin + static_cast<TimeNs>(random() % 60)});
            }
            std::ranges::sort(events, {}, [](const TimeRange& r) { return std::pair(r.begin, -r.end); });
            RowPlacement placement;
            std::map<std::uint32_t, TimeNs> row_end;
            std::uint64_t placed = 0;
            for (const TimeRange& event : events) {
                const std::uint32_t row = placement.place(event);
                QVERIFY(!row_end.contains(row) || row_end[row] <= event.begin);
                row_end[row] = event.end;
                ++placed;
            }
            std::uint64_t total = 0;
            for (const std::uint32_t size : placement.sizes())
                total += size;
            QCOMPARE(total, placed);
        }
    }

    void launchesLinkByCorrelationBothWays() {
        const auto rank = TraceBuilder(0)
                              .runtime("cudaGraphLaunch", 0, 2)
                              .correlation(5)
                              .kernel("second", 7, 20, 5)
                              .correlation(5)
                              .kernel("first", 7, 10, 5)
                              .correlation(5)
                              .kernel("lonely", 7, 30, 5)
                              .correlation(99)
                              .build();
        const EventIndex call = find(*rank, "cudaGraphLaunch");
        QCOMPARE(rank->events.link[find(*rank, "first")], call);
        QCOMPARE(rank->events.link[find(*rank, "second")], call);
        QCOMPARE(rank->events.link[call], find(*rank, "first"));
        QCOMPARE(rank->events.link[find(*rank, "lonely")], kNoEvent);
    }

    void ofCallsWithOneIdTheLastInTheFileCounts() {
        const auto rank = TraceBuilder(0)
                              .runtime("late", 8, 2)
                              .correlation(5)
                              .runtime("early", 2, 2)
                              .correlation(5)
                              .cpu_op("outer", 0, 20)
                              .external_id(9)
                              .cpu_op("inner", 1, 10)
                              .external_id(9) // of operators, the last in the table
                              .kernel("a", 7, 20, 5)
                              .correlation(5)
                              .external_id(9)
                              .build();
        QCOMPARE(rank->events.link[find(*rank, "a")], find(*rank, "early"));
        QCOMPARE(rank->gpu.operator_event[find(*rank, "a")], std::max(find(*rank, "outer"), find(*rank, "inner")));
    }

    /// Some recorders write one External id everywhere.
    void anOperatorThatStartsAfterTheLaunchDidNotLaunch() {
        const auto rank = TraceBuilder(0)
                              .cpu_op("first", 0, 10)
                              .external_id(1)
                              .runtime("launch 1", 2, 2)
                              .correlation(5)
                              .cpu_op("second", 20, 10)
                              .external_id(1)
                              .runtime("launch 2", 22, 2)
                              .correlation(6)
                              .kernel("a", 7, 30, 5)
                              .correlation(5)
                              .external_id(1)
                              .kernel("b", 7, 40, 5)
                              .correlation(6)
                              .external_id(1)
                              .build();
        QCOMPARE(rank->gpu.operator_event[find(*rank, "a")], find(*rank, "first"));
        QCOMPARE(rank->gpu.operator_event[find(*rank, "b")], find(*rank, "second"));
    }

    void idsFarApartLinkLikeThoseInARow() {
        constexpr std::int64_t kFar = 9'000'000'000'000'000;
        const auto rank = TraceBuilder(0)
                              .cpu_op("op", 0, 3)
                              .external_id(kFar + 1)
                              .cpu_op("other op", 0, 3, TraceBuilder::kAutogradThread)
                              .external_id(3)
                              .runtime("near", 5, 2)
                              .correlation(5)
                              .runtime("far", 8, 2)
                              .correlation(kFar)
                              .runtime("far again", 11, 2)
                              .correlation(kFar) // the last in the file counts
                              .kernel("a", 7, 20, 5)
                              .correlation(kFar)
                              .external_id(kFar + 1)
                              .kernel("b", 7, 30, 5)
                              .correlation(5)
                              .external_id(3)
                              .kernel("c", 7, 40, 5)
                              .correlation(6)
                              .external_id(4)
                              .build();
        QCOMPARE(rank->events.link[find(*rank, "a")], find(*rank, "far again"));
        QCOMPARE(rank->events.link[find(*rank, "b")], find(*rank, "near"));
        QCOMPARE(rank->events.link[find(*rank, "c")], kNoEvent);
        QCOMPARE(rank->events.link[find(*rank, "far")], kNoEvent);
        QCOMPARE(rank->gpu.operator_event[find(*rank, "a")], find(*rank, "op"));
        QCOMPARE(rank->gpu.operator_event[find(*rank, "b")], find(*rank, "other op"));
        QCOMPARE(rank->gpu.operator_event[find(*rank, "c")], kNoEvent);
    }

    void idsOfAnyWidthStayExact() {
        // Their lower 32 bits are those of others, or what a column of 32 bits means something else by.
        const std::vector<std::int64_t> ids{0,          7,           0xFFFFFFFD,  0xFFFFFFFE,
                                            0xFFFFFFFF, 0x100000000, 0x100000007, 0x7FFFFFFFFFFFFFFF};
        const auto names = std::make_shared<StringTable>();
        RankBuilder builder(names);
        builder.launch_shape({});
        builder.add_launch_shape(0, 0); // asks for the column of correlations
        const TrackId stream = builder.track("0", "7", 0, 7), calls = builder.track("1", "1", kUnknown, kUnknown),
                      operators = builder.track("1", "2", kUnknown, kUnknown);
        std::uint32_t ordinal = 0;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const NameId name = names->intern(std::to_string(ids[i]));
            const TimeNs start = 100 * static_cast<TimeNs>(i);
            builder.add({start, 10, ids[i], ids[ids.size() - 1 - i], name, stream, ordinal++, EventKind::kernel});
            builder.add({start, 10, ids[i], kUnknown, name, calls, ordinal++, EventKind::runtime});
            builder.add({start, 10, kUnknown, ids[i], name, operators, ordinal++, EventKind::cpu_op});
        }
        builder.add({900, 10, -2, std::numeric_limits<std::int64_t>::min(), 0, stream, ordinal++, EventKind::kernel});
        const RawEvent negative = builder.events()[builder.event_count() - 1];
        QCOMPARE(negative.correlation, std::int64_t{-2});
        QCOMPARE(negative.external_id, std::numeric_limits<std::int64_t>::min());
        QVERIFY(builder.memory_bytes() > 2 * RawEvents::kChunk * sizeof(std::int64_t)); // the wide columns count

        const auto rank = builder.finish();
        QCOMPARE(rank->events.gpu_count, EventIndex(ids.size() + 1));
        for (EventIndex i = 0; i < ids.size(); ++i) {
            QCOMPARE(rank->gpu.correlation[i], ids[i]);
            QVERIFY(rank->events.link[i] != kNoEvent);
            QCOMPARE(rank->event_name(rank->events.link[i]), std::string_view(std::to_string(ids[i])));
            QVERIFY(rank->gpu.operator_event[i] != kNoEvent);
            QCOMPARE(rank->event_name(rank->gpu.operator_event[i]),
                     std::string_view(std::to_string(ids[ids.size() - 1 - i])));
        }
        QCOMPARE(rank->gpu.correlation[ids.size()], std::int64_t{-2});
        QCOMPARE(rank->events.link[static_cast<EventIndex>(ids.size())], kNoEvent);
    }

    /// They are read into chunks, dealt out in parts and given back stretch by stretch: none of the borders may show.
    void eventsOfManyChunksAreSortedAndLinked() {
        constexpr std::uint32_t kPairs = 2 * RawEvents::kChunk + 1000; // four chunks and a half
        RankBuilder builder(std::make_shared<StringTable>());
        const TrackId stream = builder.track("0", "7", 0, 7), thread = builder.track("1", "1", kUnknown, kUnknown);
        // Backwards in time, the call before its kernel; every fourth call lies in an operator that is recorded after
        // it.
        std::uint32_t ordinal = 0;
        for (std::uint32_t pair = kPairs; pair-- > 0;) {
            const TimeNs start = 100 * static_cast<TimeNs>(pair);
            builder.add({start + 10, 20, pair, kUnknown, 0, thread, ordinal++, EventKind::runtime});
            builder.add({start + 50, 30, pair, kUnknown, 0, stream, ordinal++, EventKind::kernel});
            if (pair % 4 == 0)
                builder.add({start, 90, kUnknown, kUnknown, 0, thread, ordinal++, EventKind::cpu_op});
        }
        const auto rank = builder.finish();
        QCOMPARE(rank->events.gpu_count, kPairs);
        QCOMPARE(rank->events.size(), kPairs * 2 + (kPairs + 3) / 4);
        QCOMPARE(rank->span, (TimeRange{0, 100 * (TimeNs{kPairs} - 1) + 80}));
        for (EventIndex i = 0; i < kPairs; ++i) {
            const EventIndex call = rank->events.link[i], op = rank->gpu.operator_event[i];
            const bool as_written =
                rank->events.start[i] == 100 * TimeNs{i} + 50 && rank->events.duration[i] == 30 && call != kNoEvent &&
                rank->events.start[call] == 100 * TimeNs{i} + 10 &&
                rank->events.ordinal[call] + 1 == rank->events.ordinal[i] &&
                (i % 4 != 0 ? op == kNoEvent : op != kNoEvent && rank->events.start[op] == 100 * TimeNs{i});
            QVERIFY2(as_written, qPrintable(QString::number(i)));
        }
    }

    /// A lane is taken apart where everything before has ended; its rows must be those of the lane in one.
    void rowsAreTheSameWhereverALaneIsTakenApart_data() {
        QTest::addColumn<int>("most_depth");
        QTest::addColumn<bool>("covered");
        QTest::addRow("flat") << 1 << false;
        QTest::addRow("deep") << 40 << false;
        QTest::addRow("one event around all of it") << 5 << true;
    }
    void rowsAreTheSameWhereverALaneIsTakenApart() {
        QFETCH(int, most_depth);
        QFETCH(bool, covered);
        std::mt19937 random(5);
        std::vector<TimeRange> events;
        TimeNs time = 100;
        while (events.size() < 300'000) { // groups, touching or not; within one, events start at random and may overlap
            const TimeNs length = 50 * most_depth;
            for (int i = 0; i < most_depth; ++i) {
                const TimeNs begin = time + static_cast<TimeNs>(random() % length);
                events.push_back(
                    {begin, begin + static_cast<TimeNs>(random() % (time + length - begin + 1))}); // some last no time
            }
            time += length + static_cast<TimeNs>(random() % 3);
        }
        if (covered)
            events.push_back({0, time});

        RankBuilder builder(std::make_shared<StringTable>());
        const TrackId stream = builder.track("0", "7", 0, 7), thread = builder.track("1", "1", kUnknown, kUnknown);
        std::uint32_t ordinal = 0;
        for (std::size_t i = 0; i < events.size(); ++i) {
            const bool calls = i % 3 == 0 && i + 1 < events.size();
            builder.add({events[i].begin, events[i].length(), calls ? static_cast<std::int64_t>(i) : kUnknown, kUnknown,
                         0, thread, ordinal++,
                         calls        ? EventKind::runtime
                         : i % 3 == 1 ? EventKind::cpu_op
                                      : EventKind::python});
            if (calls)
                builder.add({time + static_cast<TimeNs>(i), 1, static_cast<std::int64_t>(i), kUnknown, 0, stream,
                             ordinal++, EventKind::kernel});
        }
        const auto rank = builder.finish();

        std::ranges::stable_sort(events, {}, [](const TimeRange& e) { return std::pair(e.begin, -e.end); });
        RowPlacement placement;
        std::vector<std::vector<TimeRange>> rows;
        for (const TimeRange& event : events) {
            const std::uint32_t row = placement.place(event);
            rows.resize(std::max<std::size_t>(rows.size(), row + 1));
            rows[row].push_back(event);
        }
        const Lane& lane = rank->lanes.back();
        QCOMPARE(lane.row_count, static_cast<std::uint32_t>(rows.size()));
        for (std::uint32_t row = 0; row < lane.row_count; ++row) {
            const auto [begin, end] = rank->rows[lane.first_row + row];
            QCOMPARE(end - begin, static_cast<EventIndex>(rows[row].size()));
            for (EventIndex i = begin; i < end; ++i)
                QVERIFY(rank->events.range(i) == rows[row][i - begin]);
        }
        for (EventIndex kernel = 0; kernel < rank->events.gpu_count; ++kernel) {
            EventIndex around = rank->events.link[kernel];
            while (around != kNoEvent && rank->events.kind[around] != EventKind::cpu_op)
                around = rank->parent_of(around);
            QCOMPARE(rank->gpu.operator_event[kernel], around);
        }
    }

    void operatorsLinkByExternalIdOrAroundTheLaunch() {
        const auto rank = TraceBuilder(0)
                              .cpu_op("by id", 0, 3)
                              .external_id(41)
                              .cpu_op("around", 10, 20)
                              .external_id(12)
                              .runtime("cudaLaunchKernel", 12, 2)
                              .correlation(7)
                              .kernel("newer", 7, 50, 5)
                              .correlation(8)
                              .external_id(41)
                              .kernel("older", 7, 60, 5)
                              .correlation(7)
                              .external_id(7) // repeats the correlation
                              .build();
        QCOMPARE(rank->gpu.operator_event[find(*rank, "newer")], find(*rank, "by id"));
        QCOMPARE(rank->gpu.operator_event[find(*rank, "older")], find(*rank, "around"));
    }

    void stepsAreFoundOnTheCpuOnly() {
        const auto rank = TraceBuilder(0)
                              .step(5, 100, 50)
                              .step(4, 0, 100)
                              .gpu_annotation("ProfilerStep#4", 7, 10, 100)
                              .annotation("ProfilerStep#x", 0, 1)
                              .kernel("k", 7, 10, 5)
                              .build();
        QCOMPARE(rank->steps.size(), std::size_t{2});
        QCOMPARE(rank->steps[0].number, 4);
        QCOMPARE(rank->steps[1].range, (TimeRange{100'000, 150'000}));
    }

    void flowsBindToTheInnermostEvent() {
        const auto rank = TraceBuilder(0)
                              .cpu_op("forward", 0, 10)
                              .cpu_op("forward inner", 2, 4)
                              .cpu_op("backward", 50, 10, TraceBuilder::kAutogradThread)
                              .forward_backward(3, TraceBuilder::kMainThread, 55, TraceBuilder::kAutogradThread)
                              .build();
        QCOMPARE(rank->flows.size(), std::size_t{1});
        QCOMPARE(rank->flows[0].from, find(*rank, "forward inner"));
        QCOMPARE(rank->flows[0].to, find(*rank, "backward"));
    }

    static std::int64_t noticed(const RankTrace& rank, std::string_view code) {
        const auto found = std::ranges::find(rank.notices, code, [](const Notice& n) { return n.code.word(); });
        return found == rank.notices.end() ? 0 : found->count;
    }

    /// A file that was written twice, or joined from two that overlap.
    void whatAFileHoldsTwiceCountsOnce() {
        const auto with = [](int times, std::int64_t second_launch) {
            TraceBuilder trace(0);
            for (int time = 0; time < times; ++time)
                trace.step(3, 0, 100)
                    .cpu_op("linear", 5, 30)
                    .external_id(9)
                    .launch(10, 5)
                    .correlation(1)
                    .kernel("gemm", 7, 40, 20)
                    .correlation(time == 0 ? 1 : second_launch);
            return trace.kernel("gemm", 8, 40, 20).correlation(1).build(); // of another stream: a graph's
        };
        const auto once = with(1, 1), twice = with(2, 1);
        QCOMPARE(twice->events.size(), once->events.size());
        QCOMPARE(twice->events.gpu_count, EventIndex{2});
        QCOMPARE(twice->steps.size(), std::size_t{1});
        QCOMPARE(twice->gpu.operator_event[find(*twice, "gemm")], find(*twice, "linear"));
        QCOMPARE(noticed(*twice, "repeated_events"), 4);
        QCOMPARE(noticed(*once, "repeated_events"), 0);
        // Of two launches the times are equal by chance, or the recorder is wrong: both stay.
        const auto of_two = with(2, 2);
        QCOMPARE(of_two->events.gpu_count, EventIndex{3});
        QCOMPARE(noticed(*of_two, "repeated_events"), 0);
    }

    /// Ten kernels of 1 ms, one every 1.1 ms; the third lasts 1.6 s as recorded. It counts as the others, not up to the
    /// next start.
    void workThatRunsAcrossItsStreamEndsBeforeTheNextStart() {
        const auto with = [](double third_us, double early_us) {
            TraceBuilder trace(0);
            trace.launch(10, 1).kernel("other stream", 8, 20, 20'000);
            for (int i = 0; i < 10; ++i)
                trace.launch(1100 * i + 100, 1)
                    .kernel("gemm", 7, 1100 * i + 1000 - (i % 2) * early_us, i == 2 ? third_us : 1000);
            return trace.build();
        };
        const auto overflow = with(1'600'000, 0);
        QCOMPARE(overflow->events.duration[2], TimeNs{1'000'000});
        QCOMPARE(overflow->events.duration[3], TimeNs{1'000'000});
        QCOMPARE(overflow->gpu_span.length(), TimeNs{20'000'000});
        QCOMPARE(noticed(*overflow, "overlong_work"), 1);
        // Launched to start a little before the one before it ends, as programs may.
        const auto dependent = with(1000, 105);
        QCOMPARE(dependent->events.duration[2], TimeNs{1'000'000});
        QCOMPARE(noticed(*dependent, "overlong_work"), 0);
        QVERIFY(dependent->notices.empty());
        // By 600 of 1000 us no program starts early: five kernels, each beside the one before it.
        const auto beside = with(1000, 700);
        QCOMPARE(noticed(*beside, "overlapping_work"), 5);
        QCOMPARE(beside->events.duration[2], TimeNs{1'000'000});
    }

    /// A graph runs small kernels beside large ones on one stream, again and again.
    void aStreamThatRunsWorkSideBySideKeepsItsLengths() {
        TraceBuilder trace(0);
        for (int i = 0; i < 8; ++i)
            trace.kernel("large", 7, 1000 * i, i == 0 ? 100 : 900).kernel("small", 7, 1000 * i + 50, 20);
        const auto rank = trace.build();
        QCOMPARE(noticed(*rank, "overlong_work"), 0);
        QCOMPARE(rank->events.duration[find(*rank, "large")], TimeNs{100'000});
    }

    void workBeforeItsLaunchTellsThatClocksDisagree() {
        const auto rank = TraceBuilder(0)
                              .launch(100, 5)
                              .kernel("first", 7, 80, 10)
                              .launch(110, 5)
                              .kernel("second", 7, 105, 10)
                              .launch(120, 5)
                              .kernel("third", 7, 130, 10)
                              .build();
        QCOMPARE(noticed(*rank, "gpu_clock_ahead"), 2);
        QVERIFY(english(rank->notices.front().message).find("20 \u00b5s at least") != std::string::npos ||
                english(rank->notices.front().message).find("20.00 \u00b5s at least") != std::string::npos);
        QVERIFY(TraceBuilder(0).launch(100, 5).kernel("first", 7, 99, 10).build()->notices.empty());
    }

    /// Of nine launches three have no work; what is captured into a graph, the driver's call inside a launch, and what
    /// was launched behind the last that ran do not count: but where the host waited for it, it ran.
    void launchesWithoutWorkAreCounted() {
        TraceBuilder trace(0);
        for (int i = 0; i < 9; ++i)
            if (i % 3 == 1)
                trace.runtime("cudaLaunchKernel", 100 * i, 5).correlation(1000 + i);
            else
                trace.launch(100 * i, 5).kernel("gemm", 7, 100 * i + 20, 50);
        QCOMPARE(noticed(*trace.build(), "lost_gpu_work"), 3);
        QCOMPARE(noticed(*trace.runtime("cudaLaunchKernel", 950, 5).correlation(2000).build(), "lost_gpu_work"), 3);
        QCOMPARE(noticed(*trace.runtime("cudaEventSynchronize", 960, 5).build(), "lost_gpu_work"),
                 3); // of earlier work
        QCOMPARE(noticed(*trace.runtime("cudaStreamSynchronize", 970, 5).build(), "lost_gpu_work"), 4);
        TraceBuilder late(2); // the profiler recorded GPU work late
        for (int i = 0; i < 9; ++i)
            if (i < 3)
                late.runtime("cudaLaunchKernel", 100 * i, 5).correlation(1000 + i);
            else
                late.launch(100 * i, 5).kernel("gemm", 7, 100 * i + 20, 50);
        QCOMPARE(noticed(*late.build(), "lost_gpu_work"), 3);
        TraceBuilder capture(1);
        capture.launch(0, 5).kernel("gemm", 7, 20, 50).runtime("cudaStreamBeginCapture", 100, 5);
        for (int i = 0; i < 5; ++i)
            capture.runtime("cudaLaunchKernel", 110 + 10 * i, 5).correlation(1000 + i);
        capture.runtime("cudaStreamEndCapture", 200, 5).launch(300, 5).kernel("gemm", 7, 320, 50);
        QVERIFY(capture.build()->notices.empty());
    }

    void anEmptyTraceIsEmptyNotBroken() {
        const auto rank = TraceBuilder(0).build();
        QCOMPARE(rank->events.size(), 0u);
        QVERIFY(rank->span.empty());
        QVERIFY(rank->lanes.empty());
    }
};

RANKSCOPE_TEST(TestRankBuilder)

} // namespace rankscope::rank_builder_test

#include "test_rank_builder.moc"
