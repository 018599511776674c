// SPDX-License-Identifier: GPL-3.0-or-later
// The screens of the window. A new one is a line here.
#include "app/window/screens.h"

#include <algorithm>

#include <QCoreApplication>

#include "core/run/run_analysis.h"
#include "widgets/screens/collectives_screen.h"
#include "widgets/screens/hang_screen.h"
#include "widgets/screens/kernels_screen.h"
#include "widgets/screens/memory_screen.h"
#include "widgets/screens/pipeline_screen.h"
#include "widgets/screens/serving_screen.h"
#include "widgets/screens/study_screen.h"
#include "widgets/screens/workers_screen.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

struct ScreenTexts {
    Q_DECLARE_TR_FUNCTIONS(ScreenTexts)
};

bool hasCalls(const RunAnalysis& analysis) { return !analysis.call_table().whole_calls().empty(); }

bool hasGpuWork(const RunAnalysis& analysis) {
    return std::ranges::any_of(
        analysis.run().ranks, [](const auto& rank) { return rank->events.gpu_count > 0; });
}

/// A recording of hosts only has operators.
bool hasKernelsOrOperators(const RunAnalysis& analysis) {
    return hasGpuWork(analysis) ||
           std::ranges::any_of(
               analysis.run().ranks,
               [](const auto& rank) {
                   return std::ranges::find(rank->events.kind, EventKind::cpu_op) != rank->events.kind.end();
               });
}

bool hasMemory(const RunAnalysis& analysis) {
    return std::ranges::any_of(
        analysis.run().ranks,
        [](const auto& rank) { return !rank->memory_samples.empty() || rank->memory_snapshot != nullptr; });
}

bool hasServedSteps(const RunAnalysis& analysis) {
    return !std::ranges::all_of(analysis.served_steps(), &std::vector<ServedStep>::empty);
}

/// The entry with its has_data.
ScreenEntry filledIf(ScreenEntry entry, std::function<bool(const RunAnalysis&)> has_data) {
    entry.has_data = std::move(has_data);
    return entry;
}

} // namespace

std::vector<ScreenEntry> screenEntries() {
    return {
        {kOverviewScreen, ScreenTexts::tr("&Overview"), u"Ctrl+1"_s, ScreenTexts::tr("Show the overview")},
        {kTimelineScreen, ScreenTexts::tr("&Timeline"), u"Ctrl+2"_s, ScreenTexts::tr("Show the timeline")},
        {kCompareScreen, ScreenTexts::tr("&Compare"), u"Ctrl+3"_s, ScreenTexts::tr("Show runs side by side")},
        filledIf({u"collectives"_s, ScreenTexts::tr("Co&llectives"), u"Ctrl+4"_s,
                  ScreenTexts::tr("Show every collective call: who was late, how fast it was"),
                  [] { return new CollectivesScreen; }},
                 hasCalls),
        filledIf(
            {u"pipeline"_s, ScreenTexts::tr("&Pipeline"), u"Ctrl+5"_s,
             ScreenTexts::tr("Show the stages of a pipeline beside the ideal schedule"),
             [] { return new PipelineScreen; }},
            [](const RunAnalysis& a) { return a.pipeline().unavailable.empty(); }),
        filledIf({u"kernels"_s, ScreenTexts::tr("&Kernels"), u"Ctrl+6"_s,
                  ScreenTexts::tr("Show kernels and operators: how long, how often, launched by whom"),
                  [] { return new KernelsScreen; }},
                 hasKernelsOrOperators),
        filledIf({u"memory"_s, ScreenTexts::tr("Me&mory"), u"Ctrl+7"_s,
                  ScreenTexts::tr("Show what the allocator held, and which operators made it"),
                  [] { return new MemoryScreen; }},
                 hasMemory),
        filledIf(
            {u"workers"_s, ScreenTexts::tr("&Workers"), u"Ctrl+9"_s,
             ScreenTexts::tr("Show which worker or stage slows the job down, on its mesh"),
             [] { return new WorkersScreen; }},
            [](const RunAnalysis& a) { return a.run().ranks.size() > 1 && hasGpuWork(a); }),
        filledIf({u"serving"_s, ScreenTexts::tr("&Serving"), u"Ctrl+0"_s,
                  ScreenTexts::tr("Show the steps of a serving engine, and what stalls them"),
                  [] { return new ServingScreen; }},
                 hasServedSteps),
        {u"study"_s,
         ScreenTexts::tr("St&udy"),
         u"Ctrl+Shift+Y"_s,
         ScreenTexts::tr("Show any number of runs as one series: metrics over date, world size or any setting"),
         [] { return new StudyScreen; },
         {},
         true},
        {u"hang"_s, ScreenTexts::tr("&Hang"), u"Ctrl+8"_s,
         ScreenTexts::tr("Show which rank did not come, and who waits for whom"), [] { return new HangScreen; },
         [](const Run& run) { return run.source == TraceSource::flight_recorder; }},
    };
}

} // namespace rankscope
