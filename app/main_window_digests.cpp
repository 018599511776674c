// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of digests: the full trace of a rank is fetched when its threads are opened.
#include "app/main_window.h"

#include <memory>

#include "core/input/load/load_run.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/overview.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

void MainWindow::fetchOpenedRanks() {
    const auto& run = view_.run();
    if (!run || run != (open_.contains(current_) ? open_.at(current_).run : nullptr))
        return;
    // Of a digest the streams are whole. What the user opens beyond them is what it leaves out.
    for (const LaneHeader& header : timeline_->scene().layout.headers) {
        const bool threads = header.group == LaneGroup::threads && header.lane < 0 && header.foldable && header.open;
        const auto& trace = run->ranks[static_cast<std::size_t>(header.rankIndex)];
        if (threads && trace->digest)
            fetchFullTrace(trace->rank);
    }
}

void MainWindow::fetchFullTrace(int rank) {
    const auto run = view_.run();
    const RankTrace* digest = run ? run->rank(rank) : nullptr;
    if (digest == nullptr || !digest->digest || !fetched_.insert({current_, rank}).second)
        return;
    ++fetches_;
    if (!load_)
        loadBar_->start(tr("Reading the full trace of rank %1").arg(rank));
    ReadOptions how;
    how.cancel = stopFetching_.get_token();
    fetching_.add([this, path = current_, run, rank, how] {
        auto trace = read_full_trace(*run->rank(rank), run->names, how);
        QMetaObject::invokeMethod(
            this, [this, path, rank, trace = std::move(trace)] { takeFullTrace(path, rank, trace); },
            Qt::QueuedConnection);
    });
}

void MainWindow::cancelFetching() {
    stopFetching_.request_stop();
    stopFetching_ = {};
}

void MainWindow::takeFullTrace(const QString& path, int rank, const Result<std::shared_ptr<const RankTrace>>& trace) {
    if (--fetches_ == 0 && !load_)
        loadBar_->stop();
    if (!trace) {
        if (trace.error().code != Error::Code::cancelled)
            return fail(QString::fromStdString(trace.error().message));
        fetched_.erase({path, rank}); // to be asked for again
        return;
    }
    const auto open = open_.find(path);
    if (open == open_.end())
        return; // closed meanwhile
    auto run = std::make_shared<Run>(*open->second.run);
    for (auto& known : run->ranks)
        if (known->rank == rank)
            known = *trace;
    note_digests(*run);
    open->second = {run, nullptr};
    if (path != current_)
        return;
    // Work on the GPU keeps its place among the events; the others move.
    const auto selected = view_.selection();
    if (selected && selected->rank == rank && selected->event >= (*trace)->events.gpu_count)
        view_.select({});
    view_.setRun(run);
    notices_->setNotices(noticesOf(*run));
    showHeader(*run);
    analyseShown();
}

} // namespace rankscope
