// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a run in the background.
#include "app/window/load_job.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>

#include "core/remote/remote_run.h"
#include "widgets/language.h"

namespace rankscope {

namespace {
constexpr int kPartIntervalMs = 250;
} // namespace

LoadJob::LoadJob(std::filesystem::path path, LoadOptions options, QObject* parent)
    : QObject(parent), path_(std::move(path)), options_(std::move(options)) {
    partTimer_.setSingleShot(true);
    partTimer_.setInterval(kPartIntervalMs);
    connect(&partTimer_, &QTimer::timeout, this, &LoadJob::tellPart);
}

LoadJob::~LoadJob() = default;

void LoadJob::start() {
    // The object is named in calls that are told only while it is there.
    const auto read = [this, path = path_, options = options_, cancel = cancel_](const JobContext& context) mutable {
        const std::stop_callback stopped(context.stop, [&cancel] { cancel.request_stop(); });
        options.cancel = cancel.get_token();
        options.on_sources = [&](const std::vector<TraceSource>& sources) {
            context.tell([this, sources] { sources_ = sources; });
        };
        options.on_progress = [&](const LoadProgress& progress) {
            context.tell([this, progress] { Q_EMIT progressed(progress); });
        };
        options.on_rank = [&](std::shared_ptr<const RankTrace> rank) {
            context.tell([this, rank = std::move(rank)] { addRank(rank); });
        };
        return open_run(path, options, wishes(context, options.cancel));
    };
    jobs_.run(
        {}, read,
        [this](const Result<std::shared_ptr<const Run>>& result) {
            partTimer_.stop();
            if (result)
                Q_EMIT loaded(*result);
            else
                Q_EMIT failed(result.error());
        },
        [this](const QString& reason) {
            partTimer_.stop();
            Q_EMIT failed({Error::Code::input, "%1: %2"_text(path_.string(), reason.toStdString())});
        });
}

RemoteWishes LoadJob::wishes(const JobContext& context, const std::stop_token& cancel) {
    RemoteWishes wishes;
    wishes.on_stage = [this, tell = context.tell](RemoteWishes::Stage stage) {
        tell([this, stage] { Q_EMIT entered(stage); });
    };
    wishes.on_message = [this, tell = context.tell](const Message& line) {
        tell([this, line] { Q_EMIT told(messageText(line)); });
    };
    wishes.may_install = [this, tell = context.tell, cancel](const Message& question) {
        const auto answer = std::make_shared<std::promise<bool>>();
        std::future<bool> answered = answer->get_future();
        tell([this, question, answer] {
            Q_EMIT installAsked(messageText(question), [answer](bool yes) { answer->set_value(yes); });
        });
        while (answered.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
            if (cancel.stop_requested())
                return false;
        return answered.get();
    };
    return wishes;
}

void LoadJob::cancel() { cancel_.request_stop(); }

void LoadJob::addRank(std::shared_ptr<const RankTrace> rank) {
    const auto place = std::ranges::upper_bound(ranks_, rank->rank, {}, [](const auto& r) { return r->rank; });
    ranks_.insert(place, std::move(rank));
    untold_ = true;
    if (!partTimer_.isActive())
        tellPart();
}

// The first rank is told at once, later ones together.
void LoadJob::tellPart() {
    if (!untold_)
        return;
    untold_ = false;
    partTimer_.start();
    Q_EMIT partlyRead(partialRun());
}

std::shared_ptr<const Run> LoadJob::partialRun() const {
    auto run = std::make_shared<Run>();
    run->name = path_.filename().string();
    run->path = path_;
    run->source = ranks_.front()->source;
    // The table was made for the whole run and is safe to share while the other ranks still add to it.
    run->names = std::const_pointer_cast<StringTable>(ranks_.front()->names);
    run->ranks = ranks_;
    run->span = ranks_.front()->span;
    for (const auto& rank : ranks_) {
        run->world_size = std::max(run->world_size, rank->world_size);
        if (rank->span.empty())
            continue;
        if (run->span.empty())
            run->span = rank->span;
        run->span = {std::min(run->span.begin, rank->span.begin), std::max(run->span.end, rank->span.end)};
    }
    return run;
}

} // namespace rankscope
