// SPDX-License-Identifier: GPL-3.0-or-later
// The notices bar: one quiet line, the list behind it, errors first.
#include <algorithm>

#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include "core/base/notice_kinds.h"
#include "tests/support/test_program.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/notices_bar.h"

namespace rankscope::notices_bar_test {
using namespace Qt::Literals::StringLiterals;

class TestNoticesBar : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isNotThereWhenThereIsNothingToSay() {
        NoticesBar bar;
        QVERIFY(bar.isHidden());
        bar.setNotices({});
        QVERIFY(bar.isHidden());
    }

    void saysTheFirstNoticeAndListsAll() {
        NoticesBar bar;
        const Notices notices = {{"truncated_file", "the end of rank 3 is missing"_text, "rank3.json", 1},
                                 {"missing_ranks", "ranks 6 and 7 are missing"_text, "", 2}};
        bar.setNotices(notices);
        QVERIFY(!bar.isHidden());
        QVERIFY2(bar.line().startsWith(u"The end of rank 3 is missing (rank3.json). "_s), qPrintable(bar.line()));
        QCOMPARE(bar.entryCount(), 2);
        QVERIFY(!bar.listShown());
    }

    void whatToDoIsOnTheLineAndBelowEachNotice() {
        NoticesBar bar;
        const Notices notices = {{"truncated_file", "%1 is cut"_text("rank3.json"), "rank3.json", 1},
                                 {"missing_ranks", "ranks 6 and 7 are missing"_text, "", 2}};
        bar.setNotices(notices);
        const auto advice = [&](std::size_t notice) {
            return QString::fromUtf8(notices[notice].code.kind().what_to_do);
        };
        QVERIFY(!advice(0).isEmpty() && !advice(1).isEmpty());
        QCOMPARE(bar.line(), u"rank3.json is cut. "_s + advice(0));
        bar.setListShown(true);
        const auto* list = bar.findChild<QTreeWidget*>();
        QCOMPARE(list->topLevelItemCount(), 2);
        for (int notice = 0; notice < 2; ++notice) {
            const QTreeWidgetItem* entry = list->topLevelItem(notice);
            QVERIFY(entry->isExpanded());
            QCOMPARE(entry->child(0)->text(0), u"What to do: "_s + advice(static_cast<std::size_t>(notice)));
        }
        for (const NoticeKind& kind : kNoticeKinds)
            QVERIFY2(!kind.what_to_do.starts_with("Nothing"), kind.code.data()); // such a notice is none
    }

    /// The line had neither file nor rank nor count, and the list a line for each file.
    void theLineNamesFilesRanksAndCounts_data() {
        QTest::addColumn<std::vector<std::int64_t>>("counts"); // of the files of ranks 1, 4, 7 ...
        QTest::addColumn<QString>("place");
        QTest::newRow("one") << std::vector<std::int64_t>{1} << u"rank 1 · trace1.json"_s;
        QTest::newRow("one, repeated") << std::vector<std::int64_t>{7} << u"rank 1 · trace1.json · 7 times"_s;
        QTest::newRow("two files") << std::vector<std::int64_t>{1, 1} << u"ranks 1, 4 · 2 files"_s;
        QTest::newRow("three") << std::vector<std::int64_t>{1, 10, 2} << u"ranks 1, 4, 7 · 3 files · 13 times"_s;
        QTest::newRow("many") << std::vector<std::int64_t>(9, 1) << u"9 ranks · 9 files"_s;
    }
    void theLineNamesFilesRanksAndCounts() {
        QFETCH(const std::vector<std::int64_t>, counts);
        QFETCH(const QString, place);
        Notices notices;
        NoticeRanks ranks;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const int rank = 1 + 3 * static_cast<int>(i);
            notices.push_back({"negative_durations", "events with a negative duration count as instants"_text,
                               "/runs/a/trace" + std::to_string(rank) + ".json", counts[i]});
            ranks[{"negative_durations", notices.back().file}] = {rank};
        }
        NoticesBar bar;
        bar.setNotices(notices, ranks);
        const QString advice = QString::fromUtf8(notices.front().code.kind().what_to_do);
        QCOMPARE(bar.line(), u"Events with a negative duration count as instants (%1). %2"_s.arg(place, advice));
        QCOMPARE(bar.entryCount(), 1);
        bar.resize(800, 40);
        bar.show();
        QTest::mouseClick(&bar, Qt::LeftButton, {}, QPoint(80, 8));
        const QTreeWidgetItem* entry = bar.findChild<QTreeWidget*>()->topLevelItem(0);
        const int files = static_cast<int>(counts.size() > 1 ? counts.size() : 0);
        QCOMPARE(entry->childCount(), 1 + files); // what to do, and each file
        for (int file = 0; file < files; ++file)
            QCOMPARE(entry->child(1 + file)->text(1), u"rank %1 · trace%1.json"_s.arg(1 + 3 * file));
    }
    /// "1625 of 1633 are joined" is right for the first file only.
    void whatDiffersBetweenFilesIsInTheListOnly() {
        NoticesBar bar;
        const Notices notices = {{"execution_trace_by_order", "%1 of %2 are joined"_text(3, 9), "a.json", 1},
                                 {"execution_trace_by_order", "%1 of %2 are joined"_text(5, 9), "b.json", 1}};
        bar.setNotices(notices);
        QVERIFY2(bar.line().startsWith(u"The execution trace numbers its operators otherwise than the trace; they "
                                       "were joined by thread, order and name (2 files). "_s),
                 qPrintable(bar.line()));
        const QTreeWidgetItem* entry = bar.findChild<QTreeWidget*>()->topLevelItem(0);
        QCOMPARE(entry->child(1)->text(0), u"3 of 9 are joined"_s);
        QCOMPARE(entry->child(2)->text(0), u"5 of 9 are joined"_s);
    }

    void aClickOnTheLineShowsTheListAndAnotherHidesIt() {
        NoticesBar bar;
        const Notices notices = {{"no_times", "one"_text, "", 1}, {"digests", "two"_text, "", 1}};
        bar.setNotices(notices);
        bar.resize(600, bar.sizeHint().height());
        bar.show();
        QTest::mouseClick(&bar, Qt::LeftButton, {}, QPoint(80, 8));
        QVERIFY(bar.listShown());
        QTest::mouseClick(&bar, Qt::LeftButton, {}, QPoint(80, 8));
        QVERIFY(!bar.listShown());
    }

    void aNoticeIsASentenceButNamesKeepTheirLetters() {
        NoticesBar bar;
        const Notices notices = {{"truncated_file", "%1 is cut"_text("rank3.json"), "", 1}};
        bar.setNotices(notices);
        QVERIFY2(bar.line().startsWith(u"rank3.json is cut. "_s), qPrintable(bar.line()));
    }

    void noticesOfComparedRunsTakeTheirPlaceAndGiveItBack() {
        NoticesBar bar;
        bar.resize(600, 40);
        const Notices ofRun = {{"no_times", "one"_text, "", 1}};
        bar.setNotices(ofRun);
        const QString line = bar.line();
        const std::vector<Notice> compared = {
            {"missing_ranks", "%1: %2"_text("healthy", "rank 6 is missing"_text), "", 1},
            {"missing_ranks", "%1: %2"_text("slow", "rank 7 is missing"_text), "", 1}};
        bar.setComparedNotices(compared);
        QVERIFY2(bar.line().startsWith(u"healthy: rank 6 is missing. "_s), qPrintable(bar.line()));
        QCOMPARE(bar.entryCount(), 2);
        for (auto* button : bar.findChildren<QToolButton*>())
            if (button->accessibleName() == "Hide notices"_L1)
                QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(bar.isHidden());
        QVERIFY(bar.hiddenNotices().empty()); // those of the run are not
        bar.setComparedNotices({});
        QCOMPARE(bar.line(), line);
        QVERIFY(!bar.isHidden());
        bar.setComparedNotices(compared);
        QCOMPARE(bar.entryCount(), 2);
    }

    void anErrorComesBeforeNoticesAndIsNotRepeated() {
        NoticesBar bar;
        const Notices notices = {{"no_times", "one"_text, "", 1}};
        bar.setNotices(notices);
        bar.showError(u"no such folder"_s);
        bar.showError(u"no such folder"_s);
        QCOMPARE(bar.line(), u"no such folder"_s);
        QCOMPARE(bar.entryCount(), 2);
        bar.clearErrors();
        QVERIFY2(bar.line().startsWith(u"One. "_s), qPrintable(bar.line()));
    }

    void closingHidesItUntilSomethingNewTurnsUp() {
        NoticesBar bar;
        bar.showError(u"no such folder"_s);
        close(bar);
        QVERIFY(bar.isHidden());
        bar.showError(u"another"_s);
        QVERIFY(!bar.isHidden());
    }

    void hiddenNoticesComeBackInAnotherNumberOnly() {
        NoticesBar bar;
        const Notice cut{"truncated_file", "%1 is cut"_text("rank3.json"), "rank3.json", 1};
        const Notice missing{"missing_ranks", "ranks 6 and 7 are missing"_text, "", 2};
        bar.setNotices(Notices{cut});
        bar.show();
        close(bar);
        QVERIFY(bar.isHidden());
        bar.setNotices(Notices{cut}); // the same run, read again
        QVERIFY(bar.isHidden());
        bar.setNotices(Notices{cut, missing});
        QCOMPARE(bar.entryCount(), 1); // the other kind alone
        QVERIFY2(bar.line().startsWith(u"Ranks 6 and 7"_s), qPrintable(bar.line()));
        close(bar);
        bar.setNotices(Notices{cut, {"truncated_file", "%1 is cut"_text("rank4.json"), "rank4.json", 1}, missing});
        QCOMPARE(bar.entryCount(), 1); // two files are cut now
        QVERIFY2(bar.line().contains(u"(2 files)"_s), qPrintable(bar.line()));
        bar.setHiddenNotices({});
        QCOMPARE(bar.entryCount(), 2);
    }

    void progressCountsRanksAndBytesAndEstimatesTheRest() {
        const LoadProgress progress{3, 8, 10'000'000, 40'000'000};
        QCOMPARE(loadProgressText(progress, 0), u"3 of 8 ranks, 10.0 MB of 40.0 MB"_s);
        QCOMPARE(loadProgressText(progress, 2000),
                 u"3 of 8 ranks, 10.0 MB of 40.0 MB, 5.0 MB/s, 6 s left"_s); // 2 s for a quarter
        QCOMPARE(loadProgressText({8, 8, 40'000'000, 40'000'000}, 8000), u"8 of 8 ranks, 40.0 MB of 40.0 MB"_s);
    }

    void timeLeftIsOnlyToldWhereItCanBeEstimated() {
        QCOMPARE(timeLeftText(0, 20, 60'000), QString());
        QCOMPARE(timeLeftText(1, 20, 100), QString());
        QCOMPARE(timeLeftText(20, 20, 60'000), QString());
        QCOMPARE(timeLeftText(5, 20, 10'000), u"30 s left"_s);
        QCOMPARE(timeLeftText(2, 20, 60'000), u"9 min left"_s);
    }

    void anAnalysisSaysThePartItIsAt() {
        LoadBar bar;
        bar.start(u"Analysing run"_s);
        bar.setCancellable(false);
        bar.setPart(u"matching collectives"_s, 2, 4);
        QCOMPARE(bar.text(), u"Analysing run: matching collectives, 2 of 4"_s);
        QVERIFY(bar.findChild<QPushButton*>()->isHidden());
        bar.start(u"Reading run"_s);
        QVERIFY(!bar.findChild<QPushButton*>()->isHidden());
    }

private:
    static void close(NoticesBar& bar) {
        const auto buttons = bar.findChildren<QToolButton*>();
        const auto close = std::ranges::find(buttons, u"Hide notices"_s, &QWidget::accessibleName);
        QVERIFY(close != buttons.end());
        QTest::mouseClick(*close, Qt::LeftButton);
    }
};

RANKSCOPE_GUI_TEST(TestNoticesBar)

} // namespace rankscope::notices_bar_test

#include "test_notices_bar.moc"
