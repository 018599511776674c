// SPDX-License-Identifier: GPL-3.0-or-later
// How long one frame of the timeline takes while panning, zooming, scrolling, pointing and selecting, and what plain
// fillRect needs for as many rectangles: rankscope_bench_frame [lanes [millions of events in all ...]], or, with
// overlays and search hits as well, rankscope_bench_frame FOLDER... of runs, such as rankscope_simulate writes. By
// default the runs are made here, in memory: 20 million simulated events would be 8 GB of files, to be written and read
// before the first frame. Beside each wall time stands the processor time of the window's thread and of all threads: on
// a machine that is busy with other things, they say more.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>
#include <random>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include "core/analysis/search/event_query.h"
#include "core/analysis/search/event_search.h"
#include "core/analysis/search/range_statistics.h"
#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"
#include "core/trace/rank_builder.h"
#include "widgets/palette.h"
#include "widgets/timeline/coordinates.h"
#include "widgets/timeline/overlays.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {
namespace {

constexpr QSize kScreen(1920, 1080);
constexpr int kLanesPerRank = 4;
constexpr int kFrames = 500;

/// Kernels of 0.5 to 40 us with gaps, in bursts, a tenth of them collectives: like a training step, many times.
std::shared_ptr<const RankTrace> busyRank(int rank, std::size_t events, const std::shared_ptr<StringTable>& names) {
    std::mt19937_64 random(static_cast<std::uint64_t>(rank) + 1);
    RankBuilder builder(names);
    builder.trace().rank = rank;
    builder.trace().names = names;
    std::vector<NameId> compute;
    for (int i = 0; i < 40; ++i)
        compute.push_back(names->intern("void at::native::elementwise_kernel_" + std::to_string(i) + "<128, 4>(int)"));
    const NameId collective = names->intern("ncclDevKernel_AllReduce_Sum_bf16_RING_LL");
    std::uniform_int_distribution<TimeNs> durations(500, 40'000);
    std::uniform_int_distribution<TimeNs> gaps(0, 4'000);
    std::uint32_t ordinal = 0;
    for (int lane = 0; lane < kLanesPerRank; ++lane) {
        const TrackId track = builder.track("0", std::to_string(lane), 0, lane);
        TimeNs now = 1'700'000'000'000'000'000;
        for (std::size_t i = 0; i < events / kLanesPerRank; ++i) {
            RawEvent event;
            event.start = now;
            event.duration = durations(random);
            event.kind = i % 37 == 0 ? EventKind::memcpy : EventKind::kernel;
            event.name = i % 10 == 0 ? collective : compute[i % compute.size()];
            event.track = track;
            event.ordinal = ordinal++;
            builder.add(event);
            now += event.duration + gaps(random) + (i % 500 == 0 ? 2'000'000 : 0);
        }
    }
    return builder.finish();
}

std::shared_ptr<const Run> busyRun(int lanes, std::size_t events) {
    auto run = std::make_shared<Run>();
    run->names = std::make_shared<StringTable>();
    const int ranks = lanes / kLanesPerRank;
    for (int rank = 0; rank < ranks; ++rank)
        run->ranks.push_back(busyRank(rank, events / static_cast<std::size_t>(ranks), run->names));
    run->span = run->ranks.front()->span;
    for (const auto& rank : run->ranks)
        run->span = {std::min(run->span.begin, rank->span.begin), std::max(run->span.end, rank->span.end)};
    return run;
}

double cpuMs(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Times {
    std::vector<double> wall;
    std::vector<double> thread; ///< of the window's thread alone
    double all = 0;             ///< of all threads, sum of the frames
    std::size_t rects = 0;

    template <typename Frame>
    void measure(Frame frame) {
        QElapsedTimer clock;
        clock.start();
        const double begin = cpuMs(CLOCK_THREAD_CPUTIME_ID);
        const double allBegin = cpuMs(CLOCK_PROCESS_CPUTIME_ID);
        frame();
        thread.push_back(cpuMs(CLOCK_THREAD_CPUTIME_ID) - begin);
        all += cpuMs(CLOCK_PROCESS_CPUTIME_ID) - allBegin;
        wall.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
    void print(const char* what) {
        std::ranges::sort(wall);
        std::ranges::sort(thread);
        std::printf("  %-24s median %6.2f   worst of %zu %7.2f   thread: median %6.2f   worst %6.2f   all threads: "
                    "mean %6.2f   up to %zu rectangles\n",
                    what, wall[wall.size() / 2], wall.size(), wall.back(), thread[thread.size() / 2], thread.back(),
                    all / static_cast<double>(wall.size()), rects);
        std::fflush(stdout);
    }
};

void fillRects(std::size_t count) {
    QImage image(kScreen, QImage::Format_RGB32);
    QPainter painter(&image);
    Times times;
    times.rects = count;
    for (int frame = 0; frame < 20; ++frame)
        times.measure([&] {
            for (std::size_t i = 0; i < count; ++i)
                painter.fillRect(QRect(static_cast<int>(i * 7 % 1900), static_cast<int>(i / 1900 * 16 % 1060),
                                       1 + static_cast<int>(i % 3), 15),
                                 i % 2 == 0 ? Qt::darkBlue : Qt::darkYellow);
        });
    times.print("plain fillRect");
}

/// Moves the pointer over the lanes, or clicks there.
void measurePointer(TimelineView& view, bool clicks, Times& times) {
    for (int frame = 0; frame < kFrames; ++frame) {
        const QPoint at = view.lanesRect().topLeft() + QPoint(3 + frame * 3, 5 + frame * 2 % view.lanesRect().height());
        const auto send = [&](QEvent::Type type, Qt::MouseButton button, Qt::MouseButtons held) {
            QMouseEvent event(type, at, view.mapToGlobal(at), button, held, Qt::NoModifier);
            QApplication::sendEvent(&view, &event);
        };
        times.measure([&] {
            send(QEvent::MouseMove, Qt::NoButton, Qt::NoButton);
            if (clicks) {
                send(QEvent::MouseButtonPress, Qt::LeftButton, Qt::LeftButton);
                send(QEvent::MouseButtonRelease, Qt::LeftButton, Qt::NoButton);
            }
            view.drawNow();
        });
    }
}

void settle(const TimelineView& view) {
    QCoreApplication::processEvents();
    while (!view.isReady())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QCoreApplication::processEvents();
}

/// All gestures; returns the largest number of rectangles in a frame.
std::size_t measureGestures(TimelineView& view, ViewState& state) {
    const TimeRange full = state.fullRange();
    std::size_t most = 0;
    const auto series = [&](const char* what, auto change) {
        Times times;
        for (int frame = 0; frame < kFrames; ++frame) {
            times.measure([&] {
                change(frame);
                view.drawNow();
            });
            times.rects = std::max(times.rects, view.drawnRectCount());
        }
        most = std::max(most, times.rects);
        times.print(what);
    };
    // As a user does it: the mouse held and moved 7 pixels a frame, there and back between the ends of the run.
    const auto drag = [&](const char* what, double share) {
        const auto length = static_cast<TimeNs>(share * static_cast<double>(full.length()));
        const int room = static_cast<int>((1 - share) / share * view.lanesRect().width());
        const int reach = std::min(room, view.lanesRect().width()) - 1; // of the pointer
        state.setVisibleRange({full.begin, full.begin + length});
        view.drawNow();
        const auto send = [&](QEvent::Type type, int x, Qt::MouseButton button, Qt::MouseButtons held) {
            const QPoint at = view.lanesRect().topLeft() + QPoint(x, view.lanesRect().height() / 2);
            QMouseEvent event(type, at, view.mapToGlobal(at), button, held, Qt::NoModifier);
            QApplication::sendEvent(&view, &event);
        };
        send(QEvent::MouseButtonPress, reach, Qt::LeftButton, Qt::LeftButton);
        series(what, [&](int frame) {
            const int way = 7 * (frame + 1) % (2 * reach);
            send(QEvent::MouseMove, reach - (way < reach ? way : 2 * reach - way), Qt::NoButton, Qt::LeftButton);
        });
        send(QEvent::MouseButtonRelease, reach, Qt::LeftButton, Qt::NoButton);
    };
    drag("drag, 95 % in view", 0.95);
    drag("drag, 10 % in view", 0.10);
    drag("drag, 0.5 % in view", 0.005);
    drag("drag, 20 ms in view", 2e7 / static_cast<double>(full.length()));
    drag("drag, 1 ms in view", 1e6 / static_cast<double>(full.length()));
    // Nothing of the frame before fits: each column of each lane is added up anew.
    const auto jump = [&](const char* what, double share) {
        const auto length = static_cast<TimeNs>(share * static_cast<double>(full.length()));
        series(what, [&](int frame) {
            const TimeNs begin = full.begin + (full.length() - length) * frame / kFrames;
            state.setVisibleRange({begin, begin + length + frame % 2});
        });
    };
    jump("all anew, 95 % in view", 0.95);
    jump("all anew, 10 % in view", 0.10);
    const double deepest = static_cast<double>(full.length()) / 1e5;
    series("zoom, all to 100 us", [&](int frame) {
        const TimeNs anchor = full.begin + full.length() * 37 / 100;
        state.setVisibleRange(
            zoomedAbout(full, anchor, std::pow(1 / deepest, frame / static_cast<double>(kFrames)), full));
    });
    state.setVisibleRange(full);
    auto* bar = view.findChild<QScrollBar*>();
    series("scroll, all in view", [&](int frame) { bar->setValue(bar->maximum() * frame / kFrames); });
    for (const bool clicks : {false, true}) {
        Times pointer;
        pointer.rects = view.drawnRectCount();
        measurePointer(view, clicks, pointer);
        pointer.print(clicks ? "select, all in view" : "hover, all in view");
    }
    return most;
}

void measureRun(const std::shared_ptr<const Run>& run, bool withMarks) {
    std::size_t lanes = 0;
    for (const auto& rank : run->ranks)
        lanes += rank->lanes.size();
    std::printf("%zu ranks, %zu lanes, %zu events, %d x %d, run of %.1f s; times in ms\n", run->ranks.size(), lanes,
                static_cast<std::size_t>(run->event_count()), kScreen.width(), kScreen.height(),
                static_cast<double>(run->span.length()) / 1e9);
    ViewState state;
    TimelineView view(&state);
    view.resize(kScreen);
    view.show();
    QElapsedTimer indexing;
    indexing.start();
    state.setRun(run);
    settle(view);
    std::printf("  %-26s %.0f ms, in the background\n", "classes and summaries",
                static_cast<double>(indexing.nsecsElapsed()) / 1e6);
    const std::size_t most = measureGestures(view, state);
    fillRects(most);
    if (!withMarks)
        return;
    const auto analysis = std::make_shared<RunAnalysis>(run, Selection());
    view.setAnalysis(analysis);
    for (const OverlayEntry& overlay : overlayEntries())
        state.setShows(overlay.id, true);
    while (!view.scene().marks || !view.scene().paths)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    std::printf(" with all overlays\n");
    measureGestures(view, state);
    state.setSearchHits(std::make_shared<SearchHits>(*search_events(RunClasses(run), *parse_event_query("nccl"))));
    settle(view);
    std::printf(" and %zu search hits\n", state.searchHits()->count);
    measureGestures(view, state);
}

} // namespace
} // namespace rankscope

int main(int argc, char** argv) {
    using namespace rankscope;
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    if (argc > 1 && std::atoi(argv[1]) == 0) {
        for (int i = 1; i < argc; ++i) {
            const auto run = load_run(argv[i]);
            if (!run) {
                std::fprintf(stderr, "%s\n", english(run.error().message).c_str());
                return 1;
            }
            measureRun(*run, true);
        }
        return 0;
    }
    int lanes = 64 * kLanesPerRank;
    std::vector<double> millions{1, 20};
    if (argc > 1)
        lanes = std::max(kLanesPerRank, std::atoi(argv[1]));
    if (argc > 2)
        millions.clear();
    for (int i = 2; i < argc; ++i)
        millions.push_back(std::atof(argv[i]));
    for (const double count : millions)
        measureRun(busyRun(lanes, static_cast<std::size_t>(count * 1e6)), false);
    return 0;
}
