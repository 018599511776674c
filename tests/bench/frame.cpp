// SPDX-License-Identifier: GPL-3.0-or-later
// How long one frame of the timeline takes while panning, zooming, scrolling, pointing and selecting, and what plain
// fillRect needs for as many rectangles: rankscope_bench_frame [lanes [millions of events in all ...]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QThread>

#include "core/trace/rank_builder.h"
#include "widgets/palette.h"
#include "widgets/timeline/coordinates.h"
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
    builder.reserve(events);
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

struct Times {
    std::vector<double> ms;
    std::size_t rects = 0;
    void print(const char* what) {
        std::sort(ms.begin(), ms.end());
        std::printf("  %-24s median %6.2f ms   worst of %zu %6.2f ms   up to %zu rectangles\n", what, ms[ms.size() / 2], ms.size(), ms.back(), rects);
    }
};

void drawFrame(TimelineView& view, ViewState& state, TimeRange range, Times& times) {
    QElapsedTimer clock;
    clock.start();
    state.setVisibleRange(range);
    view.drawNow();
    times.ms.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    times.rects = std::max(times.rects, view.drawnRectCount());
}

void fillRects(std::size_t count) {
    QImage image(kScreen, QImage::Format_RGB32);
    QPainter painter(&image);
    Times times;
    times.rects = count;
    for (int frame = 0; frame < 20; ++frame) {
        QElapsedTimer clock;
        clock.start();
        for (std::size_t i = 0; i < count; ++i)
            painter.fillRect(QRect(static_cast<int>(i * 7 % 1900), static_cast<int>(i / 1900 * 16 % 1060), 1 + static_cast<int>(i % 3), 15),
                             i % 2 == 0 ? Qt::darkBlue : Qt::darkYellow);
        times.ms.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
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
        QElapsedTimer clock;
        clock.start();
        send(QEvent::MouseMove, Qt::NoButton, Qt::NoButton);
        if (clicks) {
            send(QEvent::MouseButtonPress, Qt::LeftButton, Qt::LeftButton);
            send(QEvent::MouseButtonRelease, Qt::LeftButton, Qt::NoButton);
        }
        view.repaint();
        times.ms.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
}

void measure_frames(int lanes, std::size_t events) {
    const auto run = busyRun(lanes, events);
    std::printf("%d lanes, %zu events, %d x %d, run of %.1f s\n", lanes, static_cast<std::size_t>(run->event_count()), kScreen.width(), kScreen.height(),
                static_cast<double>(run->span.length()) / 1e9);
    ViewState state;
    TimelineView view(&state);
    view.resize(kScreen);
    view.show();
    QElapsedTimer indexing;
    indexing.start();
    state.setRun(run);
    while (!view.isReady())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QCoreApplication::processEvents();
    std::printf("  %-24s %.0f ms, in the background\n", "classes and summaries", static_cast<double>(indexing.nsecsElapsed()) / 1e6);

    const TimeRange full = state.fullRange();
    std::size_t most = 0;
    const auto series = [&](const char* what, auto rangeOfFrame) {
        Times times;
        for (int frame = 0; frame < kFrames; ++frame)
            drawFrame(view, state, rangeOfFrame(frame), times);
        most = std::max(most, times.rects);
        times.print(what);
    };
    const auto pan = [full](double share) {
        return [full, share](int frame) {
            const auto length = static_cast<TimeNs>(share * static_cast<double>(full.length()));
            const TimeNs begin = full.begin + (full.length() - length) * frame / kFrames;
            return TimeRange{begin, begin + length};
        };
    };
    series("pan, 95 % in view", pan(0.95));
    series("pan, 10 % in view", pan(0.10));
    series("pan, 0.5 % in view", pan(0.005));
    series("pan, 20 ms in view", pan(2e7 / static_cast<double>(full.length())));
    series("pan, 1 ms in view", pan(1e6 / static_cast<double>(full.length())));
    const double deepest = static_cast<double>(full.length()) / 1e5;
    series("zoom, all to 100 us", [&](int frame) {
        const TimeNs anchor = full.begin + full.length() * 37 / 100;
        return zoomedAbout(full, anchor, std::pow(1 / deepest, frame / static_cast<double>(kFrames)), full);
    });
    state.setVisibleRange(full);
    auto* bar = view.findChild<QScrollBar*>();
    Times scroll;
    for (int frame = 0; frame < kFrames; ++frame) {
        QElapsedTimer clock;
        clock.start();
        bar->setValue(bar->maximum() * frame / kFrames);
        view.drawNow();
        scroll.ms.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        scroll.rects = std::max(scroll.rects, view.drawnRectCount());
    }
    scroll.print("scroll, all in view");
    for (const bool clicks : {false, true}) {
        Times pointer;
        pointer.rects = view.drawnRectCount();
        measurePointer(view, clicks, pointer);
        pointer.print(clicks ? "select, all in view" : "hover, all in view");
    }
    fillRects(most);
}

} // namespace
} // namespace rankscope

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    int lanes = 64 * rankscope::kLanesPerRank;
    std::vector<double> millions{1, 20};
    if (argc > 1)
        lanes = std::max(rankscope::kLanesPerRank, std::atoi(argv[1]));
    if (argc > 2)
        millions.clear();
    for (int i = 2; i < argc; ++i)
        millions.push_back(std::atof(argv[i]));
    for (const double count : millions)
        rankscope::measure_frames(lanes, static_cast<std::size_t>(count * 1e6));
    return 0;
}
