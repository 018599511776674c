// SPDX-License-Identifier: GPL-3.0-or-later
// Events as read, over the borders of chunks and blocks.
#include <QtTest>

#include "core/trace/raw_events.h"
#include "tests/support/resident_share.h"
#include "tests/support/test_program.h"

namespace rankscope::raw_events_test {

namespace {

constexpr std::size_t kChunk = RawEvents::kChunk;
constexpr std::size_t kMany = 10 * kChunk + 5; // the first block's chunk, the eight of the second, two of the third

RawEvent numbered_event(std::size_t i) {
    const auto number = static_cast<std::int64_t>(i);
    RawEvent event;
    event.start = number * 10;
    event.duration = number % 7;
    event.correlation = i % 1000 == 0 ? number << 33 : number;
    event.external_id = kUnknown;
    event.name = static_cast<NameId>(i % 100);
    event.track = static_cast<TrackId>(i % 3);
    event.ordinal = static_cast<std::uint32_t>(i + 1);
    event.kind = i % 2 == 0 ? EventKind::kernel : EventKind::cpu_op;
    return event;
}

bool same(const RawEvent& a, const RawEvent& b) {
    return a.start == b.start && a.duration == b.duration && a.correlation == b.correlation &&
           a.external_id == b.external_id && a.name == b.name && a.track == b.track && a.ordinal == b.ordinal &&
           a.kind == b.kind;
}

void fill(RawEvents& events, std::size_t count) {
    std::size_t i = 0;
    for (const RawEvents::Room& room : events.add_room(count))
        for (std::size_t k = 0; k < room.size(); ++k)
            room.set(k, numbered_event(i++));
}

} // namespace

class TestRawEvents : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eventsKeepTheirPlace() {
        RawEvents events;
        fill(events, kMany);
        QCOMPARE(events.size(), kMany);
        for (std::size_t i = 0; i < kMany; ++i)
            if (!same(events[i], numbered_event(i)))
                QFAIL(qPrintable(QString::number(i)));
    }

    void someAreLeftOutAndOthersAdded() {
        RawEvents events;
        fill(events, kMany);
        events.erase_if([](const RawEvent& e) { return e.ordinal % 4 != 1; });
        const std::size_t kept = (kMany + 3) / 4;
        QCOMPARE(events.size(), kept);
        for (std::size_t i = 0; i < kept; ++i)
            if (!same(events[i], numbered_event(4 * i)))
                QFAIL(qPrintable(QString::number(i)));
        for (std::size_t i = 0; i < kChunk; ++i)
            events.push_back(numbered_event(i));
        QVERIFY(same(events[kept - 1], numbered_event(4 * (kept - 1))));
        QVERIFY(same(events[kept], numbered_event(0)));
        QVERIFY(same(events[kept + kChunk - 1], numbered_event(kChunk - 1)));
    }

    void timesGoWhenAllChunksOfABlockAreDone() {
        RawEvents events;
        fill(events, kMany);
        const TimeNs* second_block = nullptr; // its chunks are those from 1 to 8
        events.for_each(kChunk, kChunk + 1,
                        [&](std::size_t, const RawEvents::Chunk& chunk, std::size_t) { second_block = chunk.start; });
        const TimeNs* const end = second_block + 8 * kChunk;
        events.drop_times_and_tracks(0, 8 * kChunk);
        QCOMPARE(resident_share(second_block, end), 1.0);
        QCOMPARE(events.start(8 * kChunk), numbered_event(8 * kChunk).start);
        events.drop_times_and_tracks(8 * kChunk, kMany);
        QCOMPARE(resident_share(second_block, end), 0.0);
        QCOMPARE(events.ordinal(kMany - 1), static_cast<std::uint32_t>(kMany));
        QCOMPARE(events.correlation(1000), std::int64_t{1000} << 33);
    }
};

RANKSCOPE_TEST(TestRawEvents)

} // namespace rankscope::raw_events_test

#include "test_raw_events.moc"
