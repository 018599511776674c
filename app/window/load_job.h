// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a run in the background; what happens is told in the thread that owns the job.
#pragma once
#include <memory>
#include <stop_token>

#include <QObject>
#include <QTimer>

#include "core/input/load/load_run.h"
#include "core/remote/remote_wishes.h"
#include "widgets/jobs.h"

namespace rankscope {

/// Destroying the job cancels it and does not wait; nothing is told afterwards.
class LoadJob : public QObject {
    Q_OBJECT
public:
    /// Of the options only how to read: jobs, mode, cache, memory.
    LoadJob(std::filesystem::path path, LoadOptions options, QObject* parent = nullptr);
    ~LoadJob() override;

    void start();
    void cancel(); ///< failed() still comes, with Error::Code::cancelled
    /// The kinds of captures that are there, the preferred one first; known when loaded() comes.
    [[nodiscard]] const std::vector<TraceSource>& sources() const { return sources_; }

Q_SIGNALS:
    void progressed(const rankscope::LoadProgress& progress);
    /// The ranks read so far as a run, a few times a second at most. Configuration and missing ranks come with the
    /// whole.
    void partlyRead(std::shared_ptr<const rankscope::Run> run);
    /// Of a run on another machine: what is done now, and what happened to the connection.
    void entered(rankscope::RemoteWishes::Stage stage);
    void told(const QString& line);
    /// Whether the program may be copied there. The job waits for answer to be called, once.
    void installAsked(const QString& question, const std::function<void(bool)>& answer);
    void loaded(std::shared_ptr<const rankscope::Run> run); ///< one of these two comes last
    void failed(const rankscope::Error& error);

private:
    [[nodiscard]] RemoteWishes wishes(const JobContext& context, const std::stop_token& cancel);
    void addRank(std::shared_ptr<const RankTrace> rank);
    void tellPart();
    [[nodiscard]] std::shared_ptr<const Run> partialRun() const;

    std::filesystem::path path_;
    LoadOptions options_;
    std::vector<TraceSource> sources_;
    std::vector<std::shared_ptr<const RankTrace>> ranks_;
    QTimer partTimer_;
    bool untold_ = false; ///< ranks came since the last partlyRead()
    std::stop_source cancel_;
    Jobs jobs_;
};

} // namespace rankscope
