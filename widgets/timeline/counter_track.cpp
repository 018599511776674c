// SPDX-License-Identifier: GPL-3.0-or-later
// Values over time beside a rank's lanes.
#include "widgets/timeline/counter_track.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <QCoreApplication>

#include "core/analysis/gpu/launches.h"
#include "widgets/number_text.h"
#include "widgets/time_text.h"

namespace rankscope {
namespace {

struct CounterTexts {
    Q_DECLARE_TR_FUNCTIONS(CounterTexts)
};

std::string deviceName(std::int32_t type, std::int64_t device) {
    return (type == 0 ? "CPU" : "GPU") + (device < 0 ? std::string() : ' ' + std::to_string(device));
}

bool hasLaunches(const RankTrace& trace, const Lane& lane) {
    for (EventIndex i = lane.begin; i < lane.end; ++i)
        if (is_gpu_work(trace.events.kind[i]) && trace.events.link[i] != kNoEvent)
            return true;
    return false;
}

void addMemory(const RankTrace& trace, std::vector<CounterSource>& sources) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::pair<bool, bool>, std::greater<>> devices; // GPUs first
    for (const MemorySample& sample : trace.memory_samples) {
        auto& [allocated, reserved] = devices[{sample.device_type, sample.device}];
        allocated |= sample.allocated != kUnknown;
        reserved |= sample.reserved != kUnknown;
    }
    for (const auto& [device, has] : devices) {
        const QString name = QString::fromStdString(deviceName(device.first, device.second));
        if (has.first)
            sources.push_back({CounterKind::allocated, CounterTexts::tr("memory allocated, %1").arg(name).toStdString(),
                               device.first, device.second, -1, 0});
        if (has.second)
            sources.push_back({CounterKind::reserved, CounterTexts::tr("memory reserved, %1").arg(name).toStdString(),
                               device.first, device.second, -1, 0});
    }
}

} // namespace

std::vector<CounterSource> countersOf(const RankTrace& trace) {
    std::vector<CounterSource> sources;
    if (trace.events.gpu_count > 0)
        sources.push_back({CounterKind::busy, CounterTexts::tr("busy").toStdString(), 0, -1, -1, 0});
    addMemory(trace, sources);
    for (const Lane& lane : trace.lanes)
        if (lane.kind == LaneKind::gpu_stream && hasLaunches(trace, lane))
            sources.push_back({CounterKind::queue,
                               CounterTexts::tr("queue of %1").arg(QString::fromStdString(lane.name)).toStdString(), 0,
                               lane.device, lane.stream, 0});
    for (std::size_t i = 0; i < trace.counters.size(); ++i)
        if (i == 0 || trace.counters[i].series != trace.counters[i - 1].series)
            sources.push_back({CounterKind::recorded, std::string(trace.names->view(trace.counters[i].series)), 0, -1,
                               -1, trace.counters[i].series});
    return sources;
}

void CounterTrack::add(TimeNs at, double now) {
    if (value.size() % kBlock == 0)
        blocks_.emplace_back(now, now);
    blocks_.back() = {std::min(blocks_.back().first, now), std::max(blocks_.back().second, now)};
    low = std::min(low, now);
    high = std::max(high, now);
    time.push_back(at);
    value.push_back(now);
}

void CounterTrack::finish(TimeNs holdsUntil) {
    end = time.empty() ? holdsUntil : std::max(holdsUntil, time.back() + 1);
}

std::optional<CounterTrack::Extent> CounterTrack::over(TimeRange range) const {
    if (time.empty() || range.begin >= end || range.end <= time.front() || range.empty())
        return std::nullopt;
    // The value that holds as the range starts, and those that come in it.
    const auto after = static_cast<std::size_t>(std::upper_bound(time.begin(), time.end(), range.begin) - time.begin());
    const auto stop = static_cast<std::size_t>(
        std::lower_bound(time.begin() + static_cast<std::ptrdiff_t>(after), time.end(), range.end) - time.begin());
    std::size_t i = after == 0 ? 0 : after - 1;
    while (i > 0 && time[i - 1] == range.begin)
        --i;
    Extent extent{value[i], value[i], value[stop - 1]};
    const auto take = [&](double low_value, double high_value) {
        extent.low = std::min(extent.low, low_value);
        extent.high = std::max(extent.high, high_value);
    };
    while (i < stop) {
        if (i % kBlock == 0 && i + kBlock <= stop) {
            take(blocks_[i / kBlock].first, blocks_[i / kBlock].second);
            i += kBlock;
        } else {
            take(value[i], value[i]);
            ++i;
        }
    }
    return extent;
}

CounterTrack counterTrack(const Run& run, const RankTrace& trace, const CounterSource& source) {
    CounterTrack track;
    switch (source.kind) {
    case CounterKind::busy: break;
    case CounterKind::allocated:
    case CounterKind::reserved:
        for (const MemorySample& sample : trace.memory_samples) {
            const std::int64_t bytes = source.kind == CounterKind::allocated ? sample.allocated : sample.reserved;
            if (sample.device_type == source.device_type && sample.device == source.device && bytes != kUnknown)
                track.add(sample.time, static_cast<double>(bytes));
        }
        break;
    case CounterKind::queue: {
        const std::vector<GpuSlice> work = // of any class
            select_gpu_work(run, trace, {}, KernelClassRules().classes_of(trace));
        for (const QueuePoint& point : queue_length(trace, work, source.device, source.stream))
            track.add(point.time, static_cast<double>(point.length));
        break;
    }
    case CounterKind::recorded:
        for (const CounterSample& sample : trace.counters)
            if (sample.series == source.series)
                track.add(sample.time, sample.value);
        break;
    }
    track.finish(trace.span.end);
    return track;
}

QString counterText(CounterKind kind, double value) {
    if (kind != CounterKind::allocated && kind != CounterKind::reserved)
        return value == std::round(value) && std::abs(value) < 1e9 ? groupedNumber(static_cast<std::int64_t>(value))
                                                                   : shortNumber(value);
    return value < 0 ? QChar(0x2212) + byteText(static_cast<quint64>(-value)) : byteText(static_cast<quint64>(value));
}

} // namespace rankscope
