// SPDX-License-Identifier: GPL-3.0-or-later
// While a run is analysed, the bar above the screens says what is done.
#include <atomic>
#include <memory>
#include <thread>

#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/main_window.h"
#include "app/window/run_library.h"
#include "core/demo/run_simulator.h"
#include "tests/support/test_program.h"
#include "widgets/panels/load_bar.h"

namespace rankscope::progress_test {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPatience = 60'000;
}

class TestProgress : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anAnalysisThatTakesLongSaysItsPartAndHasNothingToCancel() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        const QString run = folder_.filePath(u"run"_s);
        SimulatorOptions options;
        options.dp = 2;
        QVERIFY(write_run(options, run.toStdString()).has_value());
        const auto goOn = std::make_shared<std::atomic<bool>>(false);
        MainWindow window(GuiOptions{});
        window.show();
        window.library().setAnalyse([goOn](const auto& analysis, const std::stop_token& stop) {
            while (!*goOn && !stop.stop_requested())
                std::this_thread::yield();
            return analysedRun(analysis, stop);
        });
        window.addPaths({run});
        auto* bar = window.findChild<LoadBar*>();
        QTRY_VERIFY2_WITH_TIMEOUT(bar->isVisible() &&
                                      bar->text().startsWith(u"Analysing run: findings and metrics, 4 of 4"_s),
                                  qPrintable(bar->text()), kPatience);
        QVERIFY(!bar->findChild<QPushButton*>()->isVisible());
        *goOn = true;
        QTRY_VERIFY_WITH_TIMEOUT(bar->isHidden() && !window.isBusy(), kPatience);
    }

private:
    QTemporaryDir folder_;
};

RANKSCOPE_GUI_TEST(TestProgress)

} // namespace rankscope::progress_test

#include "test_progress.moc"
