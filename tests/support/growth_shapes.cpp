// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/growth_shapes.h"

#include <functional>
#include <map>

#include <fmt/format.h>

namespace rankscope::test {

namespace {

struct Place {
    double start = 0;
    double duration = 0;
};

Place place_of(Arrangement arrangement, int i, int count) {
    switch (arrangement) {
    case Arrangement::nested: return {1.0 * i, 4.0 * count - 2.0 * i};
    case Arrangement::overlapping: return {2.0 * i, 4.0 * count};
    default: return {4.0 * i, 3};
    }
}

class Writer {
public:
    Writer(const GrowthShape& shape, int events, int of_rank)
        : many(shape.arrangement == Arrangement::many_ids), same(shape.arrangement == Arrangement::same_id),
          count(events), rank(of_rank) {
        if (shape.kind != "step")
            event("user_annotation", "ProfilerStep#1", 1, 1, {-10, 14.0 * count}, "");
    }

    void raw(const std::string& text) { events_ += (events_.empty() ? "" : ",\n") + text; }
    void event(std::string_view category, std::string_view name, int pid, int tid, Place at, std::string_view args) {
        raw(fmt::format(R"({{"ph":"X","cat":"{}","name":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})",
                        category, name, pid, tid, at.start, at.duration, args));
    }
    void kernel(std::string_view name, int correlation, int stream, Place at, std::string_view args = "") {
        event("kernel", name, 0, stream, at,
              fmt::format(R"("correlation":{},"device":0,"stream":{}{}{})", correlation, stream,
                          args.empty() ? "" : ",", args));
    }
    /// A launch, and its kernel far behind everything else.
    void launch(int i, double at, int correlation, int thread = 1) {
        call(at, correlation, thread);
        kernel("gemm", correlation, 7, {10.0 * count + 2.0 * i, 1.5});
    }
    void call(double at, int correlation, int thread = 1) {
        event("cuda_runtime", "cudaLaunchKernel", 1, thread, {at, 0.2},
              fmt::format(R"("correlation":{})", correlation));
    }
    [[nodiscard]] int thread(int i) const { return many ? 1000 + i : 1; }
    [[nodiscard]] int id(int i) const { return same ? 7 : i + 1; }

    [[nodiscard]] std::string text() const {
        return fmt::format(R"({{"schemaVersion":1,"distributedInfo":{{"rank":{},"world_size":2}},"traceEvents":[{}]}})",
                           rank, events_);
    }

    const bool many;
    const bool same;
    const int count;
    const int rank;

private:
    std::string events_;
};

using Add = std::function<void(Writer& w, int i, Place at)>;

void add_host_kinds(std::map<std::string_view, Add>& kinds) {
    kinds["operator"] = [](Writer& w, int i, Place at) {
        w.event("cpu_op", i % 2 == 0 ? "aten::a" : "aten::b", 1, w.thread(i), at,
                fmt::format(R"("External id":{},"Sequence number":{})", w.id(i), i));
        w.launch(i, at.start + 0.4, w.id(i), w.thread(i));
    };
    kinds["operator_with_shapes"] = [](Writer& w, int i, Place at) {
        w.event("cpu_op", "aten::mm", 1, w.thread(i), at,
                fmt::format(R"("External id":{},"Input Dims":[[8,8],[8,8]],"Input type":["float","float"])", w.id(i)));
        w.launch(i, at.start + 0.4, w.id(i), w.thread(i));
    };
    kinds["module"] = [](Writer& w, int i, Place at) {
        w.event("python_function", fmt::format("nn.Module: M_{}", w.same ? 0 : w.many ? i : i % 50), 1, 1, at, "");
        w.launch(i, at.start + 0.4, i + 1);
    };
    kinds["frame"] = [](Writer& w, int i, Place at) {
        w.event("python_function", w.many ? fmt::format("f.py({}): g", i) : "f.py(1): g", 1, 1, at, "");
        w.launch(i, at.start + 0.4, i + 1);
    };
    kinds["annotation"] = [](Writer& w, int i, Place at) {
        w.event("user_annotation", w.many ? fmt::format("part {}", i) : "part", 1, w.thread(i), at, "");
        w.launch(i, at.start + 0.4, i + 1);
    };
    kinds["step"] = [](Writer& w, int i, Place at) {
        w.event("user_annotation", fmt::format("ProfilerStep#{}", w.same ? 5 : i), 1, w.thread(i), at, "");
        w.call(at.start + 0.4, i + 1);
        w.kernel("gemm", i + 1, 7, {at.start + 1, 0.5 + 0.1 * (i % 3) + 0.2 * w.rank});
    };
    kinds["call"] = [](Writer& w, int i, Place at) {
        w.event("cuda_runtime", "cudaLaunchKernel", 1, w.thread(i), at, fmt::format(R"("correlation":{})", w.id(i)));
        w.kernel("gemm", w.id(i), 7, {10.0 * w.count + 2.0 * i, 1.5});
    };
    kinds["synchronisation"] = [](Writer& w, int i, Place at) {
        w.launch(i, 4.0 * i, i + 1);
        w.event("cuda_runtime", "cudaStreamSynchronize", 1, w.thread(i), {at.start + 0.7, at.duration},
                fmt::format(R"("correlation":{})", w.same ? 7 : w.count + i + 1));
    };
    kinds["start_and_end"] = [](Writer& w, int i, Place at) {
        for (const auto& [phase, time] : {std::pair('B', at.start), {'E', at.start + at.duration}})
            w.raw(fmt::format(R"({{"ph":"{}","cat":"cpu_op","name":"aten::op","pid":1,"tid":{},"ts":{}}})", phase,
                              w.thread(i), time));
        w.launch(i, at.start + 0.4, w.id(i));
    };
    kinds["process"] = [](Writer& w, int i, Place at) {
        w.event("cpu_op", "aten::op", w.thread(i), 1, at, "");
        w.launch(i, at.start + 0.4, i + 1);
    };
}

void add_other_kinds(std::map<std::string_view, Add>& kinds) {
    kinds["kernel"] = [](Writer& w, int i, Place at) {
        w.call(4.0 * i, w.id(i));
        w.kernel(fmt::format("gemm{}", w.many ? i : 0), w.id(i), w.thread(i) + 6, {at.start + 10, at.duration});
    };
    kinds["gpu_annotation"] = [](Writer& w, int i, Place at) {
        w.event("gpu_user_annotation", w.many ? fmt::format("part {}", i) : "part", 0, 7,
                {10.0 * w.count + at.start, at.duration}, "");
        w.launch(i, 4.0 * i, i + 1);
    };
    kinds["collective"] = [](Writer& w, int i, Place at) {
        w.call(4.0 * i, i + 1);
        const int group = w.many ? i : 0;
        w.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", i + 1, 20 + group % 100,
                 {at.start + 10 + w.rank, at.duration},
                 fmt::format(R"("Collective name":"allreduce","In msg nelems":1024,"Out msg nelems":1024,)"
                             R"("dtype":"Float","Group size":2,"Process Group Name":"{0}",)"
                             R"("Process Group Description":"g{0}","Process Group Ranks":"[0, 1]")",
                             group));
    };
    kinds["allocation"] = [](Writer& w, int i, Place at) {
        w.event("cpu_op", "aten::empty", 1, 1, at, "");
        w.raw(fmt::format(
            R"({{"ph":"i","cat":"cpu_instant_event","name":"[memory]","s":"t","pid":1,"tid":1,"ts":{},"args":{{)"
            R"("Total Allocated":{},"Bytes":{},"Addr":{},"Device Id":0,"Device Type":1}}}})",
            at.start + 0.3, 1000 * i, i % 2 == 0 ? 512 : -512, w.same ? 5 : i / 2));
        w.launch(i, at.start + 0.4, i + 1);
    };
    kinds["flow"] = [](Writer& w, int i, Place at) {
        w.event("cpu_op", "aten::op", 1, 1, at, "");
        w.raw(fmt::format(R"({{"ph":"{}","bp":"e","cat":"fwdbwd","name":"fwdbwd","id":{},"pid":1,"tid":1,"ts":{}}})",
                          i % 2 == 0 ? 's' : 'f', w.same ? 5 : i / 2, at.start + 0.1));
        w.launch(i, at.start + 0.4, i + 1);
    };
    kinds["counter"] = [](Writer& w, int i, Place at) {
        w.raw(fmt::format(R"({{"ph":"C","name":"c{}","pid":1,"tid":1,"ts":{},"args":{{"v":{}}}}})", w.many ? i : 0,
                          at.start, i));
        w.launch(i, 4.0 * i, i + 1);
    };
    kinds["thread_name"] = [](Writer& w, int i, Place) {
        w.raw(fmt::format(R"({{"ph":"M","name":"thread_name","pid":1,"tid":{},"args":{{"name":"t{}"}}}})", w.thread(i),
                          i));
        w.launch(i, 4.0 * i, i + 1);
    };
}

const std::map<std::string_view, Add>& adders() {
    static const std::map<std::string_view, Add> kinds = [] {
        std::map<std::string_view, Add> all;
        add_host_kinds(all);
        add_other_kinds(all);
        return all;
    }();
    return kinds;
}

} // namespace

const std::vector<std::string_view>& growth_kinds() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all;
        for (const auto& [name, add] : adders())
            all.push_back(name);
        return all;
    }();
    return names;
}

std::string_view arrangement_word(Arrangement arrangement) {
    constexpr std::string_view kWords[] = {"nested", "overlapping", "side by side", "same id", "many ids"};
    return kWords[static_cast<std::size_t>(arrangement)];
}

std::string growth_trace(const GrowthShape& shape, int count, int rank) {
    Writer writer(shape, count, rank);
    const Add& add = adders().at(shape.kind);
    for (int i = 0; i < count; ++i)
        add(writer, i, place_of(shape.arrangement, i, count));
    return writer.text();
}

} // namespace rankscope::test
