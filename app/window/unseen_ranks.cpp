// SPDX-License-Identifier: GPL-3.0-or-later
// Runs beyond the memory budget.
#include "app/window/unseen_ranks.h"

#include <memory>
#include <set>
#include <vector>

#include <QMainWindow>
#include <QStackedWidget>

#include "app/window/run_library.h"
#include "app/window/screen_controller.h"
#include "app/window/window_parts.h"
#include "core/input/load/trace_cache.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

UnseenRanks::UnseenRanks(const WindowParts& parts, const ScreenController& screens, QObject* parent)
    : QObject(parent), parts_(parts) {
    rest_.setSingleShot(true);
    rest_.setInterval(2000); // what is looked at again and again stays
    connect(&rest_, &QTimer::timeout, this, &UnseenRanks::release);
    const auto wait = qOverload<>(&QTimer::start);
    connect(parts.library, &RunLibrary::runAnalysed, &rest_, wait);
    connect(parts.timeline, &TimelineView::arrangementChanged, &rest_, wait);
    connect(parts.timeline, &TimelineView::scrolled, &rest_, wait);
    connect(&parts.view, &ViewState::runChanged, &rest_, wait);
    connect(&parts.view, &ViewState::visibleRangeChanged, &rest_, wait);
    connect(&parts.view, &ViewState::rangeChanged, &rest_, wait);
    connect(&parts.view, &ViewState::searchHitsChanged, &rest_, wait);
    connect(&screens.pages(), &QStackedWidget::currentChanged, &rest_, wait);
}

void UnseenRanks::release() {
    std::set<const RankTrace*> seen;
    for (const TimelineView* timeline : parts_.window->findChildren<TimelineView*>())
        if (timeline->isVisible() && timeline->scene().run)
            for (const int rank : timeline->scene().ranksInView())
                seen.insert(timeline->scene().run->ranks[static_cast<std::size_t>(rank)].get());
    std::vector<std::shared_ptr<const RankTrace>> unseen;
    for (const auto& run : parts_.library->runs())
        for (const auto& rank : run->ranks)
            if (!seen.contains(rank.get()))
                unseen.push_back(rank);
    // Behind the analyses that wait, which read all ranks.
    parts_.library->runAfterAnalyses([unseen = std::move(unseen)] {
        for (const auto& rank : unseen)
            release_cpu_events(*rank);
    });
}

} // namespace rankscope
