// SPDX-License-Identifier: GPL-3.0-or-later
// Runs beyond the memory budget: what is not on screen leaves memory, and comes back from disk when it is looked at.
#include <memory>
#include <set>

#include <QStackedWidget>

#include "app/main_window.h"
#include "app/run_library.h"
#include "core/input/load/trace_cache.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

void MainWindow::watchUnseenRanks() {
    unseen_.setSingleShot(true);
    unseen_.setInterval(2000); // of rest: what is looked at again and again stays
    connect(&unseen_, &QTimer::timeout, this, &MainWindow::releaseUnseenRanks);
    const auto wait = qOverload<>(&QTimer::start);
    connect(this, &MainWindow::runAnalysed, &unseen_, wait);
    connect(timeline_, &TimelineView::arrangementChanged, &unseen_, wait);
    connect(timeline_, &TimelineView::scrolled, &unseen_, wait);
    connect(&view_, &ViewState::runChanged, &unseen_, wait);
    connect(&view_, &ViewState::visibleRangeChanged, &unseen_, wait);
    connect(&view_, &ViewState::rangeChanged, &unseen_, wait);
    connect(&view_, &ViewState::searchHitsChanged, &unseen_, wait);
    connect(pages_, &QStackedWidget::currentChanged, &unseen_, wait);
}

void MainWindow::releaseUnseenRanks() {
    std::set<const RankTrace*> seen;
    for (const TimelineView* timeline : findChildren<TimelineView*>())
        if (timeline->isVisible() && timeline->scene().run)
            for (const int rank : timeline->scene().ranksInView())
                seen.insert(timeline->scene().run->ranks[static_cast<std::size_t>(rank)].get());
    std::vector<std::shared_ptr<const RankTrace>> unseen;
    for (const auto& run : library_->runs())
        for (const auto& rank : run->ranks)
            if (!seen.contains(rank.get()))
                unseen.push_back(rank);
    // Behind the analyses that wait, which read all ranks.
    library_->runAfterAnalyses([unseen = std::move(unseen)] {
        for (const auto& rank : unseen)
            release_cpu_events(*rank);
    });
}

} // namespace rankscope
