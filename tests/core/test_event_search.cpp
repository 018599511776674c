// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the search box, and what it finds in a run small enough to count by eye.
#include <algorithm>
#include <memory>

#include <QtTest>

#include "core/analysis/search/event_search.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::event_search_test {

namespace {

CollectiveCall allReduce(std::int64_t elements, std::string group) {
    CollectiveCall call{"allreduce", "BFloat16", elements, elements, {std::move(group), "mesh_dp", {0, 1, 2}, 0}, 7};
    return call;
}

/// Rank r of three. Rank 2 has no collective arguments.
TraceBuilder rankOf(int rank) {
    TraceBuilder builder(rank);
    builder.thread_name(TraceBuilder::kMainThread, "main").thread_name(TraceBuilder::kAutogradThread, "pt_autograd_0");
    builder.cpu_op("aten::mm", 0, 30).launch(1, 4).kernel("ampere_bf16_Gemm_128x256", 7, 10, 500);
    builder.cpu_op("aten::add", 40, 10, TraceBuilder::kAutogradThread);
    builder.annotation("forward pass", 0, 60);
    builder.memory_copy("Memcpy HtoD", 7, 600, 1.5, 4096).memory_set("Memset", 7, 700, 0.5, 64);
    if (rank == 2)
        builder.kernel("ncclDevKernel_AllReduce_Sum", 20, 800, 2'000);
    else
        builder.collective("ncclDevKernel_AllReduce_Sum", 20, 800, 1'000 + rank, allReduce(1'000'000, "51"));
    return builder;
}

std::shared_ptr<const Run> threeRanks() { return make_run({rankOf(0), rankOf(1), rankOf(2)}); }

} // namespace

class TestEventSearch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void queriesFindWhatTheySay_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<int>("count"); // of 8 events a rank: mm, launch, gemm, add, forward, copy, set, nccl
        QTest::newRow("nothing asked") << "" << 0;
        QTest::newRow("spaces only") << "   " << 0;
        QTest::newRow("part of a name") << "gemm" << 3;
        QTest::newRow("any case") << "GEMM" << 3;
        QTest::newRow("colons of C++ names") << "aten::mm" << 3;
        QTest::newRow("aten") << "aten::" << 6;
        QTest::newRow("words are all required") << "aten add" << 3;
        QTest::newRow("a word twice") << "gemm nccl" << 0;
        QTest::newRow("without") << "aten -add" << 3;
        QTest::newRow("quoted spaces") << "\"forward pass\"" << 3;
        QTest::newRow("a quoted key is text") << "\"rank:0\"" << 0;
        QTest::newRow("a lone dash is text") << "-" << 0;
        QTest::newRow("regular expression") << "/^aten::(mm|bmm)$/" << 3;
        QTest::newRow("expressions mind case") << "/gemm/" << 0;
        QTest::newRow("unless told not to") << "/(?i)gemm/" << 3;
        QTest::newRow("expression with a space") << "/d p/" << 3;
        QTest::newRow("expression without") << "-/./" << 0;
        QTest::newRow("class") << "class:communication" << 3;
        QTest::newRow("class in short") << "class:comm rank:0" << 1;
        QTest::newRow("class copy") << "class:memcpy" << 3;
        QTest::newRow("not a class: CPU events too") << "-class:compute" << 21;
        QTest::newRow("kind") << "kind:operator" << 6;
        QTest::newRow("kind of launches") << "kind:launch" << 3;
        QTest::newRow("without kind") << "-kind:operator -kind:kernel" << 12;
        QTest::newRow("longer") << "dur>1ms" << 2; // 1001 us, 2000 us
        QTest::newRow("at least") << "dur>=1ms" << 3;
        QTest::newRow("equal") << "dur=500us" << 3;
        QTest::newRow("equal with a colon") << "dur:0.5ms" << 3;
        QTest::newRow("shorter") << "dur<1us" << 3; // sets of 500 ns
        QTest::newRow("not longer") << "-dur>1us" << 3;
        QTest::newRow("nanoseconds and fractions") << "dur<=1500ns kind:memcpy" << 3;
        QTest::newRow("between") << "dur>1us dur<2us" << 3;
        QTest::newRow("micro sign") << QString::fromUtf8("dur=1.5µs") << 3;
        QTest::newRow("rank") << "rank:1" << 8;
        QTest::newRow("ranks") << "rank:0-1" << 16;
        QTest::newRow("list of ranks") << "rank:0,2 nccl" << 2;
        QTest::newRow("not a rank") << "-rank:0 nccl" << 2;
        QTest::newRow("a rank that is not there") << "rank:7" << 0;
        QTest::newRow("stream") << "stream:20" << 3;
        QTest::newRow("lane") << "lane:autograd" << 3;
        QTest::newRow("not a lane") << "kind:operator -lane:autograd" << 3;
        QTest::newRow("group by name") << "arg:group=51" << 2;
        QTest::newRow("group by description") << "arg:group=MESH_DP" << 2;
        QTest::newRow("a part of a group is none") << "arg:group=mesh" << 0;
        QTest::newRow("collective") << "arg:collective=reduce" << 2;
        QTest::newRow("dtype") << "arg:dtype=bfloat16" << 2;
        QTest::newRow("bytes of a collective") << "arg:bytes=2MB" << 2;
        QTest::newRow("bytes of copies") << "arg:bytes<1MB" << 6;
        QTest::newRow("binary units") << "arg:bytes=4KiB" << 3;
        QTest::newRow("elements") << "arg:elements>=1000000" << 2;
        QTest::newRow("group size") << "arg:ranks=3" << 2;
        QTest::newRow("sequence number") << "arg:seq=7" << 2;
        QTest::newRow("not recorded is not less") << "nccl arg:bytes>=0" << 2;
        QTest::newRow("negated: not recorded counts") << "nccl -arg:group=51" << 1;
        QTest::newRow("everything together") << "class:comm dur>1ms rank:1 /AllReduce/ -gather" << 1;
    }
    void queriesFindWhatTheySay() {
        QFETCH(QString, query);
        QFETCH(int, count);
        const auto parsed = parse_event_query(query.toStdString());
        QVERIFY2(parsed, parsed ? "" : english(parsed.error().message).c_str());
        const auto hits = search_events(RunClasses(threeRanks()), *parsed);
        QVERIFY(hits);
        QCOMPARE(static_cast<int>(hits->count), count);
        // The n-th hit and its number agree.
        for (std::size_t n = 0; n < hits->count; ++n) {
            QCOMPARE(hits->number_of(hits->at(n)), n);
            QVERIFY(hits->contains(hits->at(n)));
        }
    }
    void brokenQueriesSayWhatAndWhere_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("says");
        QTest::newRow("open expression") << "gemm /abc"
                                         << "character 6: the regular expression has no closing /";
        QTest::newRow("empty expression") << "//"
                                          << "character 1: the regular expression is empty";
        QTest::newRow("bad expression") << "/a(b/"
                                        << "character 1: the regular expression does not hold together";
        QTest::newRow("open quotation") << "ab \"cd"
                                        << "character 4: the quotation has no closing \"";
        QTest::newRow("empty quotation") << "\"\""
                                         << "nothing to search for";
        QTest::newRow("unknown class")
            << "class:gpu"
            << "character 7: unknown class \"gpu\" (known: compute, communication, memcpy, memset)";
        QTest::newRow("unknown kind") << "x kind:cpu"
                                      << "character 8: unknown kind \"cpu\"";
        QTest::newRow("no unit") << "dur>100"
                                 << "character 5: \"100\" is not a time with its unit";
        QTest::newRow("no time") << "dur>"
                                 << "character 5: dur takes a comparison and a time";
        QTest::newRow("not a time") << "dur>fast"
                                    << "character 5: \"fast\" is not a time";
        QTest::newRow("endless time") << "dur>1e300s"
                                      << "character 5: \"1e300s\" is not a time";
        QTest::newRow("rank is no number") << "rank:one"
                                           << "character 6: \"one\" is not a whole number";
        QTest::newRow("ranks backwards") << "rank:7-3"
                                         << "character 6: \"7-3\" ends before it starts";
        QTest::newRow("list with a hole") << "rank:1,,2"
                                          << "character 8: \"\" is not a whole number";
        QTest::newRow("rank without value") << "rank:"
                                            << "character 6: rank: what follows is missing";
        QTest::newRow("rank compared") << "rank>3"
                                       << "character 5: rank takes a colon";
        QTest::newRow("unknown argument")
            << "arg:size=3"
            << "character 5: unknown argument \"size\" (known: collective, group, dtype, bytes";
        QTest::newRow("argument without value") << "arg:group"
                                                << "an argument takes a value";
        QTest::newRow("text compared by size") << "arg:group>5"
                                               << "group is text: compare it with =";
        QTest::newRow("size is no number") << "arg:bytes>big"
                                           << "\"big\" is not a size";
        QTest::newRow("place counts characters") << QString::fromUtf8("µµ rank:x") << "character 9:";
    }
    void brokenQueriesSayWhatAndWhere() {
        QFETCH(QString, query);
        QFETCH(QString, says);
        const auto parsed = parse_event_query(query.toStdString());
        QVERIFY(!parsed);
        const QString message = QString::fromStdString(english(parsed.error().message));
        QVERIFY2(message.contains(says), qPrintable(message));
        QVERIFY(!message.contains(u'\n'));
    }
    void countAndTimeAreExact() {
        const auto hits = search_events(RunClasses(threeRanks()), *parse_event_query("nccl"));
        QCOMPARE(hits->count, std::size_t{3});
        QCOMPARE(hits->time, TimeNs{4'001'000}); // 1000 + 1001 + 2000 us
        QCOMPARE(hits->at(1).rank, 1U);
    }
    void hitsOfALaneAscendInTime() {
        const auto run = threeRanks();
        const auto hits = search_events(RunClasses(run), *parse_event_query("stream:7"));
        const auto& own = hits->ranks[0];
        QCOMPARE(own.size(), std::size_t{3});
        QVERIFY(std::ranges::is_sorted(own, {}, [&](EventIndex e) { return run->ranks[0]->events.start[e]; }));
    }
    void cancellingGivesNothing() {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!search_events(RunClasses(threeRanks()), *parse_event_query("a"), stop.get_token()));
    }
};

RANKSCOPE_TEST(TestEventSearch)

} // namespace rankscope::event_search_test

#include "test_event_search.moc"
