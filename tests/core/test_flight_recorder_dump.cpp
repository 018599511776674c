// SPDX-License-Identifier: GPL-3.0-or-later
// What is read of a dump: the fields as versions of PyTorch write them, as a pickle and as JSON.
#include <QtTest>

#include <fmt/format.h>

#include "core/input/flight_recorder/dump.h"
#include "tests/support/flight_recorder_dumps.h"
#include "tests/support/test_program.h"

namespace rankscope::flight_recorder_dump_test {

using Ordered = nlohmann::ordered_json;

Ordered entry(std::int64_t record) {
    return {{"record_id", record},
            {"pg_id", 3},
            {"process_group", {"7", "TENSOR"}},
            {"collective_seq_id", 11},
            {"p2p_seq_id", 0},
            {"op_id", 11},
            {"profiling_name", "nccl:all_reduce"},
            {"time_created_ns", 1'700'000'000'000'000'000},
            {"input_sizes", {{4, 2}}},
            {"input_dtypes", {"Float"}},
            {"output_sizes", {{4, 2}}},
            {"output_dtypes", {"Float"}},
            {"state", "scheduled"},
            {"time_discovered_started_ns", nullptr},
            {"time_discovered_completed_ns", nullptr},
            {"retired", false},
            {"timeout_ms", 600'000},
            {"is_p2p", false}};
}

Ordered dump(const std::vector<Ordered>& entries) {
    return {
        {"version", "2.9"},
        {"pg_config", {{"7", {{"name", "7"}, {"desc", "TENSOR"}, {"ranks", "[4, 5]"}}}}},
        {"nccl_version", "2.27.3"},
        {"pg_status",
         {{"3",
           {{"last_enqueued_collective", 11}, {"last_started_collective", -1}, {"last_completed_collective", 10}}}}},
        {"entries", entries}};
}

FlightRecorderDump read(const std::string& bytes) {
    auto found = read_flight_recorder(bytes);
    if (!found)
        throw std::runtime_error(english(found.error().message));
    return std::move(found->dump);
}

class TestFlightRecorderDump : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fieldsAreRead() {
        for (const std::string& bytes : {pickled(dump({entry(0)})), dump({entry(0)}).dump()}) {
            const FlightRecorderDump found = read(bytes);
            QCOMPARE(found.version, std::string("2.9"));
            QCOMPARE(found.nccl_version, std::string("2.27.3"));
            QCOMPARE(found.groups.size(), std::size_t{1});
            QCOMPARE(found.groups[0].description, std::string("TENSOR"));
            QCOMPARE(found.groups[0].ranks, (std::vector<int>{4, 5}));
            QCOMPARE(found.groups[0].uid, std::string("3"));
            QCOMPARE(found.statuses.at(0).enqueued, 11);
            QCOMPARE(found.statuses.at(0).started, kNoCall);
            QCOMPARE(found.statuses.at(0).completed, 10);
            const FlightRecorderCall& call = found.calls.at(0);
            QCOMPARE(call.collective_seq, 11);
            QCOMPARE(call.created, TimeNs{1'700'000'000'000'000'000});
            QCOMPARE(call.completed, TimeNs{0});
            QCOMPARE(call.timeout_ms, 600'000);
            QVERIFY(call.state == CallState::scheduled);
            QCOMPARE(found.kinds.at(call.kind), std::string("all_reduce"));
            QCOMPARE(found.tensors.at(call.tensors).inputs, (std::vector<std::vector<std::int64_t>>{{4, 2}}));
            QCOMPARE(found.tensors.at(call.tensors).output_types, std::vector<std::string>{"Float"});
        }
    }

    void jsonOfPyTorchWritesNumbersOfStatusesAsTexts() {
        // And times that are not known as 0, and no entries at all where there are none.
        Ordered made = dump({entry(0)});
        made["pg_status"]["3"] = {
            {"last_enqueued_collective", "11"}, {"last_started_collective", "-1"}, {"last_completed_collective", "10"}};
        made["entries"][0]["time_discovered_started_ns"] = 0;
        made["entries"][0]["time_discovered_completed_ns"] = 0;
        const FlightRecorderDump found = read(made.dump());
        QCOMPARE(found.statuses.at(0).enqueued, 11);
        QCOMPARE(found.statuses.at(0).started, kNoCall);
        QCOMPARE(found.statuses.at(0).completed, 10);
        QVERIFY(found.calls.at(0).state == CallState::scheduled);
        made.erase("entries");
        QVERIFY(read(made.dump()).calls.empty());
        made["pg_status"]["3"]["last_enqueued_collective"] = "eleven";
        QCOMPARE(read(made.dump()).statuses.at(0).enqueued, kNoCall);
    }

    void theLibrarysVersionHasTwoNames() {
        Ordered made = dump({entry(0)});
        made["version"] = "2.10";
        made["comm_lib_version"] = made["nccl_version"];
        made.erase("nccl_version");
        QCOMPARE(read(pickled(made)).nccl_version, std::string("2.27.3"));
    }

    void oldVersionsHaveOneSequenceNumber() {
        Ordered old = entry(0);
        for (const char* key : {"collective_seq_id", "p2p_seq_id", "is_p2p", "process_group", "timeout_ms"})
            old.erase(key);
        old["seq_id"] = 12;
        Ordered message = old;
        message["record_id"] = 1;
        message["profiling_name"] = "nccl:send 0->1";
        const FlightRecorderDump found = read(pickled(dump({old, message})));
        QCOMPARE(found.calls.size(), std::size_t{2});
        QCOMPARE(found.calls[0].seq(), 12);
        QCOMPARE(found.groups.at(found.calls[0].group).name, std::string("3")); // its number is all that is known
        QCOMPARE(found.calls[1].seq(), 12);
        QVERIFY(found.calls[1].is_message());
    }

    void aBatchIsAsFarAsItsLastEntry() {
        Ordered first = entry(0), second = entry(1), end = entry(2);
        end["profiling_name"] = "nccl:coalesced";
        end["state"] = "completed";
        end["time_discovered_completed_ns"] = 1'700'000'000'500'000'000;
        const FlightRecorderDump found = read(pickled(dump({first, second, end})));
        for (const FlightRecorderCall& call : found.calls)
            QVERIFY(call.state == CallState::completed);
    }

    void framesThatRepeatAreKeptOnce() {
        Ordered a = entry(0), b = entry(1), c = entry(2);
        const Ordered step{{"name", "step"}, {"filename", "train.py"}, {"line", 17}};
        const Ordered loss{{"name", "loss"}, {"filename", "train.py"}, {"line", 9}};
        a["frames"] = Ordered::array({step});
        b["frames"] = Ordered::array({loss, step});
        c["frames"] = Ordered::array({step});
        for (const std::string& bytes : {pickled(dump({a, b, c})), dump({a, b, c}).dump()}) {
            const FlightRecorderDump found = read(bytes);
            QCOMPARE(found.stacks.size(), std::size_t{3}); // the first is the empty one
            QCOMPARE(found.calls[0].frames, found.calls[2].frames);
            const auto& stack = found.stacks.at(found.calls[1].frames);
            QCOMPARE(stack.size(), std::size_t{2});
            QCOMPARE(stack[0].name, std::string("loss"));
            QCOMPARE(stack[0].line, 9);
            QCOMPARE(stack[1].file, std::string("train.py"));
        }
    }

    void whatIsRecalledOftenIsPaidForEachTime() {
        // One frame with long names, in thousands of stacks that all differ: 4 GB if each were copied.
        const auto text = [](const std::string& words) {
            std::string out = "X";
            for (int i = 0; i < 4; ++i)
                out += static_cast<char>(words.size() >> (8 * i) & 0xFF);
            return out + words;
        };
        const std::string frame =
            "}(" + text("name") + text(std::string(4000, 'n')) + text("filename") + text(std::string(4000, 'f')) + "u";
        std::string bytes =
            "\x80\x02}(" + text("frames") + "q" + '\x01' + frame + "q" + '\x02' + text("entries") + "](";
        const std::string other = "}(" + text("name") + text("g") + "uq\x03" + "0";
        bytes += other;
        for (int i = 0; i < 2000; ++i) {
            bytes +=
                "}(" + text("process_group") + text("0") + text("profiling_name") + text("nccl:barrier") + "h\x01](";
            for (int k = 0; k < 250; ++k)
                bytes += k < 16 && (i >> k & 1) != 0 ? std::string("h\x03") : std::string("h\x02");
            bytes += "eu";
        }
        bytes += "eu.";
        const auto read = read_flight_recorder(bytes);
        QVERIFY(!read);
        QVERIFY2(english(read.error().message).find("too often") != std::string::npos,
                 english(read.error().message).c_str());
    }

    void groupsOfAllRanksArePaidFor() {
        // 60 000 groups "0" without members, which are all 100 000 ranks: 24 GB if each had its own.
        const auto text = [](const std::string& words) {
            return "\x8c" + std::string(1, static_cast<char>(words.size())) + words;
        };
        std::string bytes = "\x80\x04}(" + text("pg_config") + "}(" + text("all") + "}(" + text("ranks") + "](";
        for (int i = 0; i < 100'000; ++i)
            bytes += std::string("J") + static_cast<char>(i & 0xFF) + static_cast<char>(i >> 8 & 0xFF) +
                     static_cast<char>(i >> 16) + '\0';
        bytes += "eu" + text("0") + "}(" + text("desc") + text("default_pg") + "u" + "q\x01";
        for (int i = 0; i < 60'000; ++i)
            bytes += text("0") + "h\x01";
        bytes += "uu.";
        const auto read = read_flight_recorder(bytes);
        QVERIFY(!read);
        QVERIFY2(english(read.error().message).find("too often") != std::string::npos,
                 english(read.error().message).c_str());
    }

    /// A name of 8 MB that all calls have: a minute, when each looked for its kind in all of it.
    void ofLongNamesTheBeginningIsRead() {
        const auto text = [](const std::string& words) {
            std::string out = "X";
            for (int i = 0; i < 4; ++i)
                out += static_cast<char>(words.size() >> (8 * i) & 0xFF);
            return out + words;
        };
        std::string bytes =
            "\x80\x02}(" + text("long") + text(std::string(8'000'000, 'n')) + "q" + '\x01' + text("entries") + "](";
        constexpr int kCalls = 100'000;
        for (int i = 0; i < kCalls; ++i)
            bytes += "}(" + text("process_group") + "h\x01" + text("profiling_name") + "h\x01" + "u";
        bytes += "eu.";
        QElapsedTimer timer;
        timer.start();
        const auto read = read_flight_recorder(bytes);
        QVERIFY2(timer.elapsed() < 10'000, std::to_string(timer.elapsed()).c_str());
        QVERIFY(read);
        QCOMPARE(read->dump.calls.size(), std::size_t{kCalls});
        QCOMPARE(read->dump.kinds.at(0).size(), std::size_t{256});
    }

    void longStacksAreRead() {
        // As PyTorch writes by default: 2000 calls, each with its frames in files of long paths.
        Ordered frames = Ordered::array();
        for (int k = 0; k < 40; ++k)
            frames.push_back({{"name", "_wrapped_call_impl"},
                              {"filename", fmt::format("/opt/conda/lib/python3.11/site-packages/torch/nn/modules/"
                                                       "module_{}.py",
                                                       k)},
                              {"line", 1500 + k}});
        std::vector<Ordered> entries;
        for (int i = 0; i < 2000; ++i) {
            entries.push_back(entry(i));
            frames[0]["line"] = i; // no two stacks are the same
            entries.back()["frames"] = frames;
        }
        const auto read = read_flight_recorder(dump(entries).dump());
        QVERIFY2(read.has_value(), read ? "" : english(read.error().message).c_str());
        QCOMPARE(read->dump.calls.size(), std::size_t{2000});
        QCOMPARE(read->dump.stacks[read->dump.calls.back().frames].size(), std::size_t{40});
    }

    void oneReaderReadsManyDumps() {
        FlightRecorderReader reader;
        const std::string good = pickled(dump({entry(0), entry(1)})), evil = "\x80\x02"
                                                                             "cposix\nsystem\n.";
        const std::string json = dump({entry(0)}).dump();
        QCOMPARE(reader.read(good)->dump.calls.size(), std::size_t{2});
        QVERIFY(!reader.read(evil));
        QCOMPARE(reader.read(json)->dump.calls.size(), std::size_t{1});
        QCOMPARE(reader.read(good)->dump.calls.size(), std::size_t{2});
        PlainLimits small;
        small.values = 10;
        QVERIFY(!reader.read(good, small));
        QCOMPARE(reader.read(good)->dump.calls.size(), std::size_t{2});
    }

    void namesOfDumps() {
        QCOMPARE(rank_in_dump_name("nccl_trace_rank_12"), std::optional(12));
        QCOMPARE(rank_in_dump_name("comm_lib_trace_rank_3"), std::optional(3));
        QCOMPARE(rank_in_dump_name("_dump_0.json.gz"), std::optional(0));
        QVERIFY(!rank_in_dump_name("nccl_trace"));
        QVERIFY(is_usual_dump_name("comm_lib_trace_rank_3"));
        QVERIFY(is_usual_dump_name("hccl_trace_rank_3"));
        QVERIFY(!is_usual_dump_name("notes_7"));
    }
};

RANKSCOPE_TEST(TestFlightRecorderDump)

} // namespace rankscope::flight_recorder_dump_test

#include "test_flight_recorder_dump.moc"
