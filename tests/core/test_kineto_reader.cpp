// SPDX-License-Identifier: GPL-3.0-or-later
// Every layout and event form of Kineto files, and what damage does to them.
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>

#include "core/base/output_file.h"
#include "core/input/kineto/kineto_reader.h"
#include "core/input/load/load_run.h"
#include "tests/support/test_program.h"

namespace rankscope::kineto_reader_test {

namespace fs = std::filesystem;

namespace {

/// JSON written with ' for ".
std::string json(std::string text) {
    std::ranges::replace(text, '\'', '"');
    return text;
}

const std::string kHeader =
    json("'schemaVersion': 1, 'deviceProperties': [{'id': 3, 'name': 'NVIDIA A100', 'numSms': 108, 'totalGlobalMem': "
         "42297524224}],"
         "'distributedInfo': {'backend': 'nccl', 'rank': 3, 'world_size': 8, 'nccl_version': '2.20.5',"
         "'pg_config': [{'pg_name': '0', 'pg_desc': 'default_pg', 'ranks': [0, 1, 2, 3], 'pg_size': 4}]}");

const std::string kKernel =
    json("{'ph': 'X', 'cat': 'kernel', 'name': 'gemm', 'pid': 3, 'tid': 7, 'ts': 100.125, 'dur': 20.5,"
         "'args': {'External id': 11, 'device': 3, 'stream': 7, 'correlation': 5, 'blocks per SM': 1.5, 'est. achieved "
         "occupancy %': 40}}");
const std::string kLaunch =
    json("{'ph': 'X', 'cat': 'cuda_runtime', 'name': 'cudaLaunchKernel', 'pid': 50, 'tid': 51, 'ts': 90, 'dur': 3,"
         "'args': {'External id': 11, 'cbid': 211, 'correlation': 5}}");
const std::string kOperator = json("{'ph': 'X', 'cat': 'cpu_op', 'name': 'aten::mm', 'pid': 50, 'tid': 51, 'ts': "
                                   "85.001, 'dur': 12, 'args': {'External id': 11, 'Input Dims': [[4, 4], [4, 4]]}}");

} // namespace

class TestKinetoReader : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::shared_ptr<StringTable> names_ = std::make_shared<StringTable>();

    fs::path write(const std::string& text) {
        const fs::path path = fs::path(folder_.path().toStdString()) / "rank3_trace.json";
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    std::shared_ptr<const RankTrace> read(const std::string& text) {
        auto rank = read_kineto(write(text), names_, {});
        if (!rank)
            qFatal("%s", english(rank.error().message).c_str());
        return *rank;
    }
    static EventIndex find(const RankTrace& rank, std::string_view name) {
        for (EventIndex i = 0; i < rank.events.size(); ++i)
            if (rank.event_name(i) == name)
                return i;
        return kNoEvent;
    }
    static std::int64_t count(const RankTrace& rank, std::string_view code) {
        std::int64_t total = 0;
        for (const Notice& notice : rank.notices)
            if (notice.code == code)
                total += notice.count;
        return total;
    }

private Q_SLOTS:
    void anEventLargerThanTheMemoryForItEndsTheTrace() {
        const std::string large = json("{'ph': 'X', 'cat': 'cpu_op', 'name': '") + std::string(40 << 20, 'x') +
                                  json("', 'pid': 50, 'tid': 51, 'ts': 85, 'dur': 1}");
        const fs::path path = write("[" + kKernel + ", " + large + ", " + kLaunch + "]");
        ReadOptions options;
        options.memory_bytes = 64u << 20;
        const auto rank = read_kineto(path, names_, options);
        QVERIFY2(rank, rank ? "" : english(rank.error().message).c_str());
        QCOMPARE((*rank)->events.size(), 1u);
        QCOMPARE(count(**rank, "truncated_file"), 1);
        QCOMPARE((*read_kineto(path, names_, {}))->events.size(), 3u);
    }

    void aLongNameIsCutBetweenCharacters() {
        std::string name;
        while (name.size() < 70'000)
            name += "xé";
        const auto rank = read("[" + json("{'ph': 'X', 'cat': 'cpu_op', 'name': '") + name +
                               json("', 'pid': 50, 'tid': 51, 'ts': 85, 'dur': 1}") + "]");
        const QString shown = QString::fromUtf8(rank->event_name(0));
        QVERIFY(shown.endsWith(u'…') && !shown.contains(QChar(0xFFFD)));
        QVERIFY(rank->event_name(0).size() <= 64 * 1024 + 3);
        // The event's own text has it whole.
        QVERIFY(read_event_text(*rank, 0).value().find(name) != std::string::npos);
    }

    void everyLayoutGivesTheSameTrace_data() {
        QTest::addColumn<QString>("text");
        const std::string events = std::string("[") + kKernel + ", " + kLaunch + ",\n" + kOperator + "]";
        const auto row = [](const char* name, const std::string& text) {
            QTest::newRow(name) << QString::fromStdString(text);
        };
        row("header first", std::string("{") + kHeader + ", \"traceEvents\": " + events + "}");
        row("header last", "{\"traceEvents\": " + events + ", " + kHeader + "}");
        row("header around", "{\"traceName\": \"x\\\"}]\", \"traceEvents\":" + events + ",\n" + kHeader + "}\n");
        row("bare array", events);
        row("byte order mark", "\xEF\xBB\xBF{" + kHeader + ", \"traceEvents\": " + events + "}");
        row("trailing comma",
            std::string("{") + kHeader + ", \"traceEvents\": " + events.substr(0, events.size() - 1) + ",\n]}");
        row("no space", std::string("{\"traceEvents\":[") + kKernel + "," + kLaunch + "," + kOperator + "]}");
    }
    void everyLayoutGivesTheSameTrace() {
        QFETCH(QString, text);
        const auto rank = read(text.toStdString());
        QCOMPARE(rank->events.size(), 3u);
        QCOMPARE(rank->events.gpu_count, 1u);
        QCOMPARE(rank->event_name(0), std::string_view("gemm"));
        QCOMPARE(rank->events.start[0], TimeNs{100125});
        QCOMPARE(rank->events.duration[0], TimeNs{20500});
        QCOMPARE(rank->event_name(rank->events.link[0]), std::string_view("cudaLaunchKernel"));
        QCOMPARE(rank->event_name(rank->gpu.operator_event[0]), std::string_view("aten::mm"));
        QCOMPARE(rank->lanes[0].stream, 7);
        QCOMPARE(rank->lanes[0].device, 3);
        QCOMPARE(rank->gpu.occupancy_of(0).blocks_per_sm, 1.5f);
        QCOMPARE(rank->gpu.occupancy_of(0).percent, 40.0f);
        QVERIFY(rank->notices.empty());
    }

    void theHeaderIsRead() {
        const auto rank = read(std::string("{\"traceEvents\": [") + kKernel + "], " + kHeader + ", \"with_flops\": 1}");
        QCOMPARE(rank->rank, 3);
        QCOMPARE(rank->world_size, 8);
        QCOMPARE(rank->devices.size(), std::size_t{1});
        QCOMPARE(rank->devices[0].multiprocessors, 108);
        QCOMPARE(rank->header.at("distributedInfo.nccl_version"), std::string("2.20.5"));
        QCOMPARE(rank->header.at("with_flops"), std::string("1"));
        QCOMPARE(rank->header.at("device.name"), std::string("NVIDIA A100"));
        QCOMPARE(rank->process_groups.at(0).description, std::string("default_pg"));
        QCOMPARE(rank->process_groups.at(0).ranks, (std::vector<int>{0, 1, 2, 3}));
    }

    void argumentsBeforeNameAndCategoryAreReadAsWell() {
        const auto rank = read(json("[{'args': {'correlation': 5, 'stream': 9, 'device': 1}, 'dur': 4, 'ts': 1, 'tid': "
                                    "9, 'pid': 1, 'cat': 'kernel', 'name': 'k', 'ph': 'X'},"
                                    "{'args': {'correlation': 5}, 'dur': 1, 'ts': 0, 'tid': 2, 'pid': 2, 'name': "
                                    "'hipLaunchKernel', 'cat': 'hip_runtime', 'ph': 'X'}]"));
        QCOMPARE(rank->lanes[0].stream, 9);
        QCOMPARE(rank->event_name(rank->events.link[0]), std::string_view("hipLaunchKernel"));
    }

    void olderSpellingsAndTextualIdsAreUnderstood() {
        const auto rank =
            read(json("[{'ph':'X','cat':'Kernel','name':'k','pid':0,'tid':'stream "
                      "7','ts':'10','dur':'5','args':{'device':0,'stream':7,'correlation':3,'external id':4}},"
                      "{'ph':'X','cat':'Memcpy','name':'Memcpy HtoD','pid':0,'tid':'stream "
                      "7','ts':20,'dur':5,'args':{'device':0,'stream':7,'bytes':4096,'memory bandwidth (GB/s)':0.8}},"
                      "{'ph':'X','cat':'Memset','name':'Memset','pid':0,'tid':'stream "
                      "7','ts':30,'dur':5,'args':{'device':0,'stream':7}},"
                      "{'ph':'X','cat':'Runtime','name':'cudaLaunchKernel','pid':'python','tid':'main','ts':1,'dur':1,'"
                      "args':{'correlation':3}},"
                      "{'ph':'X','cat':'Operator','name':'aten::add','pid':'python','tid':'main','ts':0,'dur':4,'args':"
                      "{'External Id':4}},"
                      "{'ph':'X','cat':'Trace','name':'PyTorch Profiler 0','pid':'Spans','tid':'PyTorch "
                      "Profiler','ts':0,'dur':100}]"));
        QCOMPARE(rank->events.gpu_count, 3u);
        QCOMPARE(int(rank->events.kind[1]), int(EventKind::memcpy));
        QCOMPARE(rank->memory_transfers.size(), std::size_t{1});
        QCOMPARE(rank->memory_transfers[0].bytes, 4096);
        QCOMPARE(rank->memory_transfers[0].bandwidth_gb_s, 0.8);
        QCOMPARE(rank->event_name(rank->gpu.operator_event[0]), std::string_view("aten::add"));
        QCOMPARE(rank->lanes.back().name, std::string("Spans PyTorch Profiler"));
    }

    void collectiveArgumentsAndGroupsAreKept() {
        const auto rank =
            read(json("[{'ph':'X','cat':'kernel','name':'ncclDevKernel_Generic<x>','pid':0,'tid':20,'ts':10,'dur':5,'"
                      "args':{'device':0,'stream':20,'correlation':3,"
                      "'Collective name':'_allgather_base','In msg nelems':1024,'Out msg nelems':4096,'Group "
                      "size':4,'dtype':'BFloat16','In split size':'[]','Out split size':[1,2],"
                      "'Process Group Name':'51','Process Group Description':'mesh_dp','Process Group Ranks':'[0, 4, "
                      "8, 12]','Seq':17}},"
                      "{'ph':'X','cat':'kernel','name':'ncclDevKernel_Generic<x>','pid':0,'tid':20,'ts':20,'dur':5,'"
                      "args':{'device':0,'stream':20,'correlation':4,"
                      "'Collective name':'send','In msg nelems':8,'Out msg nelems':8,'Group "
                      "size':99,'dtype':'Float','Process Group Name':'7','Process Group Description':'pp','Process "
                      "Group Ranks':'[0, 1, ...]','Src Rank':0,'Dst Rank':3}}]"));
        QCOMPARE(rank->collectives.size(), std::size_t{2});
        const CollectiveArgs& gather = rank->collective_args[rank->collectives[0].args];
        QCOMPARE(rank->names->view(gather.collective), std::string_view("_allgather_base"));
        QCOMPARE(rank->names->view(gather.dtype), std::string_view("BFloat16"));
        QCOMPARE(rank->names->view(gather.out_split), std::string_view("[1,2]"));
        QCOMPARE(gather.in_elements, 1024);
        QCOMPARE(gather.out_elements, 4096);
        QCOMPARE(rank->collectives[0].sequence, 17);
        QCOMPARE(rank->collective_sequence_of(rank->collectives[1].event), kUnknown);
        QCOMPARE(rank->process_groups[static_cast<std::size_t>(gather.group)].ranks, (std::vector<int>{0, 4, 8, 12}));
        const CollectiveArgs& send = rank->collective_args[rank->collectives[1].args];
        QCOMPARE(send.destination_rank, 3);
        const ProcessGroup& elided = rank->process_groups[static_cast<std::size_t>(send.group)];
        QVERIFY(elided.ranks.empty()); // "..." is not a whole list
        QCOMPARE(elided.size, 99);
    }

    void inputsOfLaunchingOperatorsAreKept() {
        const auto rank = read(
            json("[{'ph':'X','cat':'cpu_op','name':'aten::mm','pid':1,'tid':1,'ts':0,'dur':9,'args':{'External "
                 "id':4,'Sequence number':12,"
                 "'Concrete Inputs':['','1'],'Input type':['float','float'],'Input Dims':[[2,3],[3,4]],'flops':48}},"
                 "{'ph':'X','cat':'cpu_op','name':'aten::view','pid':1,'tid':1,'ts':20,'dur':1,'args':{'External "
                 "id':5,'Input Dims':[[2,3]]}},") +
            kKernel.substr(0, kKernel.find("\"External id\"")) + json("'External id': 4}}]"));
        QCOMPARE(rank->operator_inputs.size(), std::size_t{1}); // aten::view launches nothing
        const auto inputs = rank->inputs_of(find(*rank, "aten::mm"));
        QVERIFY(inputs.has_value());
        QCOMPARE(rank->names->view(inputs->dims), std::string_view("[[2,3],[3,4]]"));
        QCOMPARE(rank->names->view(inputs->types), std::string_view("[\"float\",\"float\"]"));
        QCOMPARE(rank->names->view(inputs->concrete), std::string_view("[\"\",\"1\"]"));
        QCOMPARE(rank->names->view(inputs->strides), std::string_view(""));
        QCOMPARE(inputs->flops, 48);
        QCOMPARE(inputs->sequence, 12);
        QVERIFY(!rank->inputs_of(find(*rank, "aten::view")));
    }

    void beginAndEndPairsBecomeEvents() {
        const auto rank = read(json(
            "[{'ph':'B','name':'outer','pid':1,'tid':1,'ts':0},{'ph':'B','name':'inner','pid':1,'tid':1,'ts':2},"
            "{'ph':'E','pid':1,'tid':1,'ts':5},{'ph':'E','pid':1,'tid':1,'ts':9},{'ph':'E','pid':1,'tid':1,'ts':10},"
            "{'ph':'b','cat':'c','id':'0x1','name':'first','pid':1,'tid':2,'ts':0},{'ph':'b','cat':'c','id':'0x2','"
            "name':'second','pid':1,'tid':2,'ts':1},"
            "{'ph':'e','cat':'c','id':'0x1','name':'first','pid':1,'tid':2,'ts':4},{'ph':'e','cat':'c','id':'0x2','"
            "name':'second','pid':1,'tid':2,'ts':6}]"));
        QCOMPARE(rank->events.size(), 4u);
        QCOMPARE(rank->events.duration[find(*rank, "outer")], TimeNs{9000});
        QCOMPARE(rank->events.duration[find(*rank, "inner")], TimeNs{3000});
        QCOMPARE(rank->events.duration[find(*rank, "first")], TimeNs{4000});
        QCOMPARE(rank->events.duration[find(*rank, "second")], TimeNs{5000});
        QCOMPARE(rank->parent_of(find(*rank, "inner")), find(*rank, "outer"));
        QCOMPARE(count(*rank, "unpaired_events"), 1);
    }

    /// A viewer's own form: what runs on the GPU has its stream in the arguments of B, and E has neither arguments nor
    /// a name.
    void anEndWithoutArgumentsEndsGpuWork() {
        const auto rank =
            read(json("[{'ph':'B','cat':'kernel','name':'gemm','pid':0,'tid':7,'ts':10,'args':{'device':0,'stream':7,"
                      "'correlation':5}},{'ph':'E','pid':0,'tid':7,'ts':14},"
                      "{'ph':'B','cat':'kernel','name':'gemm','pid':0,'tid':7,'ts':14,'args':{'device':0,'stream':7,"
                      "'correlation':6}},{'ph':'E','pid':0,'tid':7,'ts':20,'name':'gemm','cat':'kernel'},"
                      "{'ph':'B','cat':'cuda_runtime','name':'cudaLaunchKernel','pid':50,'tid':51,'ts':2,'args':"
                      "{'correlation':5}},{'ph':'E','pid':50,'tid':51,'ts':3}]"));
        QCOMPARE(rank->events.size(), 3u);
        QCOMPARE(rank->events.gpu_count, 2u);
        QCOMPARE(rank->lanes.front().stream, 7);
        QCOMPARE(rank->events.duration[0], TimeNs{4000});
        QCOMPARE(rank->events.duration[1], TimeNs{6000});
        QCOMPARE(rank->event_name(rank->events.link[0]), std::string_view("cudaLaunchKernel"));
        QCOMPARE(count(*rank, "unpaired_events"), 0);
    }

    /// Two that touch, the later one first in the file; and one inside another that ends after it, told by their names.
    void endsFindTheirStarts() {
        const auto rank =
            read(json("[{'ph':'B','name':'a','pid':1,'tid':1,'ts':5},{'ph':'E','name':'a','pid':1,'tid':1,'ts':9},"
                      "{'ph':'B','name':'a','pid':1,'tid':1,'ts':0},{'ph':'E','name':'a','pid':1,'tid':1,'ts':5},"
                      "{'ph':'B','name':'b','pid':1,'tid':2,'ts':0},{'ph':'B','name':'c','pid':1,'tid':2,'ts':2},"
                      "{'ph':'E','name':'b','pid':1,'tid':2,'ts':6},{'ph':'E','name':'c','pid':1,'tid':2,'ts':9},"
                      "{'ph':'E','name':'never begun','pid':1,'tid':1,'ts':8}]"));
        QCOMPARE(rank->events.size(), 4u);
        QCOMPARE(rank->events.duration[0], TimeNs{5000});
        QCOMPARE(rank->events.duration[1], TimeNs{4000});
        QCOMPARE(rank->events.duration[find(*rank, "b")], TimeNs{6000});
        QCOMPARE(rank->events.duration[find(*rank, "c")], TimeNs{7000});
        QCOMPARE(count(*rank, "unpaired_events"), 1);
    }

    /// PyTorch 1.8 and 1.9 write steps as operators.
    void aStepIsToldByItsName() {
        const auto rank =
            read(json("[{'ph':'X','cat':'Operator','name':'ProfilerStep#5','pid':1,'tid':1,'ts':0,'dur':10},"
                      "{'ph':'X','cat':'Operator','name':'aten::add','pid':1,'tid':1,'ts':2,'dur':3},"
                      "{'ph':'X','cat':'Operator','name':'ProfilerStep#6','pid':1,'tid':1,'ts':10,'dur':12},"
                      "{'ph':'X','cat':'Operator','name':'ProfilerStep#','pid':1,'tid':1,'ts':30,'dur':1}]"));
        QCOMPARE(rank->steps.size(), std::size_t{2});
        QCOMPARE(rank->steps[1].number, 6);
        QCOMPARE(rank->steps[1].range.length(), TimeNs{12'000});
    }

    void quotesThatDoNotMatchLoseTheirEventAlone_data() {
        QTest::addColumn<int>("bad"); // the event with the name
        QTest::addColumn<QString>("name");
        const auto row = [](const char* title, int bad, const char* name) { QTest::newRow(title) << bad << name; };
        row("one quote more", 1, "\"Helpers");
        row("three", 1, "\"\"\" Helpers of the model.(1): <module>");
        row("brackets behind it", 40, "f\"{x[0]}}]} ");
        row("two", 40, "a \"quoted\" name");
        row("five, and brackets", 40, "a \"\"quoted\"\" [name}\"");
        row("in the first event", 0, "\"");
        row("in the last event", 79, "\"");
        row("a backslash that ends the name", 5, "C:\\\\dir\\");
    }

    /// As Kineto writes it, each event on lines of its own; the base time stands behind the events. In pieces of any
    /// size, compressed or not.
    void quotesThatDoNotMatchLoseTheirEventAlone() {
        QFETCH(int, bad);
        QFETCH(QString, name);
        constexpr int kEvents = 80;
        std::string text = json("{\n  'schemaVersion': 1,\n  'traceEvents': [\n");
        for (int i = 0; i < kEvents; ++i)
            text += json("  {\n    'ph': 'X', 'cat': 'cpu_op', 'name': '") +
                    (i == bad ? name.toStdString() : "op " + std::to_string(i)) +
                    json("', 'pid': 1, 'tid': 1,\n    'ts': " + std::to_string(10 * i) +
                         ", 'dur': 5,\n    'args': {\n      'External id': " + std::to_string(i) + "\n    }\n  }") +
                    (i + 1 < kEvents ? ",\n" : "\n");
        text += json("  ],\n  'traceName': 'rank3.json',\n  'baseTimeNanoseconds': 1700000000000000000\n}\n");
        const auto rank = read(text);
        QCOMPARE(rank->events.size(), EventIndex{kEvents - 1});
        QCOMPARE(count(*rank, "malformed_events"), 1);
        QCOMPARE(count(*rank, "truncated_file"), 0);
        QCOMPARE(rank->clock_base, TimeNs{1'700'000'000'000'000'000});
        QCOMPARE(rank->accounting.events_in_file, std::uint64_t{kEvents});
        for (const int number : {2, 38, 41, 78}) {
            const EventIndex event = find(*rank, "op " + std::to_string(number));
            QVERIFY(event != kNoEvent);
            QCOMPARE(rank->events.start[event], TimeNs{1'700'000'000'000'000'000 + 10'000 * number});
            QVERIFY(read_event_text(*rank, event).value().find("op " + std::to_string(number)) != std::string::npos);
        }
    }

    void twoNamesWithAQuoteTooManyHideNothingBetweenThem() {
        std::string text = json("{\n  'traceEvents': [\n");
        for (int i = 0; i < 30; ++i)
            text += json("  {\n    'ph': 'X', 'cat': 'cpu_op', 'name': '") + (i == 5 || i == 20 ? "\"" : "op") +
                    json("', 'pid': 1, 'tid': 1,\n    'ts': " + std::to_string(10 * i) + ", 'dur': 5\n  },\n");
        const auto rank = read(text + json("  {\n    'ph': 'M', 'name': 'process_name', 'pid': 1\n  }\n  ]\n}\n"));
        QCOMPARE(rank->events.size(), 28u);
        QCOMPARE(count(*rank, "malformed_events"), 2);
        QCOMPARE(rank->accounting.events_in_file, std::uint64_t{31});
    }

    void instantsCountersMemoryAndFlowsAreKept() {
        const auto rank = read(
            json("[{'ph':'i','s':'t','name':'[memory]','pid':1,'tid':1,'ts':5.5,'args':{'Total Reserved':2048,'Total "
                 "Allocated':1024,'Bytes':-512,'Addr':139872,'Device Id':0,'Device Type':1}},"
                 "{'ph':'i','name':'Iteration Start: PyTorch Profiler','pid':'Traces','tid':'x','ts':1},"
                 "{'ph':'C','name':'GPU','pid':1,'ts':3,'args':{'busy':0.5,'name':'text is no value'}},"
                 "{'ph':'X','cat':'cpu_op','name':'fwd','pid':1,'tid':1,'ts':0,'dur':10,'args':{}},"
                 "{'ph':'X','cat':'cpu_op','name':'bwd','pid':1,'tid':2,'ts':20,'dur':10},"
                 "{'ph':'s','id':4,'cat':'fwdbwd','name':'fwdbwd','pid':1,'tid':1,'ts':0},"
                 "{'ph':'f','id':4,'cat':'fwdbwd','name':'fwdbwd','pid':1,'tid':2,'ts':20,'bp':'e'},"
                 "{'ph':'M','name':'thread_name','pid':1,'tid':2,'ts':0,'args':{'name':'thread 2 pt_autograd_0'}}]"));
        QCOMPARE(rank->memory_samples.size(), std::size_t{1});
        QCOMPARE(rank->memory_samples[0].time, TimeNs{5500});
        QCOMPARE(rank->memory_samples[0].bytes, -512);
        QCOMPARE(rank->memory_samples[0].allocated, 1024);
        QCOMPARE(rank->event_name(rank->memory_samples[0].operator_event), std::string_view("fwd"));
        QCOMPARE(rank->instants.size(), std::size_t{1});
        QCOMPARE(rank->counters.size(), std::size_t{1});
        QCOMPARE(rank->names->view(rank->counters[0].series), std::string_view("GPU: busy"));
        QCOMPARE(rank->counters[0].value, 0.5);
        QCOMPARE(rank->flows.size(), std::size_t{1});
        QCOMPARE(rank->lane_of(find(*rank, "bwd")).name, std::string("thread 2 pt_autograd_0"));
    }

    void baseTimeIsAddedUnlessTimesAreAbsoluteAlready() {
        const std::string event = json("{'ph':'X','cat':'cpu_op','name':'a','pid':1,'tid':1,'ts':1000.5,'dur':1}");
        QCOMPARE(
            read("{\"baseTimeNanoseconds\": 1735632360000000000, \"traceEvents\": [" + event + "]}")->events.start[0],
            TimeNs{1735632360001000500});
        const std::string absolute =
            json("{'ph':'X','cat':'cpu_op','name':'a','pid':1,'tid':1,'ts':1735632360001000.5,'dur':1}");
        QCOMPARE(read("{\"traceEvents\": [" + absolute + "], \"baseTimeNanoseconds\": 1735632360000000000}")
                     ->events.start[0],
                 TimeNs{1735632360001000500});
    }

    /// One event without a time, as recorders write it, must not decide how the times of the others are read.
    void strayTimesDoNotDecideWhatTheOthersMean() {
        const std::string absolute =
            json("{'ph':'X','cat':'cpu_op','name':'a','pid':1,'tid':1,'ts':1735632360001000.5,'dur':1}");
        const std::string stray = json("{'ph':'X','cat':'cpu_op','name':'never','pid':1,'tid':1,'ts':0,'dur':1}");
        const auto rank = read("{\"baseTimeNanoseconds\": 1735632360000000000, \"traceEvents\": [" + stray + "," +
                               absolute + "," + absolute + "]}");
        QCOMPARE(rank->events.size(), 2u);
        QCOMPARE(rank->events.start[0], TimeNs{1735632360001000500});
        QVERIFY(rank->notices.front().code == "stray_events");
        QCOMPARE(rank->notices.front().count, std::int64_t{1});
    }

    void aBaseTimeThatNoClockShowsIsNotAdded() {
        const std::string event = json("{'ph':'X','cat':'cpu_op','name':'a','pid':1,'tid':1,'ts':7,'dur':1}");
        for (const char* base : {"3000000000000000000", "9223372036854775807"}) {
            const auto rank =
                read("{\"baseTimeNanoseconds\": " + std::string(base) + ", \"traceEvents\": [" + event + "]}");
            QCOMPARE(rank->events.start[0], TimeNs{7000});
            QVERIFY(rank->notices.front().code == "implausible_base_time");
        }
    }

    void otherAcceleratorsAreGpuWorkWithLanes_data() {
        QTest::addColumn<QString>("category");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("args");
        QTest::addColumn<int>("kind");
        const auto row = [](const char* category, const char* name, const char* args, EventKind kind) {
            QTest::newRow((std::string(category) + " " + name + " " + args).c_str())
                << QString::fromLatin1(category) << QString::fromLatin1(name) << QString::fromLatin1(args) << int(kind);
        };
        const char* const place = "'device': 2, 'stream': 5, 'correlation': 7";
        row("mtia_ccp_events", "job_exe", place, EventKind::kernel);
        row("mtia_ccp_events", "dma_in", place, EventKind::memcpy);
        row("mtia_ccp_events", "job_exe", "'stream': 5, 'correlation': 7", EventKind::kernel); // device: the process
        row("mtia_runtime", "runFunction", "'correlation': 7", EventKind::runtime);
        row("kernel", "xpu_gemm", place, EventKind::kernel);
        row("xpu_runtime", "urEnqueueKernelLaunch", "'correlation': 7", EventKind::runtime);
        row("xpu_driver", "zeCommandListAppendLaunchKernel", "'correlation': 7", EventKind::driver);
        row("xpu_sync", "wait", place, EventKind::gpu_sync);
        row("hpu_op", "TPC", place, EventKind::kernel);
        row("hpu_op", "compile", "'x': 1", EventKind::runtime);
        row("privateuse1_driver", "nrt_execute", "'correlation': 7", EventKind::driver);
        row("privateuse1_driver", "exec on core", place, EventKind::kernel);
        row("privateuse1_runtime", "launch", "'correlation': 7", EventKind::runtime);
        row("mlu_memcpy", "copy", place, EventKind::memcpy);
        row("GCU_MEMSET", "set", place, EventKind::memset);
        row("GCU_USER_ANNOTATION", "step", place, EventKind::gpu_annotation);
        row("musa_driver", "muLaunchKernel", "'correlation': 7", EventKind::driver);
        row("glow_runtime", "run", "'x': 1", EventKind::runtime);
        row("cuda_event", "record", place, EventKind::other);
    }
    void otherAcceleratorsAreGpuWorkWithLanes() {
        QFETCH(QString, category);
        QFETCH(QString, name);
        QFETCH(QString, args);
        QFETCH(int, kind);
        const auto rank = read(json("[{'ph':'X','cat':'" + category.toStdString() + "','name':'" + name.toStdString() +
                                    "','pid':2,'tid':5,'ts':1,'dur':3,'args':{" + args.toStdString() + "}}]"));
        QCOMPARE(rank->events.size(), 1u);
        QCOMPARE(int(rank->events.kind[0]), kind);
        QCOMPARE(rank->notices.size(), std::size_t{0});
        QCOMPARE(rank->events.gpu_count, is_gpu_work(EventKind(kind)) ? 1u : 0u);
        if (is_gpu_work(EventKind(kind))) {
            QCOMPARE(int(rank->lanes.front().kind), int(LaneKind::gpu_stream));
            QCOMPARE(rank->lanes.front().device, 2);
            QCOMPARE(rank->lanes.front().stream, 5);
            QCOMPARE(rank->gpu_span.length(), 3000);
        }
        QCOMPARE(rank->accounting.on_timeline, 1u);
    }

    void callsOfOtherAcceleratorsLaunchTheirWork() {
        const auto rank =
            read(json("[{'ph':'X','cat':'mtia_runtime','name':'runFunction','pid':9,'tid':9,'ts':1,'dur':1,"
                      "'args':{'correlation':4}},"
                      "{'ph':'X','cat':'mtia_ccp_events','name':'job_exe','pid':0,'tid':1,'ts':5,'dur':3,"
                      "'args':{'device':0,'stream':1,'correlation':4}}]"));
        QCOMPARE(rank->events.gpu_count, 1u);
        QCOMPARE(rank->event_name(rank->events.link[0]), std::string_view("runFunction"));
    }

    void workOfAnUnknownKindIsNamed() {
        const char* const event = "{'ph':'X','cat':'tpu_thing','name':'a','pid':9,'tid':9,'ts':1,'dur':1,"
                                  "'args':{'device':0,'stream':1}}";
        const auto rank = read(json("[" + std::string(event) + "," + event + "]"));
        QCOMPARE(rank->events.size(), 2u);
        QCOMPARE(rank->notices.size(), std::size_t{1});
        QCOMPARE(count(*rank, "unknown_category"), 2);
        QVERIFY(english(rank->notices.front().message).find("\"tpu_thing\"") != std::string::npos);
    }

    void oneBadEventCostsOnlyItself_data() {
        QTest::addColumn<QString>("bad");
        QTest::addColumn<int>("events");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name, const std::string& bad, int events, const char* code) {
            QTest::newRow(name) << QString::fromLatin1(bad.c_str()) << events << QString::fromLatin1(code);
        };
        row("no value", json("{'ph':'X','cat':'cpu_op','name':'bad','ts':,'dur':1}"), 2, "malformed_events");
        row("no time", json("{'ph':'X','cat':'cpu_op','name':'bad','dur':1}"), 2, "malformed_events");
        row("time is a word", json("{'ph':'X','cat':'cpu_op','name':'bad','ts':'soon','dur':1}"), 2,
            "malformed_events");
        row("duration NaN", json("{'ph':'X','cat':'cpu_op','name':'bad','ts':1,'dur':NaN}"), 2, "malformed_events");
        row("argument Infinity",
            json("{'ph':'X','cat':'cpu_op','name':'bad','pid':9,'tid':9,'ts':1,'dur':1,'args':{'x':-Infinity}}"), 3,
            "");
        row("a scalar among them", "42", 2, "repaired_text");
        row("negative duration", json("{'ph':'X','cat':'cpu_op','name':'bad','pid':9,'tid':9,'ts':1,'dur':-5}"), 3,
            "negative_durations");
        row("time beyond range", json("{'ph':'X','cat':'cpu_op','name':'bad','ts':1e30,'dur':1}"), 2,
            "malformed_events");
        row("end beyond range",
            json("{'ph':'X','cat':'cpu_op','name':'bad','ts':9000000000000000,'dur':9000000000000000}"), 2,
            "malformed_events");
        row("a time in the year 2100", json("{'ph':'X','cat':'cpu_op','name':'bad','ts':4102444800000000,'dur':1}"), 2,
            "malformed_events");
        row("a duration of years",
            json("{'ph':'X','cat':'cpu_op','name':'bad','pid':9,'tid':9,'ts':1,'dur':90000000000000}"), 2,
            "stray_events");
        row("the time of another decade",
            json("{'ph':'X','cat':'cpu_op','name':'bad','pid':9,'tid':9,'ts':900000000000000,'dur':1}"), 2,
            "stray_events");
        row("a begin in another one than its end",
            json("{'ph':'B','cat':'cpu_op','name':'bad','pid':9,'tid':9,'ts':-900000000000000},"
                 "{'ph':'E','cat':'cpu_op','name':'bad','pid':9,'tid':9,'ts':5}"),
            2, "stray_events");
        row("an instant far away", json("{'ph':'i','cat':'x','name':'bad','pid':9,'tid':9,'ts':-900000000000000}"), 2,
            "stray_events");
        row("a counter far away", json("{'ph':'C','name':'bad','pid':9,'tid':9,'ts':-900000000000000,'args':{'x':1}}"),
            2, "stray_events");
        row("a memory sample far away",
            json("{'ph':'i','cat':'x','name':'[memory]','pid':9,'tid':9,'ts':-900000000000000,'args':{'Bytes':1}}"), 2,
            "stray_events");
        row("comma missing before", json("{'ph':'X','cat':'cpu_op','name':'bad','pid':9,'tid':9,'ts':1,'dur':1 'x':2}"),
            2, "malformed_events");
        row("raw newline in the name",
            "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\nb\",\"pid\":9,\"tid\":9,\"ts\":1,\"dur\":1}", 3,
            "repaired_text");
        row("not UTF-8", "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\xFF\",\"pid\":9,\"tid\":9,\"ts\":1,\"dur\":1}",
            3, "repaired_text");
        row("duplicate keys",
            json("{'ph':'X','cat':'kernel','cat':'cpu_op','name':'a','pid':9,'tid':9,'ts':1,'ts':2,'dur':1}"), 3, "");
        row("null arguments", json("{'ph':'X','cat':'cpu_op','name':'a','pid':9,'tid':9,'ts':1,'dur':1,'args':null}"),
            3, "");
        row("no phase", json("{'cat':'cpu_op','name':'a','ts':1,'dur':1}"), 2, "malformed_events");
        row("empty object", "{}", 2, "malformed_events");
    }
    void oneBadEventCostsOnlyItself() {
        QFETCH(QString, bad);
        QFETCH(int, events);
        QFETCH(QString, code);
        const auto rank = read(std::string("{\"traceEvents\": [") + kKernel + ", " + bad.toLatin1().toStdString() +
                               ", " + kLaunch + "]}");
        QCOMPARE(int(rank->events.size()), events);
        QVERIFY(find(*rank, "gemm") != kNoEvent);
        QVERIFY(find(*rank, "cudaLaunchKernel") != kNoEvent);
        if (code.isEmpty())
            QVERIFY(rank->notices.empty());
        else
            QCOMPARE(count(*rank, code.toStdString()), 1);
    }

    void deepNestingIsSkipped() {
        const std::string deep = std::string(1000, '[') + std::string(1000, ']');
        const auto rank = read(json("{'traceEvents':[{'ph':'X','cat':'cpu_op','name':'a','pid':1,'tid':1,'ts':1,'dur':"
                                    "1,'args':{'Input Dims':") +
                               deep + json(",'External id':4}},") + kKernel + "]}");
        QCOMPARE(rank->events.size(), 2u);
    }

    /// A file cut anywhere gives exactly the events that are whole before the cut.
    void aCutFileGivesEveryWholeEvent() {
        const std::string head = std::string("{") + kHeader + ", \"traceEvents\": [";
        std::string text = head;
        std::vector<std::size_t> ends; // of each event in the text
        for (int i = 0; i < 40; ++i) {
            std::string event = i % 2 != 0 ? kKernel : kOperator;
            const std::size_t start = event.find(i % 2 != 0 ? "100.125" : "85.001");
            event.replace(start, event.find('.', start) - start, std::to_string(100 + 30 * i)); // each at its own time
            text += (i > 0 ? ",\n" : "") + event;
            ends.push_back(text.size());
        }
        const std::string whole = text + "]}";
        std::mt19937 random(5);
        for (int round = 0; round < 300; ++round) {
            const std::size_t cut = head.size() + random() % (text.size() - head.size());
            const auto expected =
                static_cast<std::uint32_t>(std::ranges::count_if(ends, [&](std::size_t end) { return end <= cut; }));
            const auto rank = read(whole.substr(0, cut));
            QCOMPARE(rank->events.size(), expected);
            QCOMPARE(count(*rank, "truncated_file"), 1);
        }
    }

    void eventsAcrossBlockBordersAreAllThere() {
        // Some megabytes, so that many blocks and threads take part; the names count the events.
        std::string text = "{\"traceEvents\": [\n";
        constexpr int kEvents = 40000;
        for (int i = 0; i < kEvents; ++i)
            text += (i > 0 ? ",\n" : "") + std::string(json("{'ph':'X','cat':'cpu_op','name':'op ")) +
                    std::to_string(i % 500) + json(" \\\"quoted\\\\','pid':1,'tid':1,'ts':") + std::to_string(i * 10) +
                    json(".5,'dur':9.25,'args':{'Input Dims':[[1,2],[3]],'text':'}],[{'}}");
        text += "]}";
        const auto rank = read(text);
        QCOMPARE(int(rank->events.size()), kEvents);
        for (EventIndex i = 0; i < rank->events.size(); ++i) {
            QCOMPARE(rank->events.start[i], TimeNs{i} * 10000 + 500);
            QCOMPARE(rank->events.ordinal[i], i);
            QCOMPARE(rank->event_name(i), "op " + std::to_string(i % 500) + " \"quoted\\");
        }
        for (const EventIndex i : {0u, 63u, 64u, 12345u, 39999u}) {
            const auto event = read_event_text(*rank, i);
            QVERIFY(event.has_value());
            QVERIFY(event->find("\"ts\":" + std::to_string(i * 10) + ".5,") != std::string::npos);
        }
    }

    void whatIsNoTraceIsAnErrorInOneLine() {
        for (const char* text : {"", "garbage", "{}", "{\"a\": 1}", "\x89PNG\r\n", "42"}) {
            const auto rank = read_kineto(write(text), names_, {});
            QVERIFY2(!rank, text);
            QVERIFY(english(rank.error().message).find('\n') == std::string::npos);
        }
    }
};

RANKSCOPE_TEST(TestKinetoReader)

} // namespace rankscope::kineto_reader_test

#include "test_kineto_reader.moc"
