// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs on one timeline.
#include "widgets/compare/linked_timelines.h"

#include <cmath>

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>

#include "widgets/compare/difference_track.h"
#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/panels/elided_label.h"
#include "widgets/time_text.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {
namespace {

/// The step is cut into as many parts for the difference track: about one for every few pixels of a wide window.
constexpr std::size_t kPhases = 200;

QString sideName(CompareSide side) {
    return side == CompareSide::baseline ? QCoreApplication::translate("rankscope::LinkedTimelines", "baseline")
                                         : QCoreApplication::translate("rankscope::LinkedTimelines", "test");
}

} // namespace

LinkedTimelines::LinkedTimelines(QWidget* parent)
    : QWidget(parent), link_(&baselineView_, &testView_), layoutChoice_(new QComboBox(this)),
      linkSwitch_(new QCheckBox(tr("&Linked"), this)), pairText_(new ElidedLabel(this)),
      baselineTitle_(new QLabel(this)), testTitle_(new QLabel(this)), baseline_(new TimelineView(&baselineView_, this)),
      test_(new TimelineView(&testView_, this)), difference_(new DifferenceTrack(&link_, this)),
      lanes_(new LaneLink(baseline_, test_, this)) {
    layoutChoice_->addItem(tr("Steps start together, same scale"), static_cast<int>(StepLayout::absolute));
    layoutChoice_->addItem(tr("Steps stretched to equal length"), static_cast<int>(StepLayout::stretched));
    layoutChoice_->setAccessibleName(tr("How the two runs are aligned"));
    layoutChoice_->setToolTip(
        tr("Steps of the same number lie above each other. At the same scale the longer step is wider; "
           "stretched, the same share of both steps stands at the same place."));
    linkSwitch_->setChecked(true);
    linkSwitch_->setToolTip(tr("Zoom and scroll one timeline, and the other follows"));
    pairText_->setTextFormat(Qt::PlainText);
    pairText_->setAccessibleName(tr("Selected slice and its counterpart"));
    // One explanation of the colours is enough, and without marks of an analysis there is nothing to switch.
    baseline_->setLegendRows(false, false);
    test_->setLegendRows(true, false);
    baseline_->setAccessibleName(tr("Timeline of the baseline"));
    test_->setAccessibleName(tr("Timeline of the test"));
    for (QLabel* title : {baselineTitle_, testTitle_})
        title->setTextFormat(Qt::PlainText);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->addWidget(layoutChoice_);
    bar->addSpacing(8);
    bar->addWidget(linkSwitch_);
    bar->addWidget(pairText_, 1);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(titled(baselineTitle_, baseline_));
    splitter->addWidget(difference_);
    splitter->addWidget(titled(testTitle_, test_));
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(2, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(bar);
    all->addWidget(splitter, 1);

    connect(layoutChoice_, &QComboBox::currentIndexChanged, this,
            [this] { link_.setLayout(static_cast<StepLayout>(layoutChoice_->currentData().toInt())); });
    connect(linkSwitch_, &QCheckBox::toggled, this, [this](bool linked) {
        link_.setLinked(linked);
        lanes_->setLinked(linked);
    });
    connect(&link_, &RunLink::slicePairChanged, this, &LinkedTimelines::showSlicePair);
    connect(&link_, &RunLink::layoutChanged, this, &LinkedTimelines::showTitles);
    connect(&baselineView_, &ViewState::visibleRangeChanged, this, &LinkedTimelines::showTitles);
    baseline_->installEventFilter(this);
    showSlicePair();
}

QWidget* LinkedTimelines::titled(QLabel* title, TimelineView* timeline) {
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    title->setContentsMargins(8, 2, 8, 2);
    layout->addWidget(title);
    layout->addWidget(timeline, 1);
    return page;
}

void LinkedTimelines::setRuns(std::shared_ptr<const RunAnalysis> baseline, std::shared_ptr<const RunAnalysis> test) {
    baselineRun_ = std::move(baseline);
    testRun_ = std::move(test);
    difference_->setProfiles({}, {});
    lanes_->setPairs({}, {});
    link_.setRuns(baselineRun_, testRun_);
    showTitles();
    placeDifference();
    computeProfiles();
}

void LinkedTimelines::showEvidence(CompareSide side, int rank, TimeRange range) {
    const TimeNs margin = std::max<TimeNs>(range.length() / 4, 10'000);
    link_.view(side)->jumpTo({range.begin - margin, range.end + margin});
    if (link_.view(side)->trace(rank) != nullptr)
        timeline(side).reveal({rank, 0});
}

void LinkedTimelines::computeProfiles() {
    profiling_.stop();
    if (!link_.alignment())
        return;
    struct Profiles {
        StepProfile baseline, test;
        LanePairs fromBaseline, fromTest;
    };
    profiling_.run(
        {},
        [baseline = baselineRun_, test = testRun_, alignment = link_.alignment()](const std::stop_token& stop) {
            std::vector<RunStep> before;
            std::vector<RunStep> after;
            for (const StepPair& pair : alignment->pairs()) {
                before.push_back(pair.baseline);
                after.push_back(pair.test);
            }
            Profiles found;
            found.baseline = step_profile(*baseline, before, kPhases);
            if (stop.stop_requested())
                return found;
            found.test = step_profile(*test, after, kPhases);
            found.fromBaseline = lanePairs(*baseline, *test);
            found.fromTest = lanePairs(*test, *baseline);
            return found;
        },
        [this](const Profiles& found) {
            lanes_->setPairs(found.fromBaseline, found.fromTest);
            difference_->setProfiles(found.baseline, found.test);
            placeDifference();
            Q_EMIT profilesReady();
        });
}

void LinkedTimelines::showTitles() {
    const auto title = [this](CompareSide side, const std::shared_ptr<const RunAnalysis>& analysis) -> QString {
        if (!analysis)
            return {};
        QString line = tr("%1: %2").arg(sideName(side), QString::fromUtf8(analysis->run().name));
        if (!link_.alignment() || link_.alignment()->pairs().empty())
            return line + tr(" \u00b7 no steps: aligned at the start");
        const TimeRange visible = baselineView_.visibleRange();
        const TimeNs middle = visible.begin + visible.length() / 2;
        const StepPair* at = nullptr;
        for (const StepPair& pair : link_.alignment()->pairs())
            if (at == nullptr || pair.baseline.range.begin <= middle)
                at = &pair;
        const RunStep& step = side == CompareSide::baseline ? at->baseline : at->test;
        return line + tr(" \u00b7 step %1").arg(step.number); // how long it takes, the Changes tab tells
    };
    baselineTitle_->setText(title(CompareSide::baseline, baselineRun_));
    testTitle_->setText(title(CompareSide::test, testRun_));
}

void LinkedTimelines::showSlicePair() {
    const auto& pair = link_.slicePair();
    if (!pair) {
        pairText_->setText(tr("Select a slice to find its counterpart in the other run"));
        return;
    }
    const auto durationOf = [this](CompareSide side, const EventRef& ref) {
        return link_.view(side)->trace(ref.rank)->events.duration[ref.event];
    };
    const CompareSide side = pair->selectedIn;
    const RankTrace* trace = link_.view(side)->trace(pair->selected.rank);
    const QString name = QString::fromUtf8(trace->event_name(pair->selected.event)).simplified();
    const TimeNs own = durationOf(side, pair->selected);
    if (!pair->found) {
        pairText_->setText(tr("%1 in the %2, no counterpart in the %3: %4")
                               .arg(durationText(own), sideName(side), sideName(otherSide(side)), name));
        return;
    }
    const TimeNs other = durationOf(otherSide(side), pair->counterpart);
    const TimeNs before = side == CompareSide::baseline ? own : other;
    const TimeNs after = side == CompareSide::baseline ? other : own;
    const QString change =
        before == 0
            ? QString()
            : QStringLiteral(" (%1%2 %)")
                  .arg(after < before ? QStringLiteral("\u2212") : QStringLiteral("+"))
                  .arg(decimal(QString::number(
                      std::abs(100.0 * static_cast<double>(after - before) / static_cast<double>(before)), 'f', 1)));
    const QString how =
        pair->found->by == CounterpartBy::path
            ? tr("%1 of %2 below the same operators").arg(pair->found->occurrence + 1).arg(pair->found->total)
            : tr("%1 of %2 of this name, other operators above it")
                  .arg(pair->found->occurrence + 1)
                  .arg(pair->found->total);
    pairText_->setText(
        tr("%1 \u2192 %2%3 \u00b7 %4 \u00b7 %5").arg(durationText(before), durationText(after), change, how, name));
}

void LinkedTimelines::placeDifference() {
    const QRect lanes = baseline_->lanesRect();
    const int left = baseline_->mapTo(this, lanes.topLeft()).x() - difference_->mapTo(this, QPoint()).x();
    difference_->setLanes(left, left + lanes.width());
}

bool LinkedTimelines::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show)
        QMetaObject::invokeMethod(this, &LinkedTimelines::placeDifference, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

void LinkedTimelines::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeDifference();
}

} // namespace rankscope
