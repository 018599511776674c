// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever ids a file has, and however many threads join them, the same events are found.
#include <QtTest>

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <tbb/parallel_for.h>

#include "core/trace/collective.h"
#include "core/trace/event_of_id.h"
#include "tests/support/test_program.h"

namespace rankscope::event_of_id_test {

namespace {

constexpr EventIndex kEvents = 100'000;
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

using IdOf = std::int64_t (*)(std::int64_t);

/// Where thousands of ids fell into one place of a table, a case would take minutes.
constexpr std::pair<const char*, IdOf> kShapes[] = {
    {"one after the other", [](std::int64_t i) { return 7 + i; }},
    {"two events each", [](std::int64_t i) { return i / 2; }},
    {"gaps as CUPTI leaves them", [](std::int64_t i) { return 40'728 + 5 * i + i % 3; }},
    {"wider gaps", [](std::int64_t i) { return 17 * i + i % 11; }},
    {"in two places far apart", [](std::int64_t i) { return i % 2 * (kLargest - 1'000'000) + i; }},
    {"all equal", [](std::int64_t) { return std::int64_t{5}; }},
    {"all equal but for one", [](std::int64_t i) { return i == 0 ? kLargest : std::int64_t{5}; }},
    {"the lower bits are equal", [](std::int64_t i) { return i << 40; }},
    {"down from the largest", [](std::int64_t i) { return kLargest - 1'000 * i; }},
    {"every other event has none", [](std::int64_t i) { return i % 2 == 0 ? 100 * i : -1 - i; }},
};

} // namespace

class TestEventOfId : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ofEachIdTheLastEventIsFound_data() {
        QTest::addColumn<int>("shape");
        for (std::size_t i = 0; i < std::size(kShapes); ++i)
            QTest::addRow("%s", kShapes[i].first) << static_cast<int>(i);
    }
    void ofEachIdTheLastEventIsFound() {
        QFETCH(int, shape);
        const IdOf id_of = kShapes[shape].second;
        IdRange ids;
        std::map<std::int64_t, EventIndex> last;
        for (EventIndex i = 0; i < kEvents; ++i) {
            ids.add(id_of(i));
            if (id_of(i) >= 0)
                last[id_of(i)] = i;
        }
        EventOfId event_of(ids);
        tbb::parallel_for(EventIndex{0}, kEvents, [&](EventIndex i) { event_of.offer(id_of(i), i, std::greater()); });
        for (const auto& [id, event] : last) {
            QCOMPARE(event_of.find(id), event);
            for (const std::int64_t near : {id - 1, id == kLargest ? 0 : id + 1})
                if (!last.contains(near))
                    QCOMPARE(event_of.find(near), kNoEvent);
        }
    }

    void withoutIdsNoneIsFound() {
        EventOfId event_of{IdRange()};
        event_of.offer(kUnknown, 0, std::greater());
        for (const std::int64_t id : {std::numeric_limits<std::int64_t>::min(), kUnknown, std::int64_t{0}, kLargest})
            QCOMPARE(event_of.find(id), kNoEvent);
    }
};

RANKSCOPE_TEST(TestEventOfId)

} // namespace rankscope::event_of_id_test

#include "test_event_of_id.moc"
