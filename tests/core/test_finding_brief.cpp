// SPDX-License-Identifier: GPL-3.0-or-later
// The row of a finding says what its sentence says: every number of the row is in the sentence, on real runs too.
#include <QTest>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "core/analysis/findings/finding_brief.h"
#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::finding_brief_test {
using namespace Qt::Literals::StringLiterals;

namespace {

namespace fs = std::filesystem;

const fs::path kReal = fs::path(RANKSCOPE_SOURCE_DIR) / "tests/data/real";
const fs::path kShared = fs::path(RANKSCOPE_SHARED_DIR) / "traces";

/// "1.68" and "7" of "take 1.68× ... in step 7".
std::vector<std::string> numbers_of(const std::string& text) {
    constexpr const char* kDigits = "0123456789";
    std::vector<std::string> found;
    for (std::size_t at = text.find_first_of(kDigits); at != std::string::npos;) {
        std::size_t end = std::min(text.find_first_not_of(kDigits, at), text.size());
        if (end + 1 < text.size() && text[end] == '.' && std::isdigit(static_cast<unsigned char>(text[end + 1])) != 0)
            end = std::min(text.find_first_not_of(kDigits, end + 1), text.size());
        found.push_back(text.substr(at, end - at));
        at = text.find_first_of(kDigits, end);
    }
    return found;
}

bool says(const std::string& text, const std::string& number) {
    const auto numbers = numbers_of(text);
    return std::ranges::find(numbers, number) != numbers.end();
}

} // namespace

class TestFindingBrief : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aStragglerInColumns() {
        const auto run = make_run({TraceBuilder(0), TraceBuilder(2)});
        Finding finding;
        finding.code = FindingCode::straggler;
        finding.cause = FindingCause::slower_kernels;
        finding.ranks = {2};
        finding.facts = {{FactName::kernel_kind, 0, "gemm"}, {FactName::kernel_ratio, 1.684, {}}};
        QCOMPARE(english(who_words(*run, finding)), std::string("rank 2"));
        QCOMPARE(english(what_words(finding)), std::string("gemm kernels take 1.68× as long as peers'"));
        QCOMPARE(english(headline_words(*run, finding)),
                 std::string("rank 2: gemm kernels take 1.68× as long as peers'"));
        finding.cause = FindingCause::data_loading;
        finding.facts = {{FactName::excess_us_per_step, 12'975, {}},
                         {FactName::excess_us_per_affected_step, 30'280, {}}};
        QCOMPARE(english(what_words(finding)), std::string("waits 30.28 ms longer for data than peers"));
        finding.ranks.clear();
        QCOMPARE(english(who_words(*run, finding)), std::string("all ranks"));
        QCOMPARE(english(who_words(*make_run({TraceBuilder(5)}), finding)), std::string("rank 5"));
    }

    /// Also without evidence: a word for each kind, and no empty place.
    void everyKindHasWords() {
        for (const FindingKind& kind : kFindingKinds) {
            Finding finding;
            finding.code = kind.code;
            finding.cause = kind.cause;
            const std::string what = english(what_words(finding));
            QVERIFY2(what.size() > 8 && what.find('%') == std::string::npos, std::string(kind.meaning).c_str());
        }
    }

    void rowsSayWhatSentencesSay_data() {
        QTest::addColumn<QString>("path");
        for (const fs::path& folder : {kReal, kShared})
            for (std::error_code error; const auto& entry : fs::directory_iterator(folder, error))
                if (entry.is_directory())
                    QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
    }
    void rowsSayWhatSentencesSay() {
        QFETCH(const QString, path);
        const auto run = load_run(path.toStdString());
        if (!run) // several runs, or none
            return;
        const RunAnalysis analysis(*run, {});
        const Findings& findings = analysis.findings();
        for (const Finding& finding : findings.list) {
            const std::string what = english(what_words(finding));
            const std::string title = english(finding.title);
            QVERIFY2(what.find("  ") == std::string::npos && !what.ends_with(' '), what.c_str());
            for (const std::string& number : numbers_of(what))
                QVERIFY2(says(title, number), (what + "\n" + title).c_str());
            QCOMPARE(finding.when.empty(), finding.iterations.empty());
            QVERIFY(finding.cost_of_affected >= finding.cost);
            for (const FindingEvent& event : finding.events) { // as the rank's own trace has it
                if (event.event == kNoEvent)
                    continue;
                const TimeRange own = (*run)->ranks[event.rank]->events.range(event.event);
                QCOMPARE(event.range.begin, own.begin);
                QCOMPARE(event.range.end, own.end);
                QVERIFY(event.shown().begin <= own.begin);
            }
        }
        if (findings.head) {
            const Finding& head = findings.list[*findings.head];
            QVERIFY(english(findings.headline).find(english(what_words(head)).substr(1)) != std::string::npos);
            QVERIFY(english(findings.summary).find(english(head.title)) != std::string::npos);
            const std::string beside = english(findings.beside_head);
            QVERIFY2(beside.find(english(what_words(head)).substr(1)) == std::string::npos, beside.c_str());
            QVERIFY2(beside.size() + english(what_words(head)).size() < english(findings.headline).size(),
                     beside.c_str());
        } else {
            QCOMPARE(english(findings.headline), english(findings.summary));
        }
    }
};

RANKSCOPE_TEST(TestFindingBrief)

} // namespace rankscope::finding_brief_test

#include "test_finding_brief.moc"
