// SPDX-License-Identifier: GPL-3.0-or-later
// The screens of the window. A new one is a line here.
#include "app/screens.h"

#include <QCoreApplication>

#include "core/trace/run.h"
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

std::vector<ScreenEntry> screenEntries() {
    const auto tr = [](const char* text) { return QCoreApplication::translate("Screens", text); };
    return {
        {kOverviewScreen, tr("&Overview"), u"Ctrl+1"_s, tr("Show the overview")},
        {kTimelineScreen, tr("&Timeline"), u"Ctrl+2"_s, tr("Show the timeline")},
        {kCompareScreen, tr("&Compare"), u"Ctrl+3"_s, tr("Show runs side by side")},
        {u"collectives"_s, tr("Co&llectives"), u"Ctrl+4"_s,
         tr("Show every collective call: who was late, how fast it was"), [] { return new CollectivesScreen; }},
        {u"pipeline"_s, tr("&Pipeline"), u"Ctrl+5"_s, tr("Show the stages of a pipeline beside the ideal schedule"),
         [] { return new PipelineScreen; }},
        {u"kernels"_s, tr("&Kernels"), u"Ctrl+6"_s,
         tr("Show kernels and operators: how long, how often, launched by whom"), [] { return new KernelsScreen; }},
        {u"memory"_s, tr("Me&mory"), u"Ctrl+7"_s, tr("Show what the allocator held, and which operators made it"),
         [] { return new MemoryScreen; }},
        {u"workers"_s, tr("&Workers"), u"Ctrl+9"_s, tr("Show which worker or stage slows the job down, on its mesh"),
         [] { return new WorkersScreen; }},
        {u"serving"_s, tr("&Serving"), u"Ctrl+0"_s, tr("Show the steps of a serving engine, and what stalls them"),
         [] { return new ServingScreen; }},
        {u"study"_s,
         tr("St&udy"),
         u"Ctrl+Shift+Y"_s,
         tr("Show any number of runs as one series: metrics over date, world size or any setting"),
         [] { return new StudyScreen; },
         {},
         true},
        {u"hang"_s, tr("&Hang"), u"Ctrl+8"_s, tr("Show which rank did not come, and who waits for whom"),
         [] { return new HangScreen; }, [](const Run& run) { return run.source == TraceSource::flight_recorder; }},
    };
}

} // namespace rankscope
