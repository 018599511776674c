// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of digests: the full trace of a rank is fetched when its threads are opened.
#include "app/main_window.h"

#include <memory>

#include "app/run_library.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

void MainWindow::fetchOpenedRanks() {
    const auto& run = view_.run();
    if (!run || run != library_->at(current_).run)
        return;
    // Of a digest the streams are whole. What the user opens beyond them is what it leaves out.
    for (const LaneHeader& header : timeline_->scene().layout.headers) {
        const bool threads = header.group == LaneGroup::threads && header.lane < 0 && header.foldable && header.open;
        const auto& trace = run->ranks[static_cast<std::size_t>(header.rankIndex)];
        if (!threads || !trace->digest || !library_->fetchFullTrace(current_, trace->rank))
            continue;
        fetchingWords_ = tr("Reading the full trace of rank %1").arg(trace->rank);
        showProgress();
    }
}

void MainWindow::takeFullTrace(const QString& path, int rank) {
    if (path != current_)
        return;
    const std::shared_ptr<const Run>& run = library_->at(path).run;
    // Work on the GPU keeps its place among the events; the others move.
    const auto selected = view_.selection();
    if (selected && selected->rank == rank && selected->event >= run->rank(rank)->events.gpu_count)
        view_.select({});
    view_.setRun(run);
    notices_->setNotices(noticesOf(*run));
    showHeader(*run);
    showWaiting();
    if (!view_.usedRanges().empty())
        takeUsedRange(); // of the run as it is now
}

} // namespace rankscope
