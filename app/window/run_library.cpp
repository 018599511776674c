// SPDX-License-Identifier: GPL-3.0-or-later
// The state of every run at hand.
#include "app/window/run_library.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "app/window/load_job.h"
#include "core/remote/remote_run.h"
#include "widgets/panels/capture_key.h"

namespace rankscope {

std::shared_ptr<const AnalysedRun> analysedRun(const std::shared_ptr<const RunAnalysis>& analysis,
                                               const std::stop_token& stop) {
    auto result = std::make_shared<AnalysedRun>();
    result->role = "run";
    result->label = analysis->run().name;
    result->analysis = analysis;
    // And with them the findings and all that is shared: the window's thread finds them ready.
    result->metrics = compute_metrics(*analysis, {}, stop);
    result->notices = analysis->run().notices;
    return result;
}

RunLibrary::RunLibrary(QObject* parent) : QObject(parent) {}
RunLibrary::~RunLibrary() = default;

const LibraryRun& RunLibrary::at(const QString& path) const {
    static const LibraryRun unknown;
    const auto found = entries_.find(path);
    return found == entries_.end() ? unknown : found->second;
}

std::vector<std::shared_ptr<const Run>> RunLibrary::runs() const {
    std::vector<std::shared_ptr<const Run>> all;
    for (const auto& [path, entry] : entries_)
        if (entry.run)
            all.push_back(entry.run);
    return all;
}

const std::vector<TraceSource>& RunLibrary::captures(const QString& path) const {
    static const std::vector<TraceSource> none;
    const auto known = captures_.find(captureOf(path).path);
    return known == captures_.end() ? none : known->second;
}

bool RunLibrary::isBusy() const { return load_ != nullptr || !analysing_.isEmpty() || isFetching(); }

void RunLibrary::setStage(const QString& path, RunStage stage) {
    entries_[path].stage = stage;
    Q_EMIT stageChanged(path);
}

void RunLibrary::want(const QString& shown, const QStringList& others) {
    wanted_.clear();
    for (const QString& path : QStringList(shown) + others)
        if (!path.isEmpty() && !wanted_.contains(path))
            wanted_ << path;
    work();
}

void RunLibrary::retry(const QString& path) {
    const auto found = entries_.find(path);
    if (found == entries_.end())
        return;
    found->second.problem = {};
    if (found->second.stage == RunStage::failed)
        setStage(path, RunStage::listed);
}

void RunLibrary::work() {
    const auto stageOf = [this](const QString& path) { return at(path).stage; };
    // Reading: what is to be shown goes first; of the others none is interrupted for another.
    const auto unread = [&](const QString& path) { return stageOf(path) == RunStage::listed; };
    const bool shownWaits = !wanted_.isEmpty() && unread(wanted_.front());
    if (load_ && (!isWanted(reading_) || shownWaits))
        stopReading();
    if (const auto next = std::ranges::find_if(wanted_, unread); !load_ && next != wanted_.end())
        startReading(QString(*next));
    const auto unanalysed = [&](const QString& path) {
        return stageOf(path) == RunStage::read && at(path).problem.empty();
    };
    const bool wantedWaits = std::ranges::any_of(wanted_, unanalysed);
    const bool shownWaitsToo = wantedWaits && unanalysed(wanted_.front());
    if (!analysing_.isEmpty() && (shownWaitsToo || (wantedWaits && !isWanted(analysing_))))
        stopAnalysis();
    if (!analysing_.isEmpty())
        return;
    QStringList candidates = wanted_;
    for (const auto& [path, entry] : entries_)
        candidates << path;
    if (const auto next = std::ranges::find_if(candidates, unanalysed); next != candidates.end())
        startAnalysis(*next);
}

void RunLibrary::startReading(const QString& path) {
    const CaptureKey capture = captureOf(path);
    LoadOptions how = how_;
    how.mode = capture.source ? mode_for(*capture.source) : ProfileMode::automatic;
    load_ = std::make_unique<LoadJob>(std::filesystem::path(capture.path.toStdString()), std::move(how));
    reading_ = path;
    readingStage_ = RemoteWishes::Stage::reading;
    connect(
        load_.get(), &LoadJob::entered, this,
        [this](RemoteWishes::Stage stage) {
            readingStage_ = stage;
            Q_EMIT stageEntered();
        });
    connect(load_.get(), &LoadJob::told, this, [this](const QString& line) { Q_EMIT connectionTold(reading_, line); });
    connect(load_.get(), &LoadJob::installAsked, this, &RunLibrary::installAsked);
    connect(
        load_.get(), &LoadJob::progressed, this,
        [this](const LoadProgress& progress) { Q_EMIT progressed(reading_, progress); });
    connect(load_.get(), &LoadJob::partlyRead, this,
            [this](const std::shared_ptr<const Run>& run) { Q_EMIT partlyRead(reading_, run); });
    connect(load_.get(), &LoadJob::loaded, this, &RunLibrary::takeRun);
    connect(load_.get(), &LoadJob::failed, this, &RunLibrary::takeFailure);
    load_->start();
    setStage(path, RunStage::reading);
}

void RunLibrary::stopReading() {
    load_.reset();
    setStage(std::exchange(reading_, {}), RunStage::listed);
}

void RunLibrary::cancelReading() {
    if (load_)
        load_->cancel();
}

void RunLibrary::takeRun(std::shared_ptr<const Run> run) {
    const QString path = std::exchange(reading_, {});
    captures_[captureOf(path).path] = load_->sources();
    load_.release()->deleteLater(); // it is the job that calls
    if (captureOf(path).source) {   // beside another capture of the same folder it needs a name of its own
        auto named = std::make_shared<Run>(*run);
        named->name = captureName(path).toStdString();
        run = std::move(named);
    }
    Entry& entry = entries_[path];
    entry.run = std::move(run);
    entry.problem = {};
    setStage(path, RunStage::read);
    Q_EMIT runRead(path);
    work();
}

void RunLibrary::takeFailure(const Error& error) {
    const QString path = std::exchange(reading_, {});
    load_.release()->deleteLater();
    const bool cancelled = error.code == Error::Code::cancelled;
    if (cancelled)
        wanted_.removeAll(path);
    else
        entries_[path].problem = error.message;
    setStage(path, cancelled ? RunStage::listed : RunStage::failed);
    Q_EMIT readingFailed(path, error);
    work();
}

void RunLibrary::startAnalysis(const QString& path) {
    Entry& entry = entries_.at(path);
    if (!entry.begun || entry.revision != revision_ || entry.begun->run_pointer() != entry.run)
        entry.begun = std::make_shared<const RunAnalysis>(entry.run, selection_, Align::automatic, rules_);
    entry.revision = revision_;
    analysing_ = path;
    analysisPart_ = AnalysisPart::timelines;
    analyses_.run(
        {analysisJob},
        [this, path, analyse = analyse_, begun = entry.begun](const JobContext& context) {
            const auto enter = [&](AnalysisPart part) {
                context.tell([this, path, part] {
                    analysisPart_ = part;
                    Q_EMIT analysisPartEntered(path);
                });
            };
            // All that follows needs these, one after the other: computed here, they can be told from each other.
            enter(AnalysisPart::timelines);
            std::ignore = begun->ranks();
            enter(AnalysisPart::collectives);
            if (!context.stop.stop_requested())
                std::ignore = begun->collectives();
            enter(AnalysisPart::stragglers);
            if (!context.stop.stop_requested())
                std::ignore = begun->stragglers();
            enter(AnalysisPart::findings);
            return analyse(begun, context.stop);
        },
        [this, path](std::shared_ptr<const AnalysedRun> analysed) {
            analysing_.clear();
            Entry& done = entries_.at(path);
            done.analysed = std::move(analysed);
            done.begun.reset();
            setStage(path, RunStage::ready);
            Q_EMIT runAnalysed(path);
            work();
        },
        [this, path](const QString& reason) {
            analysing_.clear();
            Entry& failed = entries_.at(path);
            failed.begun.reset();
            failed.problem = reason.toStdString();
            setStage(path, RunStage::read);
            Q_EMIT analysisFailed(path, reason);
            work();
        });
    setStage(path, RunStage::analysing);
}

void RunLibrary::stopAnalysis() {
    analyses_.stop({analysisJob});
    setStage(std::exchange(analysing_, {}), RunStage::read);
}

void RunLibrary::forget(const QString& path) {
    if (path == reading_) {
        load_.reset();
        reading_.clear();
    }
    if (path == analysing_) {
        analyses_.stop({analysisJob});
        analysing_.clear();
    }
    stopFetching(path);
    wanted_.removeAll(path);
    if (entries_.erase(path) > 0)
        Q_EMIT stageChanged(path);
    work();
}

void RunLibrary::setRules(const AnalysisRules& rules) {
    if (rules == rules_)
        return;
    rules_ = rules;
    ++revision_;
    analyses_.stop({analysisJob});
    analysing_.clear();
    QStringList changed;
    for (auto& [path, entry] : entries_) {
        entry.analysed.reset();
        entry.begun.reset();
        if (!entry.run)
            continue;
        entry.problem = {}; // it may be another one by these rules
        entry.stage = RunStage::read;
        changed << path;
    }
    for (const QString& path : changed) // once nothing of the old rules is left
        Q_EMIT stageChanged(path);
    work();
}

void RunLibrary::runAfterAnalyses(std::function<void()> work) {
    analyses_.run(
        {afterJob}, [work = std::move(work)](const std::stop_token&) { work(); }, [] {});
}

bool RunLibrary::fetchFullTrace(const QString& path, int rank) {
    const auto found = entries_.find(path);
    const RankTrace* digest = found == entries_.end() || !found->second.run ? nullptr : found->second.run->rank(rank);
    if (digest == nullptr || !digest->digest || !found->second.fetched.insert(rank).second)
        return false;
    const int slot = ++fetchNumber_;
    found->second.fetching[rank] = slot;
    fetching_.run(
        {slot, nullptr},
        [run = found->second.run, rank, keep = how_.use_cache](const std::stop_token& stop) {
            ReadOptions how;
            how.cancel = stop;
            return open_full_trace(*run->rank(rank), run->names, how, keep);
        },
        [this, path, rank](const Result<std::shared_ptr<const RankTrace>>& trace) { takeFullTrace(path, rank, trace); },
        [this, path, rank](const QString& reason) {
            takeFullTrace(path, rank, tl::unexpected<Error>(Error{Error::Code::input, reason.toStdString()}));
        });
    return true;
}

void RunLibrary::cancelFetching() {
    for (const auto& [path, entry] : entries_)
        stopFetching(path);
}

/// It may be asked for again.
void RunLibrary::stopFetching(const QString& path) {
    const auto found = entries_.find(path);
    if (found == entries_.end())
        return;
    for (const auto& [rank, slot] : std::exchange(found->second.fetching, {})) {
        fetching_.stop({slot, nullptr});
        found->second.fetched.erase(rank);
        Q_EMIT fetchingEnded(path, rank);
    }
}

void RunLibrary::takeFullTrace(const QString& path, int rank, const Result<std::shared_ptr<const RankTrace>>& trace) {
    const auto found = entries_.find(path); // there: forget() stops what it would have fetched
    found->second.fetching.erase(rank);
    Q_EMIT fetchingEnded(path, rank);
    if (!trace)
        return Q_EMIT fetchingFailed(path, trace.error());
    Entry& entry = found->second;
    auto run = std::make_shared<Run>(*entry.run);
    for (auto& known : run->ranks)
        if (known->rank == rank)
            known = *trace;
    note_digests(*run);
    if (path == analysing_)
        stopAnalysis();
    entry.run = std::move(run);
    entry.analysed.reset();
    entry.begun.reset();
    setStage(path, RunStage::read);
    Q_EMIT fullTraceRead(path, rank);
    work();
}

} // namespace rankscope
