// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a run on a thread of its own.
#include "app/load_job.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

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

// The thread calls back into this object, so it ends first; calls still queued die with the object.
LoadJob::~LoadJob() {
    thread_.request_stop();
    if (thread_.joinable())
        thread_.join();
}

void LoadJob::start() {
    const auto read = [this, path = path_, options = options_](const std::stop_token& stop) mutable {
        const auto here = [this](auto&& call) {
            QMetaObject::invokeMethod(this, std::forward<decltype(call)>(call), Qt::QueuedConnection);
        };
        options.cancel = stop;
        options.on_sources = [&](const std::vector<TraceSource>& sources) {
            here([this, sources] { sources_ = sources; });
        };
        options.on_progress = [&](const LoadProgress& progress) {
            here([this, progress] { Q_EMIT progressed(progress); });
        };
        options.on_rank = [&](std::shared_ptr<const RankTrace> rank) {
            here([this, rank = std::move(rank)] { addRank(rank); });
        };
        here([this, result = load_run(path, options)] {
            partTimer_.stop();
            if (result)
                Q_EMIT loaded(*result);
            else
                Q_EMIT failed(result.error());
        });
    };
    try {
        thread_ = std::jthread(read);
    } catch (const std::system_error& error) {
        const Error reason{Error::Code::input,
                           fmt::format("no thread to read {} with: {}", path_.string(), error.code().message())};
        QMetaObject::invokeMethod(
            this, [this, reason] { Q_EMIT failed(reason); }, Qt::QueuedConnection);
    }
}

void LoadJob::cancel() { thread_.request_stop(); }

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
