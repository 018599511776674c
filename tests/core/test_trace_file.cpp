// SPDX-License-Identifier: GPL-3.0-or-later
// Files of sections: what is written comes back whole; what is damaged or made up is refused, never believed.
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>

#include "core/analysis/digest/digest.h"
#include "core/demo/run_simulator.h"
#include "core/input/digest/trace_file.h"
#include "core/input/digest/trace_file_sections.h"
#include "core/input/load/load_run.h"
#include "core/trace/plausible.h"
#include "core/trace/side_tables.h"
#include "tests/support/test_program.h"

namespace rankscope::trace_file_test {

namespace fs = std::filesystem;

namespace {

std::string content_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

/// Gives each field of each entry another value; an event is the entry's index, a name the third of the table.
struct Filler {
    std::size_t entries;
    std::int64_t next = 0;

    template <typename Value>
    void set(Value& value) {
        if constexpr (std::is_same_v<Value, std::string>)
            value = "text " + std::to_string(++next);
        else if constexpr (std::is_same_v<Value, EventKind>)
            value = EventKind::kernel;
        else if constexpr (std::ranges::range<Value>)
            for (auto& part : value)
                set(part);
        else
            value = static_cast<Value>(++next % 100);
    }
    template <typename Table, typename... Fields>
    void operator()(Table& table, const Fields&... fields) {
        table.assign(entries, {});
        EventIndex index = 0;
        const auto fill = [&](auto& entry, const auto& field) {
            if constexpr (kind_of<decltype(field)> == FieldKind::owner || kind_of<decltype(field)> == FieldKind::event)
                entry.*field.member = index;
            else if constexpr (kind_of<decltype(field)> == FieldKind::name)
                entry.*field.member = 3;
            else if constexpr (kind_of<decltype(field)> == FieldKind::time)
                entry.*field.member = TimeNs{index} + 1;
            else
                set(entry.*field.member);
        };
        for (auto& entry : table) {
            (fill(entry, fields), ...);
            ++index;
        }
    }
};

/// All values of all fields, as text: names of one file have other numbers in another.
struct Lister {
    const StringTable& names;
    std::vector<std::string> all;

    template <typename Value>
    void add(const Value& value) {
        if constexpr (std::is_same_v<Value, std::string>)
            all.push_back(value);
        else if constexpr (std::ranges::range<Value>)
            for (const auto& part : value)
                add(part);
        else
            all.push_back(std::to_string(static_cast<double>(value)));
    }
    template <typename Table, typename... Fields>
    void operator()(const Table& table, const Fields&... fields) {
        const auto list = [&](const auto& entry, const auto& field) {
            if constexpr (kind_of<decltype(field)> == FieldKind::name)
                all.emplace_back(names.view(entry.*field.member));
            else
                add(entry.*field.member);
        };
        for (const auto& entry : table)
            (list(entry, fields), ...);
        all.emplace_back("end of a table");
    }
};

std::vector<std::string> values_of(const RankTrace& trace) {
    Lister lister{*trace.names, {}};
    for_each_side_table(trace, std::ref(lister));
    for_each_small_table(trace, std::ref(lister));
    return lister.all;
}

} // namespace

class TestTraceFile : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::shared_ptr<const Run> run_;
    fs::path root() const { return folder_.path().toStdString(); }
    const RankTrace& rank() const { return *run_->ranks.front(); }

    /// The message of the error; empty when the file is accepted.
    static std::string refusal(const fs::path& path, TraceFileKind kind) {
        const auto read = read_trace_file(path, kind, std::make_shared<StringTable>());
        return read ? std::string() : english(read.error().message);
    }

private Q_SLOTS:
    void initTestCase() {
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 2;
        options.layers = 1;
        QVERIFY(write_run(options, root() / "run"));
        auto run = load_run(root() / "run");
        QVERIFY(run);
        run_ = *run;
    }

    void everythingComesBack_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("packed") << static_cast<int>(TraceFileKind::digest);
        QTest::newRow("mapped") << static_cast<int>(TraceFileKind::cache);
    }
    void everythingComesBack() {
        QFETCH(int, kind);
        const fs::path path = root() / "whole";
        auto trace = std::make_shared<RankTrace>(rank());
        trace->digest = std::make_shared<DigestFacts>();
        trace->counters = {{trace->names->size() > 3 ? NameId{3} : NameId{0}, 17, 0.25}};
        trace->header["a key"] = std::string("with \0 inside", 13);
        const Message many(std::string("%1%1%1%1%1%1%1%1%1%1%1%1%1"), {Message(std::string("x"))});
        trace->notices = {
            {"malformed_events", "rows of %1 that cannot be read: %2"_text(std::string("100 %2"), 3), "a", 2},
            {"no_events", "nothing is there"_text, {}, 1},
            {"unreadable_file", std::string("as it is %1"), "b", 1},
            {"unreadable_file", many, "c", 1}};
        QVERIFY(write_trace_file(path, *trace, static_cast<TraceFileKind>(kind), "the key"));
        const auto names = std::make_shared<StringTable>();
        names->intern("something that moves all ids");
        const auto read = read_trace_file(path, static_cast<TraceFileKind>(kind), names);
        if (!read)
            QFAIL(english(read.error().message).c_str());
        QCOMPARE(read->key, std::string("the key"));
        const RankTrace& back = *read->trace;
        QVERIFY(back.events.start == trace->events.start && back.events.duration == trace->events.duration);
        QVERIFY(back.events.kind == trace->events.kind && back.events.ordinal == trace->events.ordinal);
        QVERIFY(back.events.link == trace->events.link);
        for (EventIndex i = 0; i < trace->events.size(); ++i)
            QCOMPARE(back.event_name(i), trace->event_name(i));
        QCOMPARE(back.gpu.operator_event, trace->gpu.operator_event);
        QCOMPARE(back.lanes.size(), trace->lanes.size());
        for (std::size_t i = 0; i < trace->lanes.size(); ++i) {
            QCOMPARE(back.lanes[i].name, trace->lanes[i].name);
            QCOMPARE(back.lanes[i].first_row, trace->lanes[i].first_row);
            QCOMPARE(back.lanes[i].end, trace->lanes[i].end);
        }
        QCOMPARE(back.rows.size(), trace->rows.size());
        QCOMPARE(back.collectives.size(), trace->collectives.size());
        for (std::size_t i = 0; i < trace->collectives.size(); ++i) {
            const CollectiveArgs& args = back.collective_args[back.collectives[i].args];
            const CollectiveArgs& before = trace->collective_args[trace->collectives[i].args];
            QCOMPARE(names->view(args.collective), trace->names->view(before.collective));
            QCOMPARE(args.in_elements, before.in_elements);
            QCOMPARE(args.group, before.group);
            QCOMPARE(back.collectives[i].sequence, trace->collectives[i].sequence);
        }
        QVERIFY(!trace->memory_samples.empty());
        QCOMPARE(back.memory_samples.size(), trace->memory_samples.size());
        QCOMPARE(back.memory_samples.back().reserved, trace->memory_samples.back().reserved);
        QCOMPARE(back.counters.front().value, 0.25);
        QCOMPARE(back.header, trace->header);
        // With their texts, so that they can be translated; not one that could fill the memory.
        QCOMPARE(back.notices.size(), trace->notices.size());
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY2(back.notices[i] == trace->notices[i], english(back.notices[i].message).c_str());
        QVERIFY(back.notices[3].message == Message(english(many)));
        QCOMPARE(back.process_groups, trace->process_groups);
        QCOMPARE(back.steps.size(), trace->steps.size());
        QCOMPARE(back.steps.back().range, trace->steps.back().range);
        QCOMPARE(back.span, trace->span);
        QCOMPARE(back.gpu_span, trace->gpu_span);
        QCOMPARE(back.locator.marks.size(), trace->locator.marks.size());
        QCOMPARE(back.flows.size(), trace->flows.size());
    }

    /// Also of tables and fields that are new.
    void everyFieldOfEverySideTableComesBack_data() { everythingComesBack_data(); }
    void everyFieldOfEverySideTableComesBack() {
        QFETCH(int, kind);
        RankTrace trace(rank());
        trace.digest = std::make_shared<DigestFacts>();
        for_each_small_table(trace, Filler{100});
        for_each_side_table(trace, Filler{2});
        trace.locator.marks = {{1, 10}, {2, 20}}; // ascending
        for (KernelSum& sum : trace.kernel_sums)
            ++sum.count; // never 0
        QVERIFY(write_trace_file(root() / "full", trace, static_cast<TraceFileKind>(kind), "key"));
        const auto names = std::make_shared<StringTable>();
        names->intern("something that moves all ids");
        const auto read = read_trace_file(root() / "full", static_cast<TraceFileKind>(kind), names);
        if (!read)
            QFAIL(english(read.error().message).c_str());
        const std::vector<std::string> before = values_of(trace);
        QVERIFY(before.size() > 2000);
        QCOMPARE(values_of(*read->trace), before);
    }

    void everyFlippedByteIsNoticed() {
        const fs::path path = root() / "flipped";
        auto trace = digest_of(rank(), {"source", 1, 2}, *run_);
        QVERIFY(write_trace_file(path, *trace, TraceFileKind::digest));
        const std::string whole = content_of(path);
        QCOMPARE(refusal(path, TraceFileKind::digest), std::string());
        // All of the header and table, then here and there.
        int unnoticed = 0;
        for (std::size_t at = 0; at < whole.size(); at += at < 3000 ? 1 : 211) {
            std::string changed = whole;
            changed[at] = static_cast<char>(changed[at] ^ 0x20);
            write(path, changed);
            unnoticed += refusal(path, TraceFileKind::digest).empty();
        }
        QCOMPARE(unnoticed, 0);
    }

    void everyShortenedFileIsRefused() {
        const fs::path path = root() / "short";
        QVERIFY(write_trace_file(path, *digest_of(rank(), {"source", 1, 2}, *run_), TraceFileKind::digest));
        const std::string whole = content_of(path);
        for (std::size_t size = 0; size < whole.size(); size += size < 3000 ? 7 : 997) {
            write(path, whole.substr(0, size));
            QVERIFY2(!refusal(path, TraceFileKind::digest).empty(), qPrintable(QString::number(size)));
            QVERIFY(!peek_trace_file(path, TraceFileKind::digest));
        }
        write(path, whole + "x");
        QVERIFY(!refusal(path, TraceFileKind::digest).empty());
    }

    void anotherPurposeOrVersionIsRefused() {
        const fs::path path = root() / "other";
        QVERIFY(write_trace_file(path, rank(), TraceFileKind::cache));
        QVERIFY(refusal(path, TraceFileKind::digest).find("another purpose") != std::string::npos);
        std::string content = content_of(path);
        content[8] = 99;
        write(path, content);
        QVERIFY(refusal(path, TraceFileKind::cache).find("version 99") != std::string::npos);
        write(path, "{\"traceEvents\": []}" + std::string(100, ' '));
        QVERIFY(refusal(path, TraceFileKind::cache).find("was not written by Rankscope") != std::string::npos);
        QVERIFY(!is_section_file(path));
        QVERIFY(refusal(root(), TraceFileKind::cache).find("not a regular file") != std::string::npos);
    }

    /// Files with right checksums whose content cannot be, as somebody could make them.
    void madeUpContentIsRefused_data() {
        QTest::addColumn<int>("fault");
        QTest::addColumn<QString>("says");
        int number = 0;
        for (const char* says : {"a link leads nowhere",
                                 "a link leads nowhere",
                                 "an event cannot be",
                                 "an event cannot be",
                                 "an event cannot be",
                                 "events of a row overlap",
                                 "an operator is not there",
                                 "a process group is not there",
                                 "a table is not in order",
                                 "its rows do not hold its events",
                                 "its lanes do not hold its events",
                                 "its samples are not in order",
                                 "an operator's inputs are not there",
                                 "an event of a table is not there",
                                 "its times cannot be",
                                 "its lanes are not in order",
                                 "a link leads to what cannot be linked",
                                 "a kernel's shape is not in its list",
                                 "a message cannot be that large",
                                 "an amount of memory cannot be",
                                 "its times cannot be",
                                 "an event cannot be",
                                 "a sum cannot be",
                                 "its times cannot be",
                                 "its counts cannot be"})
            QTest::addRow("%d %s", number, says) << number << QString::fromLatin1(says), ++number;
    }
    void madeUpContentIsRefused() {
        QFETCH(int, fault);
        QFETCH(QString, says);
        RankTrace bad = rank();
        const auto changed = [](auto column, std::size_t at, auto value) {
            std::vector values(column.begin(), column.end());
            values[at] = value;
            return values;
        };
        const auto facts = [](auto change) {
            auto known = std::make_shared<DigestFacts>();
            change(*known);
            return known;
        };
        EventTable& events = bad.events;
        const EventIndex last = events.size() - 1;
        const EventIndex call = events.link[0];
        QVERIFY(call != kNoEvent && events.gpu_count > 2);
        switch (fault) {
        case 0: events.link = changed(events.link, 0, events.size()); break;
        case 1: events.link = changed(events.link, call, kNoEvent); break;
        case 2: events.kind = changed(events.kind, 0, static_cast<EventKind>(200)); break;
        case 3: events.duration = changed(events.duration, last, TimeNs{-1}); break;
        case 4: events.start = changed(events.start, last, std::numeric_limits<TimeNs>::max()); break;
        case 5: events.start = changed(events.start, 1, events.start[0] - 1); break;
        case 6: bad.gpu.operator_event[0] = events.size(); break;
        case 7: bad.collective_args.front().group = 1000; break;
        case 8: bad.collectives.front().event = events.size(); break;
        case 9: bad.rows.back().end -= 1; break;
        case 10:
            bad.lanes.back().end -= 1;
            bad.rows.back().end -= 1;
            break;
        case 11: std::swap(bad.memory_samples.front(), bad.memory_samples.back()); break;
        case 12: bad.operator_inputs = {{events.gpu_count, 77, 1}}; break;
        case 13: bad.flows = {{0, events.size()}}; break;
        case 14: bad.span.end = std::numeric_limits<TimeNs>::max(); break;
        case 15: bad.lanes.back().kind = LaneKind::gpu_annotation; break;
        case 16: events.link = changed(events.link, 0, EventIndex{1}); break;
        case 17:
            bad.gpu.launch_shape.assign(events.gpu_count, 3);
            bad.gpu.correlation.assign(events.gpu_count, 0);
            break;
        case 18: bad.collective_args.front().in_elements = std::numeric_limits<std::int64_t>::max() / 2; break;
        case 19: bad.memory_samples.front().allocated = std::numeric_limits<std::int64_t>::max(); break;
        case 20: bad.span.end = bad.span.begin + 2 * kLongestRecording; break;
        case 21: bad.span.end = events.end(last) - 1; break;
        case 22: bad.kernel_sums = {{.count = 1, .total = 2 * kLongestRecording}}; break;
        case 23:
            bad.digest = facts(
                [](DigestFacts& known) { known.ccl_bench_counts.comm_time = std::numeric_limits<TimeNs>::max(); });
            break;
        case 24: bad.digest = facts([](DigestFacts& known) { known.ccl_bench_traffic.calls = -1; }); break;
        default: QFAIL("no such fault");
        }
        const fs::path path = root() / "bad";
        QVERIFY(write_trace_file(path, bad, TraceFileKind::cache));
        const std::string why = refusal(path, TraceFileKind::cache);
        QVERIFY2(why.find(says.toStdString()) != std::string::npos, why.c_str());
    }

    void absurdCountsTakeNoMemory() {
        // A section that says it holds 4 billion values in 20 bytes.
        SectionWriter writer(static_cast<std::uint32_t>(TraceFileKind::digest), Packing::packed);
        const std::vector<std::int64_t> zeros(50'000'000);
        writer.text(section::head, "x");
        writer.column(section::start, std::span<const std::int64_t>(zeros));
        const fs::path path = root() / "bomb";
        QVERIFY(writer.write(path));
        QVERIFY(fs::file_size(path) < 100'000);
        QVERIFY(refusal(path, TraceFileKind::digest).find("is damaged") != std::string::npos);
    }
};

RANKSCOPE_TEST(TestTraceFile)

} // namespace rankscope::trace_file_test

#include "test_trace_file.moc"
