// SPDX-License-Identifier: GPL-3.0-or-later
// Latency and bandwidth of communicators: by hand, and of links whose latency and bandwidth are known.
#include <QtTest>

#include <cmath>
#include <random>

#include "core/analysis/collectives/link_fits.h"
#include "core/query/query.h"
#include "core/report/link_report.h"
#include "core/run/run_analysis.h"
#include "core/views/collective_charts.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::link_fits_test {

namespace {

constexpr const char* kKernel = "ncclDevKernel_Generic";

CollectiveCall all_reduce(std::int64_t bytes, const ProcessGroup& group) {
    CollectiveCall call;
    call.collective = "allreduce";
    call.dtype = "Float";
    call.in_elements = call.out_elements = bytes / 4;
    call.group = group;
    return call;
}

ProcessGroup group_of(int size) {
    std::vector<int> ranks;
    for (int r = 0; r < size; ++r)
        ranks.push_back(r);
    return {"0", "default_pg", ranks, size};
}

/// A call of two ranks: rank 1 comes skew_us later, and both end transfer_us after that.
struct HandCall {
    double start_us, skew_us, transfer_us;
    std::int64_t bytes;
};

std::shared_ptr<const Run> run_of(const std::vector<HandCall>& calls) {
    TraceBuilder first(0);
    TraceBuilder second(1);
    for (const HandCall& call : calls) {
        first.collective(kKernel, 3, call.start_us, call.skew_us + call.transfer_us,
                         all_reduce(call.bytes, group_of(2)));
        second.collective(kKernel, 3, call.start_us + call.skew_us, call.transfer_us,
                          all_reduce(call.bytes, group_of(2)));
    }
    return make_run({first, second});
}

/// Members come up to skew_us apart; a transfer takes latency_us + bytes / bandwidth, each up to 1 % longer, and every
/// eighth call twice as long: something else used the link.
std::shared_ptr<const Run> simulated_links(int ranks, double latency_us, double gb_s, double skew_us, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> part(0, 1);
    std::vector<TraceBuilder> builders;
    for (int r = 0; r < ranks; ++r)
        builders.emplace_back(r);
    double now = 0;
    for (int call = 0; call < 240; ++call) {
        const std::int64_t bytes = std::int64_t{4096} << (call % 6 * 3); // 4 KiB to 128 MiB
        double transfer = (latency_us + static_cast<double>(bytes) / gb_s / 1e3) * (1 + 0.01 * part(random));
        if (call % 8 == 7)
            transfer *= 2;
        std::vector<double> arrivals;
        for (int r = 0; r < ranks; ++r)
            arrivals.push_back(now + skew_us * part(random));
        const double end = *std::ranges::max_element(arrivals) + transfer;
        for (int r = 0; r < ranks; ++r)
            builders[static_cast<std::size_t>(r)].collective(kKernel, 3, arrivals[static_cast<std::size_t>(r)],
                                                             end - arrivals[static_cast<std::size_t>(r)],
                                                             all_reduce(bytes, group_of(ranks)));
        now = end + 50;
    }
    return make_run(builders);
}

bool within(double found, double wanted, double share) { return std::abs(found - wanted) <= share * wanted; }

} // namespace

class TestLinkFits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// α = 10 us, β = 1 GB/s: 10 000 B take 20 us, 40 000 B 50 us, 90 000 B 100 us.
    void latencyAndBandwidthByHand() {
        const RunAnalysis analysis(run_of({{0, 0, 20, 10'000},
                                           {200, 30, 50, 40'000},
                                           {400, 5, 100, 90'000},
                                           {600, 0, 130, 90'000},
                                           {800, 0, 100, 90'000}}),
                                   {});
        const LinkFits& links = analysis.link_fits();
        QCOMPARE(links.fits.size(), std::size_t{1});
        const LinkFit& fit = links.fits[0];
        QCOMPARE(fit.kind, CollectiveKind::all_reduce);
        QCOMPARE(fit.calls, std::int64_t{5});
        QCOMPARE(fit.sizes.size(), std::size_t{3});
        QCOMPARE(fit.sizes[2].calls, std::int64_t{3});
        QCOMPARE(fit.sizes[2].median_transfer, 100e3);
        QVERIFY(fit.model.has_value());
        QVERIFY(within(fit.model->latency, 10e3, 1e-6));
        QVERIFY(within(fit.model->bandwidth, 1, 1e-6));
        QVERIFY(fit.model->residual < 1e-9);
        QVERIFY(within(fit.bus_gb_s(90'000), 0.9, 1e-6)); // two ranks: bus factor 1
        // 600: 130 us = 0 skew + 10 latency + 90 size + 30 held up; 200: 80 us = 30 + 10 + 40 + 0.
        QCOMPARE(links.splits.size(), std::size_t{5});
        QCOMPARE(links.splits[1].skew, TimeNs{30'000});
        QVERIFY(std::abs(links.splits[1].rest) < 1);
        QVERIFY(within(links.splits[3].rest, 30e3, 1e-6));
        for (const CallSplit& split : links.splits)
            QVERIFY(std::abs(static_cast<double>(split.transfer) - split.latency - split.size - split.rest) < 1e-6);
    }

    void whatIsNotKnownSaysWhy() {
        const auto why = [](const std::vector<HandCall>& calls) {
            const RunAnalysis analysis(run_of(calls), {});
            const LinkFit& fit = analysis.link_fits().fits.at(0);
            return fit.model ? std::string("known") : english(fit.why_not);
        };
        QCOMPARE(why({{0, 0, 20, 1000}, {100, 0, 21, 1000}}),
                 std::string("not known, because all calls are of one size"));
        QCOMPARE(why({{0, 0, 20, 1000}, {100, 0, 21, 2000}}),
                 std::string("not known, because the calls are of two sizes; three are needed"));
        QCOMPARE(why({{0, 0, 30, 1000}, {100, 0, 20, 2000}, {200, 0, 10, 4000}}),
                 std::string("not known, because the time does not grow with the size"));
        TraceBuilder first(0);
        TraceBuilder second(1);
        for (TraceBuilder* builder : {&first, &second})
            builder->collective(kKernel, 3, 0, 20, all_reduce(-4, group_of(2)));
        const RunAnalysis without(make_run({first, second}), {});
        QCOMPARE(english(without.link_fits().fits.at(0).why_not),
                 std::string("not known, because no size is recorded"));
    }

    void aNegativeLatencyIsNone() {
        const RunAnalysis analysis(run_of({{0, 0, 1, 10'000}, {100, 0, 3, 20'000}, {200, 0, 7, 40'000}}), {});
        QCOMPARE(analysis.link_fits().fits.at(0).model.value().latency, 0.0);
    }

    void knownLinksAreFoundBesideSkew() {
        struct Link {
            int ranks;
            double latency_us, gb_s, skew_us;
        };
        for (const Link& link : {Link{2, 12, 40, 500}, Link{8, 25, 180, 2000}, Link{4, 60, 5, 20'000}}) {
            const RunAnalysis analysis(simulated_links(link.ranks, link.latency_us, link.gb_s, link.skew_us, 7), {});
            const LinkFit& fit = analysis.link_fits().fits.at(0);
            QVERIFY(fit.model.has_value());
            QVERIFY2(within(fit.model->latency, link.latency_us * 1e3, 0.03),
                     qPrintable(QString::number(fit.model->latency)));
            QVERIFY2(within(fit.model->bandwidth, link.gb_s, 0.03), qPrintable(QString::number(fit.model->bandwidth)));
        }
    }

    void theChartHasALineForEachCommunicatorThatIsKnown() {
        const auto run =
            std::make_shared<Run>(*run_of({{0, 0, 20, 10'000}, {200, 30, 50, 40'000}, {400, 5, 100, 90'000}}));
        NcclTestCurve test;
        test.kind = CollectiveKind::all_reduce;
        test.points = {{100, 1, 1, 1, 1}, {20'000, 1, 0.6, 1, 0.7}, {80'000, 1, 0.9, 1, 0.8}};
        run->nccl_tests = {test};
        const CollectiveCalls calls = list_collective_calls(std::make_shared<const RunAnalysis>(run, Selection{}));
        const std::vector<std::uint32_t> shown{0, 1, 2};
        const auto curves = chart_links(calls, shown);
        QCOMPARE(curves.size(), std::size_t{2});
        QVERIFY(!curves[0].of_nccl_tests);
        QVERIFY(within(curves[0].points.front().second, 0.5, 1e-3)); // 10 000 B in 20 us
        QVERIFY(within(curves[0].points.back().second, 0.9, 1e-3));  // 90 000 B in 100 us
        QVERIFY(curves[1].of_nccl_tests);
        QCOMPARE(curves[1].points.size(), std::size_t{2}); // 100 B lies outside of the calls
        QCOMPARE(curves[1].points[0].second, 0.7);
        QVERIFY(chart_links(calls, std::span(shown).first(0)).empty());
    }

    void tablesAndReportsHaveTheSameNumbers() {
        const auto run = run_of({{0, 0, 20, 10'000}, {200, 30, 50, 40'000}, {400, 5, 100, 90'000}});
        const AnalysedRun analysed{"run", "made", std::make_shared<RunAnalysis>(run, Selection{}), {}, {}};
        const auto json = links_json(*analysed.analysis);
        QCOMPARE(json["fits"][0]["latency_us"].get<double>(), 10.0);
        QCOMPARE(json["fits"][0]["bandwidth_gb_s"].get<double>(), 1.0);
        QCOMPARE(json["fits"][0]["skew_us"].get<double>(), 35.0);
        const std::string split = collective_split_csv(std::span(&analysed, 1));
        QVERIFY2(split.find("\n1,AllReduce,0,40000,30.000,50.000,10.000,40.000,") != std::string::npos, split.c_str());
        const std::string links = links_csv(std::span(&analysed, 1));
        QVERIFY2(links.find("\nAllReduce,0,default_pg,unknown,2,10.000,1,0,,10000,1,20.000,20.000,0.5,0.5,0.5,,made") !=
                     std::string::npos,
                 links.c_str());
        auto database = QueryDatabase::open(
            std::make_shared<const QueryModel>(std::vector<QueryRun>{{"made", "run", analysed.analysis}}));
        const auto rows = run_query(
            *database, "select round(latency_ns), round(bandwidth_gb_s, 6), why_not is null from link_fit", 10);
        QVERIFY(rows.has_value());
        const std::vector<QueryValue> expected{10'000.0, 1.0, std::int64_t{1}};
        QCOMPARE(rows->rows.at(0), expected);
    }
};

RANKSCOPE_TEST(TestLinkFits)

} // namespace rankscope::link_fits_test

#include "test_link_fits.moc"
