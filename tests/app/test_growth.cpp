// SPDX-License-Identifier: GPL-3.0-or-later
// Twice the events take at most 2.3 times as long, in every shape: all that --batch --json --output computes and
// writes. A shape that exceeds it is measured once more at twice the size. Work that grows by the square exceeds it
// there as well; a single jump in the time, or another program's work, does not.
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <sys/resource.h>

#include "tests/app/run_program.h"
#include "tests/support/growth_shapes.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_program.h"

namespace rankscope::growth_test {
using namespace rankscope::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kEvents = 1000; ///< of the kind, on each of two ranks; then twice as many
constexpr double kMostGrowth = 2.3;
constexpr int kTries = 3; ///< what else the machine does makes a time longer, never shorter

/// Of processor time of all children so far: a busy machine changes it little.
constexpr double kWorthATime = 1; ///< s: below, what else the machine does tells more

double seconds_of_children() {
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    return static_cast<double>(used.ru_utime.tv_sec) + static_cast<double>(used.ru_utime.tv_usec) / 1e6;
}

} // namespace

class TestGrowth : public QObject {
    Q_OBJECT

    /// Of the program on the run in that folder; nothing: it failed, or took a minute.
    static std::optional<double> seconds(const QString& folder) {
        const double before = seconds_of_children();
        const Outcome outcome = run_program({u"--batch"_s, u"--json"_s, u"--no-cache"_s, u"--jobs"_s, u"1"_s,
                                             u"--output"_s, folder + u"/out"_s, folder + u"/run"_s});
        if (outcome.exit_code != 0) {
            qWarning("exit code %d: %s", outcome.exit_code, outcome.err.constData());
            return {};
        }
        return seconds_of_children() - before;
    }

    /// Writes the run of that many events if it isn't there, and lowers `least` to what the program takes for it.
    static bool measure(const GrowthShape& shape, const QString& at, int events, double& least) {
        if (!QFile::exists(at))
            for (int rank = 0; rank < 2; ++rank)
                write_file(at + u"/run/rank%1_trace.json"_s.arg(rank),
                           QByteArray::fromStdString(growth_trace(shape, events, rank)));
        const auto took = seconds(at);
        least = std::min(least, took.value_or(least));
        return QTest::qVerify(took.has_value(), "took", "", __FILE__, __LINE__);
    }

private Q_SLOTS:
    void takesTimeInProportion_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("arrangement");
        for (std::size_t kind = 0; kind < growth_kinds().size(); ++kind)
            for (const Arrangement arrangement : kArrangements)
                QTest::newRow(fmt::format("{}, {}", growth_kinds()[kind], arrangement_word(arrangement)).c_str())
                    << static_cast<int>(kind) << static_cast<int>(arrangement);
    }
    void takesTimeInProportion() {
        if constexpr (kSanitized)
            QSKIP("a sanitizer's time is not the program's");
        QFETCH(const int, kind);
        QFETCH(const int, arrangement);
        const GrowthShape shape{growth_kinds()[static_cast<std::size_t>(kind)], static_cast<Arrangement>(arrangement)};
        const QTemporaryDir folder;
        std::array<double, 3> least{1e9, 1e9, 1e9}; // s: of kEvents, twice and four times as many
        for (std::size_t larger = 1; larger < least.size(); ++larger)
            for (int attempt = 0; attempt < kTries; ++attempt) {
                for (const std::size_t size : {larger - 1, larger})
                    if (!measure(shape, folder.filePath(QString::number(size)), kEvents << size, least[size]))
                        return;
                if (least[larger] < kWorthATime || least[larger] <= kMostGrowth * least[larger - 1])
                    return;
            }
        // Each step has the slack of all events in it (step_slack()): steps that overlap share theirs.
        if (shape.kind == "step" &&
            (shape.arrangement == Arrangement::nested || shape.arrangement == Arrangement::overlapping))
            QEXPECT_FAIL("", "a limit that docs/robustness.md names", Continue);
        QVERIFY2(false, fmt::format("{:.2f} s, {:.2f} s for twice and {:.2f} s for four times the events", least[0],
                                    least[1], least[2])
                            .c_str());
    }
};

RANKSCOPE_TEST(TestGrowth)

} // namespace rankscope::growth_test

#include "test_growth.moc"
