// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs name by name, worked out by hand.
#include <array>
#include <optional>

#include <QtTest>

#include "core/compare/operator_diff.h"
#include "core/report/operator_diff_csv.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::operator_diff_test {

namespace {

QString text(std::string_view view) { return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())); }

NameTotals totals(const std::vector<TraceBuilder>& ranks, const Selection& selection = {}) {
    return name_totals(RunAnalysis(make_run(ranks), selection));
}

NameTotal of(const NameTotals& totals, DiffDevice device, const std::string& name) {
    const auto found = totals.find({device, name});
    return found == totals.end() ? NameTotal{} : found->second;
}

} // namespace

class TestOperatorDiff : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void totalsAreMeansOverRanksAndKnowNoStepsOrPythonFrames() {
        // gemm: 10 + 20 on rank 0, 30 on rank 1: 1.5 calls, 30 us a rank. aten::mm only on rank 0: half a call, 4 us.
        const auto t = totals({TraceBuilder(0)
                                   .step(1, 0, 90)
                                   .python("f", 0, 9)
                                   .cpu_op("aten::mm", 0, 8)
                                   .kernel("gemm", 7, 10, 10)
                                   .kernel("gemm", 7, 30, 20),
                               TraceBuilder(1).step(1, 0, 90).kernel("gemm", 7, 10, 30),
                               TraceBuilder(2).kernel("gemm", 7, 10, 30)}); // without steps: it counts for none
        QCOMPARE(t.size(), std::size_t{2});
        QCOMPARE(of(t, DiffDevice::gpu, "gemm").count, 1.5);
        QCOMPARE(of(t, DiffDevice::gpu, "gemm").time_us, 30.0);
        QCOMPARE(of(t, DiffDevice::cpu, "aten::mm").count, 0.5);
        QCOMPARE(of(t, DiffDevice::cpu, "aten::mm").time_us, 4.0);
    }

    void onlyTheSelectionCounts() {
        // Step 2 holds the second operator and, by its launch at 110, the kernel at 250.
        const TraceBuilder rank = TraceBuilder(0)
                                      .step(1, 0, 100)
                                      .step(2, 100, 100)
                                      .cpu_op("aten::mm", 5, 3)
                                      .cpu_op("aten::mm", 105, 10)
                                      .launch(110, 1)
                                      .kernel("gemm", 7, 250, 7);
        const auto t = totals({rank}, Selection{std::nullopt, {{2, 2}}});
        QCOMPARE(of(t, DiffDevice::cpu, "aten::mm").time_us, 10.0);
        QCOMPARE(of(t, DiffDevice::gpu, "gemm").count, 1.0);
        const auto first = totals({rank}, Selection{TimeRange{0, 50'000}, {}});
        QCOMPARE(of(first, DiffDevice::cpu, "aten::mm").time_us, 3.0);
        QCOMPARE(of(first, DiffDevice::gpu, "gemm").count, 0.0);
    }

    void statusFollowsTheCountsAndTheLargestChangeOfTimeComesFirst() {
        const DiffDevice cpu = DiffDevice::cpu;
        const NameTotals a{
            {{cpu, "same"}, {2, 10}}, {{cpu, "more"}, {1, 1}}, {{cpu, "less"}, {3, 30}}, {{cpu, "gone"}, {1, 5}}};
        const NameTotals b{
            {{cpu, "same"}, {2, 90}}, {{cpu, "more"}, {2, 2}}, {{cpu, "less"}, {1, 10}}, {{cpu, "new"}, {1, 7}}};
        QStringList rows;
        for (const OperatorChange& change : compare_operators(a, b))
            rows << text(change.name) + u' ' + text(operator_status_word(change.status));
        QCOMPARE(rows, (QStringList{u"same unchanged"_qs, u"less decreased"_qs, u"new added"_qs, u"gone removed"_qs,
                                    u"more increased"_qs}));
    }

    void kernelsMatchAgainWithoutTemplateArguments() {
        const DiffDevice gpu = DiffDevice::gpu;
        const NameTotals a{{{gpu, "void k<4, f>(int)"}, {2, 10}}, {{gpu, "two<1>"}, {1, 1}}, {{gpu, "two<2>"}, {1, 1}}};
        const NameTotals b{{{gpu, "void k<8, f>(int)"}, {3, 12}}, {{gpu, "two<3>"}, {1, 1}}};
        const auto changes = compare_operators(a, b);
        QCOMPARE(changes.size(),
                 std::size_t{4}); // k once; two<1>, two<2> and two<3> could be either, so they stay apart
        QCOMPARE(text(changes[0].name), u"void k<4, f>(int)"_qs);
        QCOMPARE(text(changes[0].test_name), u"void k<8, f>(int)"_qs);
        QVERIFY(changes[0].shortened);
        QVERIFY(changes[0].status == OperatorStatus::increased);
        QCOMPARE(changes[0].test.time_us, 12.0);
    }

    void namesAreShortened() {
        QCOMPARE(text(shortened_name("void at::native::k<4, std::array<char*, 2ul> >(int, f<long>)")),
                 u"at::native::k"_qs);
        QCOMPARE(text(shortened_name("## forward ##")), u"## forward ##"_qs);
        QCOMPARE(text(shortened_name("triton_0x7fA9_add")), u"triton__add"_qs);
        QCOMPARE(text(shortened_name("Memset (Device)")), u"Memset (Device)"_qs);
        QCOMPARE(text(shortened_name("broken)")), u"broken)"_qs);
    }

    void csvHasARowPerNameOfEitherRun() {
        std::vector<AnalysedRun> runs(2);
        runs[0].label = "a";
        runs[0].analysis =
            std::make_shared<RunAnalysis>(make_run({TraceBuilder(0).kernel("gemm", 7, 0, 10)}), Selection{});
        runs[1].label = "b";
        runs[1].analysis = std::make_shared<RunAnalysis>(
            make_run({TraceBuilder(0).kernel("gemm", 7, 0, 15).kernel("new", 7, 20, 1)}), Selection{});
        runs[1].comparison =
            std::make_shared<const RunComparison>(runs[0].analysis, runs[0].metrics, runs[1].analysis, runs[1].metrics);
        const QStringList lines = text(operator_diff_csv(runs)).split(u"\r\n"_qs, Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines[1], u"a,b,gpu,gemm,gemm,unchanged,exact,1,1,0,10,15,5,50,0,0"_qs);
        QCOMPARE(lines[2], u"a,b,gpu,new,new,added,exact,0,1,1,0,1,1,,0,0"_qs);
    }

    /// 17 steps against 15: each step calls attention twice and takes as long for it; only one call of 38 is cut off.
    void runsWithUnequallyManyStepsCompareByStep() {
        const NameTotals a{{{DiffDevice::gpu, "attention"}, {34, 136'200}}, {{DiffDevice::gpu, "copy"}, {645, 6450}}};
        const NameTotals b{{{DiffDevice::gpu, "attention"}, {30, 120'400}}, {{DiffDevice::gpu, "copy"}, {570, 11'400}}};
        const auto changes = per_step(compare_operators(a, b), 17, 15);
        QCOMPARE(changes.size(), 2U);
        QCOMPARE(changes[0].name, std::string("copy")); // the largest change a step
        QCOMPARE(changes[0].test.time_us - changes[0].baseline.time_us, 11'400.0 / 15 - 6450.0 / 17);
        QCOMPARE(changes[0].status, OperatorStatus::unchanged); // 37.9 and 38 calls
        QCOMPARE(changes[1].baseline.count, 2.0);
        QCOMPARE(changes[1].test.count, 2.0);
        QCOMPARE(changes[1].status, OperatorStatus::unchanged);
        QVERIFY(changes[1].test.time_us - changes[1].baseline.time_us < 20); // not -15.8 ms
    }
};

RANKSCOPE_TEST(TestOperatorDiff)

} // namespace rankscope::operator_diff_test

#include "test_operator_diff.moc"
