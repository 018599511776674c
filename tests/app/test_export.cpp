// SPDX-License-Identifier: GPL-3.0-or-later
// Tables and plots written to files: whole, defused, in the format that the name says.
#include <algorithm>
#include <map>
#include <memory>

#include <QAction>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeySequence>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QSvgRenderer>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/export.h"
#include "app/window/export_controller.h"
#include "app/window/export_dialog.h"
#include "app/window/main_window.h"
#include "core/demo/run_simulator.h"
#include "core/report/html_report.h"
#include "tests/support/opened_window.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "tests/support/user_input.h"
#include "widgets/charts/rank_bars.h"
#include "widgets/charts/rank_parts.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/overview.h"
#include "widgets/plot_export.h"
#include "widgets/screens/analysis_screen.h"
#include "widgets/screens/study_screen.h"
#include "widgets/table_text.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::export_test {
using namespace Qt::Literals::StringLiterals;

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestExport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 2;
        const QString run = folder_.filePath(u"run"_s);
        QVERIFY(write_run(options, run.toStdString()).has_value());
        window_ = openedWindow(run);
        QVERIFY(window_);
    }
    void cleanupTestCase() { window_.reset(); }

    void cellsAreQuotedAndFormulasDefused_data() {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<QString>("csv");
        QTest::addColumn<QString>("tsv");
        QTest::newRow("plain") << u"gemm"_s << u"gemm"_s << u"gemm"_s;
        QTest::newRow("comma") << u"f<1, 2>"_s << u"\"f<1, 2>\""_s << u"f<1, 2>"_s;
        QTest::newRow("quote") << u"a\"b"_s << u"\"a\"\"b\""_s << u"a\"b"_s;
        QTest::newRow("formula") << u"=1+2"_s << u"'=1+2"_s << u"'=1+2"_s;
        QTest::newRow("at") << u"@SUM(A1)"_s << u"'@SUM(A1)"_s << u"'@SUM(A1)"_s;
        QTest::newRow("negative number") << u"-1.5"_s << u"-1.5"_s << u"-1.5"_s;
        QTest::newRow("lines") << u"a\nb\tc"_s << u"a b c"_s << u"a b c"_s;
    }
    void cellsAreQuotedAndFormulasDefused() {
        QFETCH(QString, cell);
        QStandardItemModel model(1, 1);
        model.setHorizontalHeaderLabels({u"Name"_s});
        model.setItem(0, 0, new QStandardItem(cell));
        QFETCH(QString, csv);
        QFETCH(QString, tsv);
        QCOMPARE(wholeTable(model, TableFormat::csv), u"Name\r\n"_s + csv + u"\r\n"_s);
        QCOMPARE(wholeTable(model, TableFormat::tsv), u"Name\n"_s + tsv + u'\n');
    }
    void treesAreWrittenWithTheirPath() {
        QStandardItemModel model;
        model.setHorizontalHeaderLabels({u"Metric"_s, u"Value"_s});
        auto* top = new QStandardItem(u"time"_s);
        top->appendRow({new QStandardItem(u"idle"_s), new QStandardItem(u"3"_s)});
        model.appendRow({top, new QStandardItem(u"10"_s)});
        QCOMPARE(wholeTable(model, TableFormat::tsv), u"Metric\tValue\ntime\t10\ntime / idle\t3\n"_s);
    }
    void aTableWithoutRowNamesHasNoColumnForThem() {
        struct Plain : QStandardItemModel { // as the window's own models, which say nothing of their rows
            using QStandardItemModel::QStandardItemModel;
            [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
                return orientation == Qt::Vertical ? QVariant()
                                                   : QStandardItemModel::headerData(section, orientation, role);
            }
        };
        Plain model(1, 2);
        model.setHorizontalHeaderLabels({u"Exposed\n communication"_s, u"Idle  time"_s});
        model.setItem(0, 0, new QStandardItem(u"5"_s));
        model.setItem(0, 1, new QStandardItem(u"6"_s));
        QCOMPARE(wholeTable(model, TableFormat::csv), u"Exposed communication,Idle time\r\n5,6\r\n"_s);
    }
    void namedRowsComeFirst() {
        QStandardItemModel model(1, 1);
        model.setHorizontalHeaderLabels({u"All"_s});
        model.setVerticalHeaderLabels({u"Mean"_s});
        model.setItem(0, 0, new QStandardItem(u"5"_s));
        QCOMPARE(wholeTable(model, TableFormat::csv), u",All\r\nMean,5\r\n"_s);
    }

    void theRunIsWrittenAsOneTrace() {
        QTemporaryDir folder;
        const QString file = folder.filePath(u"trace.json"_s);
        window_->exports().exportTrace(file);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->exports().isBusy(), 60'000);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QJsonArray events = QJsonDocument::fromJson(written.readAll()).object()[u"traceEvents"_s].toArray();
        qsizetype slices = 0;
        for (const QJsonValue& event : events)
            slices += event[u"ph"_s] == u"X"_s && !event[u"cat"_s].toString().startsWith(u"rankscope."_s) ? 1 : 0;
        QCOMPARE(static_cast<std::uint64_t>(slices), window_->viewState().run()->event_count());
        window_->exports().exportTrace(u"/nonexistent/folder/trace.json"_s);
        QTRY_VERIFY(!window_->exports().isBusy());
        QVERIFY(!QFileInfo::exists(u"/nonexistent"_s));
    }

    void theReportIsSavedByItsKey_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("holds");
        QTest::newRow("web page") << u"report.html"_s << QByteArray("<h3>Findings</h3>");
        QTest::newRow("no ending: a web page") << u"report"_s << QByteArray("<h3>Findings</h3>");
        QTest::newRow("Markdown") << u"report.md"_s << QByteArray("A step takes");
        QTest::newRow("workbook") << u"report.xlsx"_s << QByteArray("PK");
    }
    void theReportIsSavedByItsKey() {
        QFETCH(const QString, name);
        QFETCH(const QByteArray, holds);
        const QTemporaryDir folder;
        const FileChooser choose(folder.filePath(name));
        QVERIFY(window_->commands().shortcuts(u"save-report"_s).contains(QKeySequence(u"Ctrl+S"_s)));
        window_->commands().action(u"save-report"_s)->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!window_->exports().isBusy(), 60'000);
        const QString file = folder.filePath(name.contains(u'.') ? name : name + u".html"_s);
        QVERIFY2(contentOf(file).contains(holds), contentOf(file).left(300).constData());
        QCOMPARE(window_->notices().line(), u"Saved "_s + file);
    }

    /// On the Study screen the key saved the report of the run.
    void theStudyIsSavedByTheSameKey_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("holds");
        QTest::newRow("web page") << u"study.html"_s << QByteArray("Study of 1 run<");
        QTest::newRow("no ending: a web page") << u"study"_s << QByteArray("Study of 1 run<");
        QTest::newRow("workbook") << u"study.xlsx"_s << QByteArray("PK");
        QTest::newRow("CSV") << u"study.csv"_s << QByteArray("step_time");
        QTest::newRow("JSON") << u"study.json"_s << QByteArray("rankscope.study.v1");
    }
    void theStudyIsSavedByTheSameKey() {
        QFETCH(const QString, name);
        QFETCH(const QByteArray, holds);
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QTest::keyClick(window_.get(), Qt::Key_Y, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(window_->screenShown(), u"study"_s);
        auto* study = qobject_cast<StudyScreen*>(window_->analysisScreen(u"study"_s));
        study->clear();
        QVERIFY(!window_->commands().action(u"save-report"_s)->isEnabled());
        for (auto* button : study->findChildren<QPushButton*>())
            if (button->text() == u"Add open runs"_s)
                QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(study->study().has_value() && study->isReady(), 60'000);
        const QTemporaryDir folder;
        const FileChooser choose(folder.filePath(name));
        QTest::keyClick(window_.get(), Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->exports().isBusy(), 60'000);
        QCOMPARE(choose.title(), u"Save report of the study"_s);
        const QString file = folder.filePath(name.contains(u'.') ? name : name + u".html"_s);
        QVERIFY2(contentOf(file).contains(holds), contentOf(file).left(300).constData());
        QCOMPARE(window_->notices().line(), u"Saved "_s + file);
        window_->showScreen(MainWindow::overviewScreen);
        QVERIFY(window_->commands().action(u"save-report"_s)->isEnabled());
    }
    void aStudyOfAnotherEndingIsRefused() {
        window_->exports().saveStudy(folder_.filePath(u"study.md"_s));
        QVERIFY(!window_->exports().isBusy());
        QVERIFY(!QFileInfo::exists(folder_.filePath(u"study.md"_s)));
        QVERIFY2(window_->notices().line().contains(u"a study is written as"_s), qPrintable(window_->notices().line()));
    }
    /// The steps of rank 0 were drawn through all ranks, and the page began and ended with them.
    void thePagesTimelineHasTheStepsOfEachRank() {
        const auto analysis =
            std::make_shared<RunAnalysis>(make_run({TraceBuilder(0).step(1, 50, 100).kernel("gemm", 7, 60, 10),
                                                    TraceBuilder(1).step(1, 20, 90).kernel("gemm", 7, 30, 10)},
                                                   "two"),
                                          Selection{});
        // From the first event, at 20 us: of rank 1 0 to 90 us, of rank 0 30 to 130 us.
        const TimelinePart part = choose_timeline_part(*analysis, {}, 1000);
        QCOMPARE(part.time, (TimeRange{0, 130'000}));
        const std::vector<AnalysedRun> runs{{"run", "two", analysis, compute_metrics(*analysis), {}}};
        const QString page = QString::fromStdString(html_report(runs, {}));
        const QString start = u"id=\"timeline-data\">"_s;
        const qsizetype at = page.indexOf(start) + start.size();
        const QJsonObject data =
            QJsonDocument::fromJson(page.mid(at, page.indexOf(u"</script>"_s, at) - at).toUtf8()).object();
        std::map<int, QJsonArray> steps;
        for (const QJsonValue& rank : data[u"runs"_s][0][u"ranks"_s].toArray())
            steps[rank[u"rank"_s].toInt()] = rank[u"steps"_s].toArray();
        QCOMPARE(steps[0], (QJsonArray{QJsonArray{1, 30'000, 130'000}}));
        QCOMPARE(steps[1], (QJsonArray{QJsonArray{1, 0, 90'000}}));
    }
    void theScreensTablesAndPlotsAreOffered() {
        window_->showScreen(MainWindow::overviewScreen);
        QStringList titles;
        for (const Exportable& item : exportables(*window_))
            titles << item.title;
        QVERIFY2(titles.contains(u"Time of each rank"_s), qPrintable(titles.join(u';')));
        QVERIFY2(titles.size() >= 3, qPrintable(titles.join(u';'))); // ranks, metrics, bars
        QVERIFY(!titles.contains(QString()));
        window_->showScreen(MainWindow::timelineScreen);
        titles.clear();
        for (const Exportable& item : exportables(*window_))
            titles << item.title;
        QVERIFY2(titles.contains(u"Timeline"_s), qPrintable(titles.join(u';')));
    }
    void theRankTableIsWrittenAsShown() {
        const Exportable table{Exportable::Kind::table, u"Ranks"_s, &window_->overview().table()};
        const QString file = folder_.filePath(u"ranks.csv"_s);
        QCOMPARE(exportTo(table, file), QString());
        QCOMPARE(contentOf(file).count("\r\n"), 3); // header and two ranks
        QVERIFY(!exportTo(table, folder_.filePath(u"no/such/folder/ranks.csv"_s)).isEmpty());
        QVERIFY(!exportTo(table, folder_.filePath(u"ranks.doc"_s)).isEmpty());
        QVERIFY(!QFile::exists(folder_.filePath(u"ranks.doc"_s)));
    }
    void aPlotIsWrittenInEachFormat() {
        window_->showScreen(MainWindow::overviewScreen);
        const Exportable plot{Exportable::Kind::plot, u"Bars"_s, &window_->overview().bars()};
        const QString png = folder_.filePath(u"bars.png"_s);
        QCOMPARE(exportTo(plot, png), QString());
        QCOMPARE(QImage(png).size(), window_->overview().bars().size() * 2);
        const QString svg = folder_.filePath(u"bars.svg"_s);
        QCOMPARE(exportTo(plot, svg), QString());
        QSvgRenderer renderer(svg);
        QVERIFY(renderer.isValid());
        QCOMPARE(renderer.viewBox().size(), window_->overview().bars().size());
        QVERIFY(contentOf(svg).contains("<text")); // drawn, not copied from the screen
        const QString pdf = folder_.filePath(u"bars.PDF"_s);
        QCOMPARE(exportTo(plot, pdf), QString());
        QVERIFY(contentOf(pdf).startsWith("%PDF"));
    }
    /// The bars' own picture used to be without, and with lines as black as the text.
    void aPictureOfTheBarsHasTheirLegend() {
        window_->showScreen(MainWindow::overviewScreen);
        const auto found = exportables(*window_);
        const auto bars = std::ranges::find(found, u"Time of each rank"_s, &Exportable::title);
        QVERIFY(bars != found.end());
        const QString svg = folder_.filePath(u"chart.svg"_s);
        QCOMPARE(exportTo(*bars, svg), QString());
        for (const RankPart part : kRankParts)
            QVERIFY2(contentOf(svg).contains(rankPartLabel(part).toUtf8()), qPrintable(rankPartLabel(part)));
    }
    /// Black is no colour of the window's: a line of it was drawn with a pen that nobody chose.
    void noPictureHasBlackLines() {
        int pictures = 0;
        for (const QString& screen : {u"overview"_s, u"timeline"_s, u"collectives"_s, u"kernels"_s, u"memory"_s}) {
            window_->showScreen(screen);
            if (const AnalysisScreen* analysis = window_->analysisScreen(screen))
                QTRY_VERIFY(analysis->isReady());
            for (const Exportable& item : exportables(*window_)) {
                if (item.kind != Exportable::Kind::plot)
                    continue;
                const QString file = folder_.filePath(u"plot%1.svg"_s.arg(++pictures));
                QCOMPARE(exportTo(item, file), QString());
                const QString svg = QString::fromUtf8(contentOf(file));
                static const QRegularExpression group(
                    u"<g [^>]*stroke=\"#000000\" stroke-opacity=\"1\"[^>]*>(.*?)</g>"_s,
                    QRegularExpression::DotMatchesEverythingOption);
                static const QRegularExpression line(u"<(polyline|line|path|polygon|rect) (?![^>]*stroke=\"none\")"_s);
                for (const auto& found : group.globalMatch(svg))
                    QVERIFY2(!found.captured(1).contains(line),
                             qPrintable(screen + u' ' + item.title + u": "_s + found.captured(0).left(600)));
            }
        }
        QVERIFY(pictures > 5);
    }
    void theTimelinesPictureShowsItsSlices() {
        window_->showScreen(MainWindow::timelineScreen);
        QTRY_VERIFY(window_->timeline().isReady());
        window_->timeline().drawNow();
        const QString png = folder_.filePath(u"timeline.png"_s);
        QCOMPARE(exportTo({Exportable::Kind::plot, u"Timeline"_s, &window_->timeline()}, png), QString());
        const QImage image(png);
        QSet<QRgb> colours;
        const QRect lanes = window_->timeline().lanesRect();
        for (int y = lanes.top(); y < lanes.bottom(); y += 3)
            for (int x = lanes.left(); x < lanes.right(); x += 3)
                colours << image.pixel(x * 2, y * 2);
        QVERIFY2(colours.size() > 5, qPrintable(QString::number(colours.size())));
    }
    void ctrlEOffersThemWithTheirFormats() {
        window_->showScreen(MainWindow::overviewScreen);
        window_->commands().action(u"export"_s)->trigger();
        auto* dialog = window_->findChild<ExportDialog*>();
        QVERIFY(dialog != nullptr);
        QCOMPARE(dialog->list().item(0)->text(), u"All metrics of the run"_s);
        QCOMPARE(dialog->format().count(), 1);
        const QList<QListWidgetItem*> plots = dialog->list().findItems(u"Plot: "_s, Qt::MatchStartsWith);
        QVERIFY(!plots.isEmpty());
        dialog->list().setCurrentItem(plots.front());
        QCOMPARE(dialog->format().count(), 3);
        QSignalSpy metrics(dialog, &ExportDialog::metricsWanted);
        dialog->reject();
        QCOMPARE(metrics.size(), 0);
    }
    void contextMenusOfferTheExport() {
        for (const QWidget* widget :
             {static_cast<QWidget*>(&window_->overview().table()), static_cast<QWidget*>(&window_->timeline())}) {
            // The timeline shows its actions itself: below what can be done with a slice, or alone where there is none.
            QCOMPARE(widget->contextMenuPolicy(),
                     widget == &window_->timeline() ? Qt::DefaultContextMenu : Qt::ActionsContextMenu);
            QVERIFY(std::ranges::any_of(widget->actions(),
                                        [](const QAction* action) { return action->text() == u"&Export…"_s; }));
        }
    }

    /// Where the entry is the whole menu, the widget has none of its own.
    void noMenuIsHiddenByTheExport() {
        int asked = 0;
        for (QWidget* widget : window_->findChildren<QWidget*>()) {
            if (exportableAt(widget).widget != widget || widget->contextMenuPolicy() != Qt::ActionsContextMenu)
                continue;
            widget->setContextMenuPolicy(Qt::DefaultContextMenu);
            QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), QPoint());
            static_cast<QObject*>(widget)->event(&event);
            widget->setContextMenuPolicy(Qt::ActionsContextMenu);
            QVERIFY2(!event.isAccepted(), qPrintable(exportableAt(widget).title));
            ++asked;
        }
        QVERIFY(asked > 10);
    }

private:
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
};

RANKSCOPE_GUI_TEST(TestExport)

} // namespace rankscope::export_test

#include "test_export.moc"
