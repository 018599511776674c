// SPDX-License-Identifier: GPL-3.0-or-later
// XPlane: made profiles whose numbers are worked out by hand, damaged ones, and the programs in them.
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <random>

#include <zlib.h>

#include "core/input/load/load_run.h"
#include "core/input/xplane/hlo_module.h"
#include "core/input/xplane/xspace.h"
#include "core/metrics/catalogue.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/xplane_writer.h"

namespace rankscope::xplane_test {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kSession = 1'700'000'000'000'000'000; // Unix time of the session, ns

/// An array of bf16 (element type 16).
WireWriter array(std::initializer_list<std::int64_t> dims) { return WireWriter().number(2, 16).packed(3, dims); }

WireWriter instruction(std::int64_t id, const std::string& name, const std::string& opcode, const WireWriter& shape,
                       std::initializer_list<std::int64_t> operands = {}) {
    return WireWriter().bytes(1, name).bytes(2, opcode).message(3, shape).number(35, id).packed(36, operands);
}

/// A program on four devices: a dot, then an all-reduce of two groups, and an all-gather whose groups are written as a
/// range: [2,2] transposed, {0,2},{1,3}.
std::string program() {
    WireWriter dot = instruction(3, "dot.1", "dot", array({8, 32}), {1, 2});
    dot.message(30, WireWriter().packed(1, {1}).packed(2, {0}));
    WireWriter reduce = instruction(4, "all-reduce-start.1", "all-reduce-start", array({8, 32}), {3});
    reduce.message(49, WireWriter().packed(1, {0, 1})).message(49, WireWriter().packed(1, {2, 3}));
    reduce.number(26, 1).number(71, 1);
    WireWriter gather = instruction(5, "all-gather.2", "all-gather", array({16, 32}), {3});
    gather.message(87,
                   WireWriter().message(2, WireWriter().number(1, 2).number(2, 2).packed(3, {2, 2}).packed(4, {1, 0})));
    gather.number(26, 2).number(71, 1);
    WireWriter permute = instruction(6, "collective-permute.3", "collective-permute", array({8, 32}), {3});
    permute.message(52, WireWriter().number(1, 0).number(2, 1)).message(52, WireWriter().number(1, 1).number(2, 0));
    permute.number(26, 3);
    WireWriter computation;
    computation.bytes(1, "main").message(2, instruction(1, "p0", "parameter", array({8, 16})));
    computation.message(2, instruction(2, "p1", "parameter", array({16, 32})));
    computation.message(2, dot).message(2, reduce).message(2, gather).message(2, permute).number(5, 1);
    WireWriter devices;
    devices.number(1, 1).number(2, 4);
    for (std::int64_t d = 0; d < 4; ++d)
        devices.message(3, WireWriter().packed(1, {d}));
    return WireWriter()
        .message(1, WireWriter().bytes(1, "jit_step").message(3, computation).message(15, devices))
        .text();
}

std::vector<XStatValue> kernel_of(std::int64_t correlation, const std::string& op) {
    return {{"correlation_id", correlation},
            {"kernel_details", "regs:32 static_shared:1024 dynamic_shared:0 grid:64,2,1 block:256,1,1 occ_pct:50"},
            {"hlo_op", op},
            {"hlo_module", "jit_step"},
            {"program_id", std::int64_t{7}}};
}

XPlaneWriter environment() {
    XPlaneWriter plane("Task Environment");
    plane.stat({"profile_start_time", kSession});
    return plane;
}

XPlaneWriter programs() {
    XPlaneWriter plane("/host:metadata");
    plane.program(7, "jit_step(7)", program());
    return plane;
}

/// Device d: a dot from 200 to 300, an all-reduce from 300 + 10 d to 400, a copy on another stream.
XPlaneWriter gpu(int d) {
    XPlaneWriter plane("/device:GPU:" + std::to_string(d));
    plane.stat({"device_vendor", "Nvidia"}).stat({"core_count", std::int64_t{128}});
    plane.line(7, "Stream #7(Compute)", 1000);
    plane.event("gemm", 200, 300, kernel_of(10 + d, "dot.1"));
    plane.event("ncclDevKernel_AllReduce", 300 + 10 * d, 400, kernel_of(20 + d, "all-reduce-start.1"));
    plane.event("ncclDevKernel_AllGather", 400, 450, kernel_of(30 + d, "all-gather.2"));
    plane.line(8, "Stream #8(MemcpyH2D)", 1000);
    plane.event("MemcpyH2D", 100, 150,
                {{"correlation_id", std::int64_t{40 + d}},
                 {"memcpy_details", "kind_src:host kind_dst:device size:4096 dest:0 async:1"}});
    return plane;
}

/// A thread for each device launches its work; the main thread serves both.
XPlaneWriter host(int devices) {
    XPlaneWriter plane("/host:CPU");
    plane.line(1, "python", 1000);
    plane.event("train", 0, 500, {{"step_num", std::int64_t{3}}});
    plane.event("$loop.py:12 step", 10, 490);
    plane.event("mark", 20, 20);
    for (std::int64_t d = 0; d < devices; ++d) {
        plane.line(10 + d, "py_xla_execute/" + std::to_string(d), 1000);
        plane.event("jit_step:XLA GPU module", 90, 180);
        plane.event("cuLaunchKernel", 100, 110, {{"correlation_id", 10 + d}, {"device_id", d}});
        plane.event("cuLaunchKernel", 120, 130, {{"correlation_id", 20 + d}, {"device_id", d}});
        plane.event("cuLaunchKernel", 140, 150, {{"correlation_id", 30 + d}, {"device_id", d}});
        plane.event("MemoryAllocation", 95, 95,
                    {{"allocator_name", "GPU_" + std::to_string(d) + "_bfc"},
                     {"bytes_allocated", std::int64_t{8192}},
                     {"allocation_bytes", std::int64_t{4096}}});
    }
    return plane;
}

std::string two_gpus() { return xspace({environment(), programs(), gpu(0), gpu(1), host(2)}, "node1"); }

} // namespace

class TestXplane : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    int files_ = 0;

    fs::path write(const std::string& bytes, const std::string& name = "host.xplane.pb") {
        const fs::path folder = fs::path(folder_.path().toStdString()) / std::to_string(files_++);
        fs::create_directories(folder);
        std::ofstream(folder / name, std::ios::binary) << bytes;
        return folder / name;
    }
    static std::shared_ptr<const Run> load(const fs::path& path) {
        LoadOptions options;
        options.use_cache = false;
        auto run = load_run(path, options);
        if (!run)
            qFatal("%s", english(run.error().message).c_str());
        return *run;
    }
    static std::string accounted(const Run& run) {
        const Accounting all = accounting_of(run);
        return std::to_string(all.events_in_file) + " = " + std::to_string(all.on_timeline) + " + " +
               english(not_shown_text(all));
    }
    static EventIndex event_named(const RankTrace& rank, std::string_view name) {
        for (EventIndex i = 0; i < rank.events.size(); ++i)
            if (rank.event_name(i) == name)
                return i;
        return kNoEvent;
    }

private Q_SLOTS:
    void reads_the_wire() {
        const std::string text =
            WireWriter().number(1, -5).real(2, 0.25).bytes(3, "abc").packed(4, {1, 300, -1}).text();
        WireReader fields(text);
        QVERIFY(fields.next() && fields.is_number(1));
        QCOMPARE(fields.integer(), std::int64_t{-5});
        QVERIFY(fields.next() && fields.is_number(2));
        QCOMPARE(fields.real(), 0.25);
        QVERIFY(fields.next() && fields.is_bytes(3));
        QCOMPARE(fields.bytes(), std::string_view("abc"));
        QVERIFY(fields.next());
        std::vector<std::int64_t> numbers;
        QVERIFY(for_each_number(fields, [&](std::int64_t n) { numbers.push_back(n); }));
        QCOMPARE(numbers, (std::vector<std::int64_t>{1, 300, -1}));
        QVERIFY(!fields.next() && !fields.damaged());

        // Cut in every place: never more than was there, and told.
        for (std::size_t size = 0; size < text.size(); ++size) {
            WireReader cut(std::string_view(text).substr(0, size));
            int whole = 0;
            while (cut.next())
                whole += !cut.cut();
            QVERIFY(whole < 4);
        }
        for (const std::string& bad : {std::string("\x03"), std::string("\x00", 1), std::string(11, '\xFF')}) {
            WireReader fields_of_bad(bad);
            QVERIFY(!fields_of_bad.next() && fields_of_bad.damaged());
        }
    }

    void reads_programs() {
        const std::string text = program();
        const HloModule module(text);
        const HloInstruction* dot = module.find("dot.1");
        QVERIFY(dot != nullptr);
        QCOMPARE(dot->flops, std::int64_t{2 * 8 * 32 * 16});
        QCOMPARE(dot->operands.size(), std::size_t{2});
        QCOMPARE(hlo_type_word(dot->operands[1]->element_type), std::string_view("bf16"));
        QCOMPARE(dot->operands[1]->elements, std::int64_t{512});
        const HloInstruction* reduce = module.find("all-reduce-start.1");
        QVERIFY(reduce->collective == HloCollective::all_reduce && reduce->is_start);
        QCOMPARE(reduce->groups, (std::vector<std::vector<int>>{{0, 1}, {2, 3}}));
        QCOMPARE(module.find("all-gather.2")->groups, (std::vector<std::vector<int>>{{0, 2}, {1, 3}}));
        QCOMPARE(module.find("collective-permute.3")->groups, (std::vector<std::vector<int>>{{0, 1}}));
        QVERIFY(module.find("nothing") == nullptr);
        // Cut in every place: some instructions, or none.
        for (std::size_t size = 0; size < text.size(); ++size)
            QVERIFY(HloModule(std::string_view(text).substr(0, size)).size() <= module.size());
    }

    void a_file_that_unpacks_to_far_more_is_refused() {
        const fs::path path = write({}, "host.xplane.pb.gz");
        gzFile file = gzopen(path.c_str(), "wb1");
        const std::string text = two_gpus();
        gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
        const std::string zeros(1 << 20, '\0');
        const std::string unknown = WireWriter().bytes(9, zeros).text();
        for (int i = 0; i < 200; ++i)
            gzwrite(file, unknown.data(), static_cast<unsigned>(unknown.size()));
        gzclose(file);
        const auto run = load_run(path);
        QVERIFY(!run);
        QVERIFY2(english(run.error().message).find("unpacks to more than 100 times its size") != std::string::npos,
                 english(run.error().message).c_str());
    }

    /// Few bytes that stand for many devices, shapes or calls: what is made of them is bounded by the bytes.
    void programs_are_bounded_by_their_bytes() {
        const auto module_of = [](const WireWriter& computation, std::int64_t replicas) {
            WireWriter module;
            module.message(3, computation);
            if (replicas > 0)
                module.message(15, WireWriter().number(1, replicas).number(2, 1));
            return WireWriter().message(1, module).text();
        };
        const auto members = [](const HloModule& module, int instructions) {
            std::size_t count = 0;
            for (int i = 0; i < instructions; ++i)
                for (const auto& group : module.find("i" + std::to_string(i))->groups)
                    count += group.size();
            return count;
        };
        const std::string million = WireWriter().message(2, WireWriter().number(1, 1).number(2, 1 << 20)).text();
        WireWriter ranges, replicas;
        for (int i = 0; i < 20; ++i) {
            WireWriter all = instruction(i, "i" + std::to_string(i), "all-reduce", array({8}));
            replicas.message(2, all);
            ranges.message(2, all.bytes(87, million));
        }
        for (const std::string& text : {module_of(ranges, 0), module_of(replicas, 1 << 20)}) {
            const std::size_t found = members(HloModule(text), 20);
            const std::size_t most = HloAllowance::kIds + HloAllowance::kIdsAByte * text.size();
            QVERIFY2(found > 0 && found <= most, std::to_string(found).c_str());
            // Of several programs of a file together.
            HloAllowance allowance(text.size());
            std::size_t of_all = 0;
            for (int i = 0; i < 5; ++i)
                of_all += members(HloModule(text, allowance), 20);
            QVERIFY2(of_all >= found && of_all <= most, std::to_string(of_all).c_str());
        }
        // 2 000 references to a tuple of 2 000 arrays are one tuple.
        WireWriter tuple, twice;
        for (int i = 0; i < 2000; ++i)
            tuple.message(4, array({8}));
        twice.message(2, instruction(1, "tuple", "tuple", tuple));
        twice.message(2, instruction(2, "call", "call", array({8})).bytes(36, std::string(2000, '\x01')));
        const std::string referring = module_of(twice, 0);
        const HloModule module(referring);
        const HloInstruction* call = module.find("call");
        QCOMPARE(call->operands.size(), std::size_t{2000});
        QCOMPARE(call->operands[0]->elements, std::int64_t{16'000});
        for (const auto& operand : call->operands)
            QCOMPARE(operand, module.find("tuple")->result);
    }

    void a_program_that_is_not_wanted_any_more_is_left() {
        std::stop_source stop;
        stop.request_stop();
        HloAllowance allowance(0);
        QCOMPARE(HloModule(program(), allowance, stop.get_token()).size(), std::size_t{0});
    }

    void a_collective_in_a_computation_of_its_own() {
        WireWriter inner, outer;
        WireWriter reduce = instruction(1, "inner", "all-reduce", array({8}));
        reduce.message(49, WireWriter().packed(1, {0, 1})).number(26, 1).number(71, 1);
        inner.number(5, 7).message(2, instruction(2, "add", "add", array({8}))).message(2, reduce);
        outer.number(5, 8).message(2, instruction(3, "start", "async-start", array({8})).packed(38, {7, 7, 7}));
        const std::string text = WireWriter()
                                     .message(1, WireWriter().message(3, inner).message(3, outer).message(
                                                     15, WireWriter().number(1, 1).number(2, 2)))
                                     .text();
        const HloModule module(text);
        const HloInstruction* start = module.find("start");
        QVERIFY(start->collective == HloCollective::all_reduce && start->is_start);
        QCOMPARE(start->groups, (std::vector<std::vector<int>>{{0, 1}}));
    }

    void a_rank_for_each_device() {
        const auto run = load(write(two_gpus()));
        QCOMPARE(run->source, TraceSource::xplane);
        QCOMPARE(run->ranks.size(), std::size_t{2});
        QCOMPARE(run->world_size, 2);
        const RankTrace& rank = *run->ranks[1];
        QCOMPARE(rank.rank, 1);
        QCOMPARE(rank.events.gpu_count, EventIndex{4});
        const EventIndex gemm = event_named(rank, "gemm");
        QCOMPARE(rank.events.start[gemm], kSession + 1000 + 200);
        QCOMPARE(rank.events.duration[gemm], TimeNs{100});
        // Launched by its own thread, from inside the operator of the program.
        const EventIndex call = rank.events.link[gemm];
        QVERIFY(call != kNoEvent);
        QCOMPARE(rank.event_name(call), std::string_view("cuLaunchKernel"));
        QCOMPARE(rank.events.kind[call], EventKind::driver);
        const EventIndex op = rank.gpu.operator_event[gemm];
        QVERIFY(op != kNoEvent);
        QCOMPARE(rank.event_name(op), std::string_view("dot.1"));
        QCOMPARE(rank.events.range(op), rank.events.range(call));
        const auto inputs = rank.inputs_of(op);
        QVERIFY(inputs.has_value());
        QCOMPARE(rank.names->view(inputs->dims), std::string_view("[[8, 16], [16, 32]]"));
        QCOMPARE(rank.names->view(inputs->types), std::string_view("[\"bf16\", \"bf16\"]"));
        QCOMPARE(inputs->flops, std::int64_t{8192});
        // Two lanes of the device tell programs and operators.
        int annotations = 0;
        for (EventIndex i = 0; i < rank.events.size(); ++i)
            annotations += rank.events.kind[i] == EventKind::gpu_annotation;
        QCOMPARE(annotations, 4); // jit_step and its three operators
        const EventIndex module = event_named(rank, "jit_step");
        QCOMPARE(rank.events.range(module), (TimeRange{kSession + 1200, kSession + 1450}));
        // The other device's thread is not here; the main thread is.
        QCOMPARE(std::ranges::count(rank.lanes, LaneKind::cpu_thread, &Lane::kind), std::ptrdiff_t{2});
        QCOMPARE(rank.steps.size(), std::size_t{1});
        QCOMPARE(rank.steps[0].number, std::int64_t{3});
        QCOMPARE(rank.event_name(rank.steps[0].event), std::string_view("train"));
        QCOMPARE(rank.memory_samples.size(), std::size_t{1});
        QCOMPARE(rank.memory_samples[0].allocated, std::int64_t{8192});
        QCOMPARE(rank.memory_transfers[0].bytes, std::int64_t{4096});
        const LaunchShape& shape = rank.launch_shapes[rank.gpu.launch_shape[gemm]];
        QCOMPARE(shape.grid, (std::array<std::uint32_t, 3>{64, 2, 1}));
        QCOMPARE(shape.registers, 32u);
        QCOMPARE(rank.gpu.occupancy_of(gemm).percent, 50.f);
        QCOMPARE(rank.gpu.occupancy_of(gemm).blocks_per_sm, 1.f);
        // 8 of the devices; 3 + 2 · 4 on threads, 1 mark, 2 allocations.
        QCOMPARE(accounted(*run), std::string("21 = 18 + 1 instants, 2 memory samples"));
    }

    /// The trace viewer's file names no device beside a launch. Each thread launches for one GPU, as what has the same
    /// correlation tells: no launch is without work, and each rank shows its own thread alone.
    void launches_belong_to_the_device_of_their_work() {
        XPlaneWriter threads("/host:CPU");
        std::vector<XPlaneWriter> planes;
        for (int gpu = 0; gpu < 2; ++gpu) {
            XPlaneWriter& device = planes.emplace_back("/device:GPU:" + std::to_string(gpu));
            device.line(13, "Stream #13(Compute)", 0);
            threads.line(2000 + gpu, "launcher/" + std::to_string(gpu), 0);
            for (int i = 0; i < 4; ++i) {
                const std::int64_t id = 1 + i + 10 * gpu;
                threads.event("cuLaunchKernel", 100'000 * i, 2'000, {{"correlation_id", id}});
                device.event("gemm", 100'000 * i + 10'000, 50'000, {{"correlation_id", id}});
            }
        }
        planes.push_back(threads);
        const auto run = load(write(xspace(planes)));
        QCOMPARE(run->ranks.size(), std::size_t{2});
        for (const auto& rank : run->ranks) {
            QVERIFY(std::ranges::find(rank->notices, NoticeCode("lost_gpu_work"), &Notice::code) ==
                    rank->notices.end());
            QCOMPARE(std::ranges::count(rank->lanes, LaneKind::cpu_thread, &Lane::kind), std::ptrdiff_t{1});
        }
    }

    void collectives_have_their_groups() {
        const auto run = load(write(two_gpus()));
        for (const auto& rank : run->ranks) {
            const CollectiveArgs* reduce = rank->collective_of(event_named(*rank, "ncclDevKernel_AllReduce"));
            QVERIFY(reduce != nullptr);
            QCOMPARE(rank->names->view(reduce->collective), std::string_view("all_reduce"));
            QCOMPARE(rank->names->view(reduce->dtype), std::string_view("BFloat16"));
            QCOMPARE(reduce->in_elements, std::int64_t{256});
            QCOMPARE(rank->process_groups[static_cast<std::size_t>(reduce->group)].ranks, (std::vector<int>{0, 1}));
            const CollectiveArgs* gather = rank->collective_of(event_named(*rank, "ncclDevKernel_AllGather"));
            QCOMPARE(gather->out_elements, std::int64_t{512});
            QCOMPARE(rank->process_groups[static_cast<std::size_t>(gather->group)].ranks,
                     (rank->rank == 0 ? std::vector<int>{0, 2} : std::vector<int>{1, 3}));
        }
        const RunAnalysis analysis(run, Selection{});
        QCOMPARE(analysis.collectives().groups.size(), std::size_t{3});
    }

    void hosts_are_numbered_by_their_names() {
        const fs::path first = write(two_gpus(), "node-a.xplane.pb");
        std::ofstream(first.parent_path() / "node-b.xplane.pb", std::ios::binary) << two_gpus();
        const auto run = load(first.parent_path());
        QCOMPARE(run->ranks.size(), std::size_t{4});
        QCOMPARE(run->world_size, 4);
        for (int r = 0; r < 4; ++r)
            QCOMPARE(run->ranks[static_cast<std::size_t>(r)]->rank, r);
        const RankTrace& third = *run->ranks[2];
        const CollectiveArgs* reduce = third.collective_of(event_named(third, "ncclDevKernel_AllReduce"));
        QCOMPARE(third.process_groups[static_cast<std::size_t>(reduce->group)].ranks, (std::vector<int>{2, 3}));
        const CollectiveArgs* gather = third.collective_of(event_named(third, "ncclDevKernel_AllGather"));
        QCOMPARE(third.process_groups[static_cast<std::size_t>(gather->group)].ranks, (std::vector<int>{0, 2}));
    }

    /// JAX writes the profile once more as JSON beside it.
    void the_profile_is_read_and_not_its_copies() {
        const fs::path path = write(two_gpus(), "node-a.xplane.pb");
        const char* json =
            R"({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]})";
        for (const char* copy : {"node-a.trace.json", "perfetto_trace.json"})
            std::ofstream(path.parent_path() / copy) << json;
        const auto run = load(path.parent_path());
        QCOMPARE(run->source, TraceSource::xplane);
        QCOMPARE(run->ranks.size(), std::size_t{2});
        QVERIFY(std::ranges::none_of(run->notices, [](const Notice& n) { return n.code == "several_sources"; }));
    }

    /// The operators of a TPU are its work; loops and lines that describe them are none.
    void a_tpu() {
        XPlaneWriter plane("/device:TPU:0");
        plane.stat({"device_type_string", "TPU v4"});
        plane.line(1, "Steps", kSession);
        plane.event("0", 0, 500).event("1", 500, 1000);
        plane.line(2, "XLA Modules", kSession);
        plane.event("jit_step(7)", 0, 1000);
        plane.line(3, "XLA Ops", kSession);
        plane.describe("%fusion.1 = bf16[8]{0} fusion(...)", "fusion.1", {{"flops", std::int64_t{1000}}});
        plane.event("while.1", 0, 900);
        plane.event_ps("%fusion.1 = bf16[8]{0} fusion(...)", 100'500, 300'900);
        plane.event("all-reduce.4", 400, 700);
        plane.line(4, "Async XLA Ops", kSession);
        plane.event("copy-start.2", 150, 450);
        const auto run = load(write(xspace({plane})));
        const RankTrace& rank = *run->ranks.at(0);
        QCOMPARE(rank.devices.at(0).name, std::string("TPU v4"));
        QCOMPARE(rank.events.gpu_count, EventIndex{3});
        const EventIndex fusion = event_named(rank, "fusion.1");
        QCOMPARE(rank.events.range(fusion), (TimeRange{kSession + 100, kSession + 300}));
        QCOMPARE(rank.events.kind[event_named(rank, "while.1")], EventKind::gpu_annotation);
        QCOMPARE(rank.events.kind[event_named(rank, "copy-start.2")], EventKind::memcpy);
        QCOMPARE(KernelClassRules().classes_of(rank)[event_named(rank, "all-reduce.4")], KernelClass::communication);
        QCOMPARE(rank.steps.size(), std::size_t{2});
        QCOMPARE(rank.steps[1].range, (TimeRange{kSession + 500, kSession + 1000}));
    }

    /// The profiler writes samples of counters as events without a duration: no work of the GPU.
    void samples_of_counters_are_no_kernels() {
        XPlaneWriter device = gpu(0);
        device.line(99, "_counters_", 1000);
        device.event("SM Active (%)", 200, 200, {{"counter_value", 62.5}});
        device.event("SM Active (%)", 300, 300, {{"counter_value", std::int64_t{70}}});
        device.event("SM Active (%)", 400, 400);
        const auto run = load(write(xspace({environment(), programs(), device, host(1)})));
        const RankTrace& rank = *run->ranks.at(0);
        QCOMPARE(rank.events.gpu_count, EventIndex{4});
        QCOMPARE(rank.counters.size(), std::size_t{2});
        QCOMPARE(run->names->view(rank.counters[0].series), std::string_view("SM Active (%)"));
        QCOMPARE(rank.counters[0].value, 62.5);
        QCOMPARE(rank.counters[1].value, 70.0);
        QCOMPARE(rank.counters[1].time - rank.counters[0].time, TimeNs{100});
        const Accounting all = accounting_of(*run);
        QCOMPARE(all.of(NotShown::counters), std::uint64_t{2});
        QCOMPARE(all.of(NotShown::malformed), std::uint64_t{1});
    }

    /// What a TPU's program runs on the host is beside the operator that waits for it.
    void offloaded_work_is_the_hosts() {
        XPlaneWriter plane("/device:TPU:0");
        plane.line(1, "XLA Ops", kSession);
        plane.event("fusion.1", 0, 500);
        plane.line(2, "Host Offload Ops", kSession);
        plane.event("host-compute.2", 100, 400);
        const auto run = load(write(xspace({plane})));
        const RankTrace& rank = *run->ranks.at(0);
        QCOMPARE(rank.events.gpu_count, EventIndex{1});
        QCOMPARE(rank.events.kind[event_named(rank, "host-compute.2")], EventKind::gpu_annotation);
    }

    void a_graph_launch_starts_several_operators() {
        XPlaneWriter device("/device:GPU:0");
        device.line(7, "Stream #7(Compute)", kSession);
        device.event("gemm", 200, 300, kernel_of(10, "dot.1"));
        device.event("other", 300, 350, kernel_of(10, "fusion.9"));
        XPlaneWriter threads("/host:CPU");
        threads.line(1, "main", kSession);
        threads.event("cuGraphLaunch", 100, 110, {{"correlation_id", std::int64_t{10}}});
        const auto run = load(write(xspace({device, threads})));
        const RankTrace& rank = *run->ranks.at(0);
        const EventIndex op = rank.gpu.operator_event[event_named(rank, "gemm")];
        QCOMPARE(rank.event_name(op), std::string_view("dot.1"));
        QCOMPARE(rank.events.range(op), (TimeRange{kSession + 100, kSession + 100}));
        QCOMPARE(rank.event_name(rank.gpu.operator_event[event_named(rank, "other")]), std::string_view("fusion.9"));
    }

    /// A graph of TensorFlow that XLA did not compile: kernels have the node that launched them and its type, and calls
    /// of the driver are in a plane of their own (profiles before 2023).
    void nodes_of_tensorflow_are_operators() {
        XPlaneWriter device("/device:GPU:0");
        device.line(7, "Stream #7(Compute)", kSession);
        const auto kernel = [](std::int64_t correlation, const char* node) {
            return std::vector<XStatValue>{{"correlation_id", correlation},
                                           {"kernel_details", "regs:32 grid:64,2,1 block:256,1,1"},
                                           {"tf_op", node}};
        };
        device.event("gemm", 200, 300, kernel(10, "model/dense/MatMul:MatMul"));
        device.event("splitk", 300, 340, kernel(11, "model/dense/MatMul:MatMul"));
        device.event("add", 350, 360, kernel(12, "model/dense/BiasAdd:BiasAdd"));
        device.event("alone", 370, 380, {{"kernel_details", "regs:32"}});
        XPlaneWriter threads("/host:CUPTI");
        threads.line(1, "Driver API", kSession);
        for (std::int64_t i = 0; i < 3; ++i)
            threads.event("cuLaunchKernel", 100 + 20 * i, 110 + 20 * i, {{"correlation_id", 10 + i}});
        XPlaneWriter steps("/host:CPU");
        steps.line(2, "python", kSession);
        steps.event("train", 50, 400, {{"step_num", std::int64_t{12}}});
        const auto run = load(write(xspace({device, threads, steps})));
        const RankTrace& rank = *run->ranks.at(0);
        const EventIndex gemm = event_named(rank, "gemm");
        QCOMPARE(rank.event_name(rank.events.link[gemm]), std::string_view("cuLaunchKernel"));
        const EventIndex op = rank.gpu.operator_event[gemm];
        QVERIFY(op != kNoEvent);
        QCOMPARE(rank.event_name(op), std::string_view("model/dense/MatMul"));
        QCOMPARE(rank.events.range(op), (TimeRange{kSession + 100, kSession + 130})); // both launches
        QCOMPARE(rank.gpu.operator_event[event_named(rank, "splitk")], op);
        QCOMPARE(rank.event_name(rank.gpu.operator_event[event_named(rank, "add")]),
                 std::string_view("model/dense/BiasAdd"));
        QCOMPARE(rank.gpu.operator_event[event_named(rank, "alone")], kNoEvent);
        QCOMPARE(std::ranges::count(rank.lanes, std::string("Framework Ops"), &Lane::name), std::ptrdiff_t{1});
        QCOMPARE(std::ranges::count(rank.lanes, std::string("XLA Modules"), &Lane::name), std::ptrdiff_t{0});
        QCOMPARE(rank.steps.at(0).number, std::int64_t{12});
        const RunAnalysis analysis(run, Selection{});
        QCOMPARE(find_metric("operators")->compute(analysis).value, 93.75); // 150 of 160 ns
    }

    /// The file for the trace viewer has the same events, with all values as texts.
    void the_viewers_file_reads_as_the_profile_does() {
        XPlaneWriter device("/device:TPU:0");
        device.line(1, "Steps", 0).event("0", 0, 500'000).event("1", 500'000, 1'000'000);
        device.line(3, "XLA Ops", 0);
        device.event("while.1", 0, 900'000);
        device.event("fusion.1", 100'000, 300'500, {{"flops", std::int64_t{1000}}, {"tf_op", "model/dense"}});
        device.event("all-reduce.4", 400'000, 700'000);
        XPlaneWriter threads("/host:CPU");
        threads.line(9, "python", 0).event("train", 0, 950'000);
        const std::string json = R"({"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[
{"ph":"M","pid":3,"name":"process_name","args":{"name":"/device:TPU:0"}},
{"ph":"M","pid":3,"name":"process_sort_index","args":{"sort_index":3}},
{"ph":"M","pid":3,"tid":1,"name":"thread_name","args":{"name":"Steps"}},
{"ph":"M","pid":3,"tid":3,"name":"thread_name","args":{"name":"XLA Ops"}},
{"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}},
{"ph":"M","pid":701,"tid":9,"name":"thread_name","args":{"name":"python"}},
{"ph":"X","pid":3,"tid":1,"ts":0,"dur":500,"name":"0"},
{"ph":"X","pid":3,"tid":1,"ts":500,"dur":500,"name":"1"},
{"ph":"X","pid":3,"tid":3,"ts":0,"dur":900,"name":"while.1"},
{"ph":"X","pid":3,"tid":3,"ts":100,"dur":200.5,"name":"fusion.1","args":{"flops":"1000","tf_op":"model/dense"}},
{"ph":"X","pid":3,"tid":3,"ts":400,"dur":300,"name":"all-reduce.4"},
{"ph":"X","pid":701,"tid":9,"ts":0,"dur":950,"name":"train"},
{}]})";
        const auto profile = load(write(xspace({device, threads})));
        const auto viewer = load(write(json, "host.trace.json"));
        QCOMPARE(viewer->source, TraceSource::xplane);
        QCOMPARE(viewer->ranks.size(), std::size_t{1});
        const RankTrace& of_profile = *profile->ranks[0];
        const RankTrace& of_viewer = *viewer->ranks[0];
        QCOMPARE(of_viewer.events.size(), of_profile.events.size());
        QCOMPARE(of_viewer.events.gpu_count, EventIndex{2});
        for (EventIndex i = 0; i < of_profile.events.size(); ++i) {
            QCOMPARE(of_viewer.event_name(i), of_profile.event_name(i));
            QCOMPARE(of_viewer.events.kind[i], of_profile.events.kind[i]);
            QCOMPARE(of_viewer.events.range(i), of_profile.events.range(i));
        }
        QCOMPARE(of_viewer.steps.size(), std::size_t{2});
        QCOMPARE(of_viewer.devices.at(0).name, of_profile.devices.at(0).name);
        // Cut in every place: an error in one line, or what is left.
        for (std::size_t size = 0; size < json.size(); size += 7)
            load_run(write(json.substr(0, size), "host.trace.json"), {});
    }

    /// Counters, events without a start and those of a process without a name have no place; they are counted.
    void nothing_of_the_trace_viewer_vanishes() {
        const auto run = load(write(R"({"traceEvents":[
{"ph":"M","pid":3,"name":"process_name","args":{"name":"/device:TPU:0"}},
{"ph":"M","pid":3,"tid":3,"name":"thread_name","args":{"name":"XLA Ops"}},
{"ph":"X","pid":3,"tid":3,"ts":100,"dur":200.5,"name":"fusion.1"},
{"ph":"X","pid":3,"tid":3,"dur":5,"name":"without a start"},
{"ph":"X","pid":4,"tid":3,"ts":100,"dur":5,"name":"of no process"},
{"ph":"C","pid":3,"ts":100,"name":"power","args":{"W":"200"}},
{}]})",
                                    "host.trace.json"));
        QCOMPARE(accounted(*run), std::string("4 = 1 + 3 not understood"));
    }

    void only_a_host() {
        const auto run = load(write(xspace({environment(), host(1)})));
        QCOMPARE(run->ranks.size(), std::size_t{1});
        QCOMPARE(run->ranks[0]->rank, 0);
        QCOMPARE(run->ranks[0]->events.gpu_count, EventIndex{0});
    }

    void sums_have_no_place() {
        XPlaneWriter device("/device:GPU:0");
        device.line(7, "Stream #7(Compute)", kSession);
        device.event("gemm", 200, 300).sum("launches", 12);
        const auto run = load(write(xspace({device})));
        QCOMPARE(accounted(*run), std::string("2 = 1 + 1 sums"));
    }

    void is_read_compressed() {
        const std::string text = two_gpus();
        const fs::path path = write({}, "host.xplane.pb.gz");
        gzFile file = gzopen(path.c_str(), "wb");
        gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
        gzclose(file);
        QCOMPARE(load(path)->event_count(), load(write(text))->event_count());
    }

    /// Whatever is whole before the end is shown, what is not is told, and every event is accounted for.
    void cut_anywhere() {
        const std::string text = two_gpus();
        std::uint64_t events = 0;
        for (std::size_t size = text.size(); size > 0; size -= std::min<std::size_t>(size, 37)) {
            LoadOptions options;
            options.use_cache = false;
            const auto run = load_run(write(text.substr(0, size)), options);
            if (!run)
                continue;
            const Accounting all = accounting_of(**run);
            QCOMPARE(all.events_in_file, all.on_timeline + all.all_not_shown());
            if (size == text.size())
                events = all.on_timeline;
            else
                QVERIFY(all.on_timeline <= events);
            const bool told =
                std::ranges::any_of((*run)->notices, [](const Notice& n) { return n.code == "truncated_file"; });
            // Between two planes nothing tells that there were more.
            QCOMPARE(told, read_xspace(std::string_view(text).substr(0, size)).damaged);
        }
    }

    /// Bytes changed at random: no crash, and the accounts are right.
    void changed_anywhere() {
        std::mt19937 random(7);
        const std::string text = two_gpus();
        for (int round = 0; round < 300; ++round) {
            std::string damaged = text;
            for (int changes = 0; changes < 1 + round % 8; ++changes)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            LoadOptions options;
            options.use_cache = false;
            if (const auto run = load_run(write(damaged), options)) {
                const Accounting all = accounting_of(**run);
                QCOMPARE(all.events_in_file, all.on_timeline + all.all_not_shown());
            }
        }
    }

    void nothing_else_is_taken_for_one() {
        for (const char* text : {"", "{\"traceEvents\": []}", "\x0A\x05hello", "SQLite format 3", "\x1F\x8B"})
            QVERIFY(!begins_as_xspace(text));
        QVERIFY(begins_as_xspace(two_gpus().substr(0, 4096)));
    }
};

RANKSCOPE_TEST(TestXplane)

} // namespace rankscope::xplane_test

#include "test_xplane.moc"
