// SPDX-License-Identifier: GPL-3.0-or-later
// What all screens of analyses do with what they are given.
#include <memory>
#include <new>
#include <stdexcept>

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/screens/analysis_screen.h"

namespace rankscope::analysis_screen_test {
using namespace Qt::Literals::StringLiterals;

namespace {

class Screen : public AnalysisScreen {
public:
    Screen() {
        setPage(new QLabel(u"the page"_s));
        setPreparation([this](const auto&, const std::stop_token&) -> Show {
            if (fails)
                throw std::runtime_error("a vector was too long");
            return [this] { showPage(); };
        });
    }
    std::atomic<bool> fails = true;
};

std::shared_ptr<const AnalysedRun> analysed() {
    auto result = std::make_shared<AnalysedRun>();
    result->analysis = std::make_shared<RunAnalysis>(make_run({TraceBuilder(0).kernel("gemm", 7, 0, 5)}), Selection{});
    return result;
}

} // namespace

class TestAnalysisScreen : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anExceptionIsSaidOnTheScreenAndTheNextRunIsShown() {
        Screen screen;
        screen.show();
        QSignalSpy ready(&screen, &AnalysisScreen::ready);
        const auto first = analysed();
        screen.takeRun(first->analysis->run_pointer(), first);
        QVERIFY(ready.wait());
        QVERIFY2(screen.message().contains(u"a vector was too long"_s), qPrintable(screen.message()));
        screen.fails = false;
        const auto second = analysed();
        screen.takeRun(second->analysis->run_pointer(), second);
        QVERIFY(ready.wait());
        QVERIFY(screen.message().isEmpty());
        QVERIFY(screen.isReady());
    }
};

RANKSCOPE_GUI_TEST(TestAnalysisScreen)

} // namespace rankscope::analysis_screen_test

#include "test_analysis_screen.moc"
