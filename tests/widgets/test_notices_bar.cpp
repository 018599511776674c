// SPDX-License-Identifier: GPL-3.0-or-later
// The notices bar: one quiet line, the list behind it, errors first.
#include <algorithm>

#include <QTest>
#include <QToolButton>

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
        QCOMPARE(bar.line(), u"The end of rank 3 is missing."_s);
        QCOMPARE(bar.entryCount(), 2);
        QVERIFY(!bar.listShown());
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
        QCOMPARE(bar.line(), u"rank3.json is cut"_s);
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
        QCOMPARE(bar.line(), u"One."_s);
    }

    void closingHidesItUntilSomethingNewTurnsUp() {
        NoticesBar bar;
        bar.showError(u"no such folder"_s);
        const auto buttons = bar.findChildren<QToolButton*>();
        const auto close = std::ranges::find(buttons, u"Hide notices"_s, &QWidget::accessibleName);
        QVERIFY(close != buttons.end());
        (*close)->click();
        QVERIFY(bar.isHidden());
        bar.showError(u"another"_s);
        QVERIFY(!bar.isHidden());
    }

    void progressCountsRanksAndBytesAndEstimatesTheRest() {
        const LoadProgress progress{3, 8, 10'000'000, 40'000'000};
        QCOMPARE(loadProgressText(progress, 0), u"3 of 8 ranks, 10.0 MB of 40.0 MB"_s);
        QCOMPARE(loadProgressText(progress, 2000),
                 u"3 of 8 ranks, 10.0 MB of 40.0 MB, 6 s left"_s); // 2 s for a quarter
        QCOMPARE(loadProgressText({8, 8, 40'000'000, 40'000'000}, 8000), u"8 of 8 ranks, 40.0 MB of 40.0 MB"_s);
    }
};

RANKSCOPE_GUI_TEST(TestNoticesBar)

} // namespace rankscope::notices_bar_test

#include "test_notices_bar.moc"
