// SPDX-License-Identifier: GPL-3.0-or-later
// The state of every run at hand: listed, read, analysed, or why not. Loading a run does not show it.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include <QObject>
#include <QStringList>

#include "core/compare/analysed_run.h"
#include "core/input/load/load_run.h"
#include "core/remote/remote_wishes.h"
#include "widgets/jobs.h"

namespace rankscope {

class LoadJob;

enum class RunStage { listed, reading, read, analysing, ready, failed };

/// What an analysis is at, in this order; the last takes findings and metrics side by side.
enum class AnalysisPart { timelines, collectives, stragglers, findings };
inline constexpr int kAnalysisParts = static_cast<int>(AnalysisPart::findings) + 1;

/// What is known of one run.
struct LibraryRun {
    RunStage stage = RunStage::listed;
    std::shared_ptr<const Run> run;              ///< from `read` on
    std::shared_ptr<const AnalysedRun> analysed; ///< in `ready`; made by the rules of `revision`
    int revision = 0;
    Message problem; ///< why it could not be read (`failed`) or analysed (`read`); one line
};

/// The analysis of a run and all its metrics. Stopped: incomplete.
std::shared_ptr<const AnalysedRun> analysedRun(const std::shared_ptr<const RunAnalysis>& analysis,
                                               const std::stop_token& stop = {});

/// Whoever uses it says which runs it wants. The library reads these, one after the other, and analyses them, and then
/// the others it has read. It stops reading what nobody wants any more. No widgets. Runs are named by their path or
/// capture key (widgets/panels/capture_key.h).
class RunLibrary : public QObject {
    Q_OBJECT
public:
    using Analyse = std::function<std::shared_ptr<const AnalysedRun>(const std::shared_ptr<const RunAnalysis>&,
                                                                     const std::stop_token&)>;

    explicit RunLibrary(QObject* parent = nullptr);
    ~RunLibrary() override;

    /// How to read from now on: jobs, cache, memory.
    void setReading(const LoadOptions& how) { how_ = how; }
    /// The part of every run that is analysed; for runs not analysed yet.
    void setSelection(const Selection& selection) { selection_ = selection; }
    void setAnalyse(Analyse analyse) { analyse_ = std::move(analyse); } ///< in place of analysedRun()

    /// The runs wanted from now on. `shown` comes before the others: reading one of those is put off for it. A run that
    /// failed is not tried again until retry().
    void want(const QString& shown, const QStringList& others = {});
    void retry(const QString& path); ///< what failed may be tried once more
    void cancelReading();            ///< failed() tells, with Error::Code::cancelled; nobody wants the run any more
    void forget(const QString& path);
    /// Analyses made so far hold no longer where these are other rules. The wanted runs are analysed again.
    void setRules(const AnalysisRules& rules);
    [[nodiscard]] const AnalysisRules& rules() const { return rules_; }
    [[nodiscard]] int revision() const { return revision_; }

    /// Reads the whole trace of a rank that is there as a digest; once, until the run is forgotten. False: it is not a
    /// digest, or asked for already.
    bool fetchFullTrace(const QString& path, int rank);
    void cancelFetching();
    [[nodiscard]] bool isFetching() const { return fetching_.isBusy(); }

    [[nodiscard]] const LibraryRun& at(const QString& path) const;      ///< of an unknown run: listed
    [[nodiscard]] std::vector<std::shared_ptr<const Run>> runs() const; ///< all that were read
    [[nodiscard]] QString reading() const { return reading_; }          ///< empty: none
    [[nodiscard]] RemoteWishes::Stage readingStage() const { return readingStage_; }
    [[nodiscard]] QString analysing() const { return analysing_; } ///< empty: none
    [[nodiscard]] AnalysisPart analysisPart() const { return analysisPart_; }
    /// Of the folder of this run, the preferred one first; empty until it was read.
    [[nodiscard]] const std::vector<TraceSource>& captures(const QString& path) const;
    [[nodiscard]] bool isBusy() const;
    /// Runs work when the analyses that wait are done, which read all ranks.
    void runAfterAnalyses(std::function<void()> work);

Q_SIGNALS:
    void stageChanged(const QString& path); ///< before the signals below
    void progressed(const QString& path, const rankscope::LoadProgress& progress);
    void stageEntered();                           ///< readingStage() of a run on another machine
    void analysisPartEntered(const QString& path); ///< analysisPart() of the run that is analysed
    void connectionTold(const QString& path, const QString& line);
    /// As LoadJob::installAsked().
    void installAsked(const QString& question, const std::function<void(bool)>& answer);
    void partlyRead(const QString& path, std::shared_ptr<const rankscope::Run> run);
    void runRead(const QString& path);
    void runAnalysed(const QString& path);
    void readingFailed(const QString& path, const rankscope::Error& error);
    void analysisFailed(const QString& path, const QString& reason);
    void fetchingEnded(const QString& path, int rank); ///< before the two below, and when it was cancelled
    void fullTraceRead(const QString& path, int rank); ///< the run is another one now, and read, not analysed
    void fetchingFailed(const QString& path, const rankscope::Error& error);

private:
    enum Job { analysisJob, afterJob };
    struct Entry : LibraryRun {
        std::shared_ptr<const RunAnalysis> begun; ///< of `revision`: what was computed before a stop is kept
        std::set<int> fetched;                    ///< ranks whose full trace was asked for
        std::map<int, int> fetching;              ///< of these the ones not there yet, with their slots
    };

    void work(); ///< starts what is wanted, stops what is not
    void startReading(const QString& path);
    void stopReading(); ///< what is read is listed again
    void takeRun(std::shared_ptr<const Run> run);
    void takeFailure(const Error& error);
    void startAnalysis(const QString& path);
    void stopAnalysis();
    void stopFetching(const QString& path);
    void takeFullTrace(const QString& path, int rank, const Result<std::shared_ptr<const RankTrace>>& trace);
    void setStage(const QString& path, RunStage stage);
    [[nodiscard]] bool isWanted(const QString& path) const { return wanted_.contains(path); }

    LoadOptions how_;
    Selection selection_;
    AnalysisRules rules_;
    Analyse analyse_ = &analysedRun;
    std::map<QString, Entry> entries_;
    std::map<QString, std::vector<TraceSource>> captures_; ///< by path of the folder
    QStringList wanted_;                                   ///< the one to be shown first
    int revision_ = 1;
    std::unique_ptr<LoadJob> load_;
    QString reading_;
    RemoteWishes::Stage readingStage_ = RemoteWishes::Stage::reading;
    QString analysing_;
    AnalysisPart analysisPart_ = AnalysisPart::timelines;
    int fetchNumber_ = 0;
    Jobs analyses_;
    Jobs fetching_;
};

} // namespace rankscope
