// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/xplane/xplane_ranks.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/parallel_for.h>

#include "core/base/seeded_hash.h"
#include "core/trace/rank_builder.h"
#include "core/trace/replica_groups.h"

namespace rankscope {
namespace {

/// An operator on the host: the time in which its kernels were launched.
struct LaunchedOperator {
    std::uint32_t line = 0;
    std::uint32_t op = kNoOperator;
    TimeNs start = 0;
    TimeNs end = 0;
};

/// Where a piece of work was launched.
struct Launch {
    std::uint32_t line = 0;
    std::uint32_t event = 0;     ///< in the line
    std::uint32_t execution = 0; ///< 1 + index in the line's executions around it; 0 without
};

/// As PyTorch's traces name types, which is what sizes are known of.
std::string_view collective_type(std::string_view word) {
    static constexpr auto kTypes =
        std::to_array<std::pair<std::string_view, std::string_view>>({{"bf16", "BFloat16"},
                                                                      {"f16", "Half"},
                                                                      {"f32", "Float"},
                                                                      {"f64", "Double"},
                                                                      {"s32", "Int"},
                                                                      {"s64", "Long"},
                                                                      {"s16", "Short"},
                                                                      {"s8", "Char"},
                                                                      {"u8", "Byte"},
                                                                      {"pred", "Bool"},
                                                                      {"u32", "UInt32"},
                                                                      {"u64", "UInt64"},
                                                                      {"u16", "UInt16"},
                                                                      {"f8e4m3fn", "Float8_e4m3fn"},
                                                                      {"f8e5m2", "Float8_e5m2"},
                                                                      {"f8e4m3fnuz", "Float8_e4m3fnuz"},
                                                                      {"f8e5m2fnuz", "Float8_e5m2fnuz"}});
    const auto found = std::ranges::find(kTypes, word, &std::pair<std::string_view, std::string_view>::first);
    return found == kTypes.end() ? word : found->second;
}

std::string_view collective_word(HloCollective collective) {
    switch (collective) {
    case HloCollective::all_reduce: return "all_reduce";
    case HloCollective::all_gather: return "all_gather";
    case HloCollective::reduce_scatter: return "reduce_scatter";
    case HloCollective::all_to_all: return "all_to_all";
    case HloCollective::permute: return "sendrecv";
    case HloCollective::broadcast: return "broadcast";
    case HloCollective::send: return "send";
    case HloCollective::recv: return "recv";
    case HloCollective::none: break;
    }
    return {};
}

std::string dims_text(const HloShape& shape) { return fmt::format("[{}]", fmt::join(shape.dims, ", ")); }

/// The execution of a program around each launch of a line.
std::vector<std::uint32_t> executions_around(const XHostLine& line, const std::vector<std::uint32_t>& launches) {
    std::vector<std::uint32_t> by_start(line.executions.size());
    for (std::uint32_t i = 0; i < by_start.size(); ++i)
        by_start[i] = i;
    std::ranges::sort(by_start, {}, [&](std::uint32_t i) { return line.events[line.executions[i]].start; });
    std::vector<std::uint32_t> result;
    for (const std::uint32_t launch : launches) {
        const XHostEvent& event = line.events[launch];
        const auto after = std::ranges::upper_bound(
            by_start, event.start, {}, [&](std::uint32_t i) { return line.events[line.executions[i]].start; });
        std::uint32_t around = 0;
        if (after != by_start.begin()) {
            const XHostEvent& execution = line.events[line.executions[*std::prev(after)]];
            if (execution.start + execution.duration >= event.start)
                around = *std::prev(after) + 1;
        }
        result.push_back(around);
    }
    return result;
}

class RankOfDevice {
public:
    RankOfDevice(const XHost& host, XDevice* device, bool is_first, const std::vector<bool>& own_lines,
                 const std::vector<bool>& shared_lines, const std::set<std::int32_t>& ranks,
                 const std::shared_ptr<StringTable>& names, std::size_t text_bytes)
        : left_(kLeastAllowance + text_bytes), host_(host), device_(device), is_first_(is_first), own_lines_(own_lines),
          shared_lines_(shared_lines), ranks_(ranks), builder_(std::make_unique<RankBuilder>(names)) {}

    RankBuilder& builder() { return *builder_; }

    void fill() {
        if (device_ != nullptr)
            find_launches();
        add_launched_operators();
        first_counted_ = next_;
        if (!is_first_)
            add_host_lines(shared_lines_);
        first_counted_ = next_;
        if (is_first_)
            add_host_lines(shared_lines_);
        add_host_lines(own_lines_);
        if (device_ != nullptr) {
            add_device_events();
            add_memory();
            auto& counters = builder_->trace().counters;
            counters.insert(counters.end(), device_->counters.begin(), device_->counters.end());
        }
        last_counted_ = next_;
        if (device_ != nullptr && !device_->has_program_lines)
            add_program_lines();
        add_steps();
    }

    /// Events that this rank counts: shared threads are counted with the first, what is derived nowhere.
    [[nodiscard]] std::uint64_t counted() const {
        std::uint64_t count = 0;
        const RawEvents& events = builder_->events();
        events.for_each(0, events.size(), [&](std::size_t, const RawEvents::Chunk& chunk, std::size_t k) {
            count += chunk.ordinal[k] >= first_counted_ && chunk.ordinal[k] < last_counted_;
        });
        return count;
    }

    /// Calls of shared threads that only the rank shows that they are for.
    [[nodiscard]] std::uint64_t left_to_others() const { return left_to_others_; }

private:
    [[nodiscard]] bool shows(std::size_t line) const { return own_lines_[line] || shared_lines_[line]; }

    void find_launches() {
        for (std::uint32_t l = 0; l < host_.lines.size(); ++l) {
            if (!shows(l))
                continue;
            const XHostLine& line = host_.lines[l];
            std::vector<std::uint32_t> launches;
            for (std::uint32_t i = 0; i < line.events.size(); ++i)
                if (line.events[i].correlation != kUnknown && is_for_this(line.events[i].device))
                    launches.push_back(i);
            const std::vector<std::uint32_t> executions = executions_around(line, launches);
            for (std::size_t i = 0; i < launches.size(); ++i)
                launch_of_.insert_or_assign(line.events[launches[i]].correlation,
                                            Launch{l, launches[i], executions[i]});
        }
        operator_of_.assign(device_->events.size(), kUnknown);
        execution_of_.assign(device_->events.size(), 0);
    }

    [[nodiscard]] bool is_for_this(std::int32_t device) const {
        return device < 0 || (device_ != nullptr && device == device_->ordinal) || !ranks_.contains(device);
    }

    /// Operators of a compiled program do not run on the host; the calls that launch their kernels do. An operator is
    /// shown from its first to its last launch. Of several that one call launches (a graph) only the start is known.
    void add_launched_operators() {
        if (device_ == nullptr)
            return;
        struct Work {
            Launch launch;
            TimeNs call = 0;
            std::uint32_t event = 0;
        };
        std::vector<Work> work;
        for (std::uint32_t i = 0; i < device_->events.size(); ++i) {
            const XDeviceEvent& event = device_->events[i];
            const auto launch = launch_of_.find(event.correlation);
            if (event.op == kNoOperator || event.correlation < 0 || launch == launch_of_.end())
                continue;
            execution_of_[i] = (std::uint64_t{launch->second.line} << 32) | launch->second.execution;
            work.push_back({launch->second, host_.lines[launch->second.line].events[launch->second.event].start, i});
        }
        std::ranges::stable_sort(work, {}, [&](const Work& w) {
            return std::tuple(w.launch.line, w.call, w.launch.event, device_->events[w.event].start);
        });
        std::vector<LaunchedOperator> launched;
        NameId first_kernel = 0;
        std::uint64_t execution = 0;
        bool may_go_on = false;
        for (std::size_t begin = 0; begin < work.size();) {
            std::size_t end = begin + 1;
            const auto same_call = [&](const Work& w) {
                return w.launch.line == work[begin].launch.line && w.launch.event == work[begin].launch.event;
            };
            while (end < work.size() && same_call(work[end]))
                ++end;
            const XHostEvent& call = host_.lines[work[begin].launch.line].events[work[begin].launch.event];
            const bool one = end - begin == 1;
            for (std::size_t i = begin; i < end; ++i) {
                const XDeviceEvent& event = device_->events[work[i].event];
                const bool goes_on = may_go_on && !launched.empty() && launched.back().op == event.op &&
                                     launched.back().line == work[i].launch.line &&
                                     execution == execution_of_[work[i].event] && event.name != first_kernel;
                if (!goes_on) {
                    launched.push_back(
                        {work[i].launch.line, event.op, call.start, one ? call.start + call.duration : call.start});
                    first_kernel = event.name;
                    execution = execution_of_[work[i].event];
                } else if (one) {
                    launched.back().end = std::max(launched.back().end, call.start + call.duration);
                }
                operator_of_[work[i].event] = static_cast<std::int64_t>(launched.size() - 1);
                may_go_on = true;
            }
            begin = end;
        }
        for (std::size_t i = 0; i < launched.size(); ++i) {
            const LaunchedOperator& op = launched[i];
            RawEvent event;
            event.start = op.start;
            event.duration = op.end - op.start;
            event.external_id = static_cast<std::int64_t>(i) + kFirstOperatorId;
            event.name = device_->operators[op.op].name;
            event.track = track_of(op.line);
            event.kind = EventKind::cpu_op;
            event.ordinal = next_;
            builder_->add_inputs(next_, inputs_of(op.op));
            ++next_;
            builder_->add(event);
        }
    }

    [[nodiscard]] const HloInstruction* instruction(std::uint32_t op) const {
        if (op == kNoOperator)
            return nullptr;
        const XOperator& of = device_->operators[op];
        const StringTable& names = builder_->names();
        return host_.programs.find(of.program, names.view(of.module), names.view(of.name));
    }

    /// What a rank may make of programs, in which few bytes refer to much: characters of shapes, and members of groups.
    bool take(std::size_t more) {
        if (more > left_)
            return false;
        left_ -= more;
        return true;
    }

    const OperatorInputs& inputs_of(std::uint32_t op) {
        const auto [known, added] = inputs_of_.try_emplace(op);
        if (added)
            known->second = read_inputs(op);
        return known->second;
    }

    OperatorInputs read_inputs(std::uint32_t op) {
        OperatorInputs inputs;
        inputs.flops = device_->operator_flops[op];
        const HloInstruction* known = instruction(op);
        if (known == nullptr)
            return inputs;
        std::vector<std::string> dims, types;
        const auto add = [&](const auto& self, const HloShape& shape) -> bool {
            if (!take(kShapeCharacters + shape.dims.size() * kShapeCharacters) ||
                !std::ranges::all_of(shape.parts, [&](const HloShape& part) { return self(self, part); }))
                return false;
            if (const std::string_view type = hlo_type_word(shape.element_type); !type.empty()) {
                dims.push_back(dims_text(shape));
                types.push_back(fmt::format("\"{}\"", type));
            }
            return true;
        };
        if (inputs.flops == kUnknown)
            inputs.flops = known->flops;
        if (!std::ranges::all_of(known->operands, [&](const auto& operand) { return add(add, *operand); }))
            return inputs;
        inputs.dims = builder_->names().intern(fmt::format("[{}]", fmt::join(dims, ", ")));
        inputs.types = builder_->names().intern(fmt::format("[{}]", fmt::join(types, ", ")));
        return inputs;
    }

    TrackId track_of(std::uint32_t line) {
        const XHostLine& of = host_.lines[line];
        const TrackId track = builder_->track(of.process, of.thread, kUnknown, kUnknown);
        builder_->set_thread_name(of.process, of.thread, of.name);
        return track;
    }

    void add_host_lines(const std::vector<bool>& chosen) {
        for (std::uint32_t l = 0; l < host_.lines.size(); ++l) {
            if (!chosen[l])
                continue;
            const XHostLine& line = host_.lines[l];
            const TrackId track = track_of(l);
            first_of_line_[l] = next_;
            for (const XHostEvent& of : line.events) {
                RawEvent event;
                event.start = of.start;
                event.duration = of.duration;
                event.correlation = of.correlation;
                event.name = of.name;
                event.track = track;
                event.kind = of.kind;
                event.ordinal = next_++;
                // What is launched for another rank is shown there.
                if (!is_launch_call(of.kind) || is_for_this(of.device))
                    builder_->add(event);
                else if (is_first_ && shared_lines_[l])
                    ++left_to_others_;
            }
            auto& instants = builder_->trace().instants;
            instants.insert(instants.end(), line.instants.begin(), line.instants.end());
            for (const XHostFlow& flow : line.flows)
                builder_->add_flow({flow.id, flow.time, track, flow.starts});
        }
    }

    /// Allocations are those of the device, whichever thread asks for them.
    void add_memory() {
        for (std::uint32_t l = 0; l < host_.lines.size(); ++l)
            for (const XMemorySample& of : host_.lines[l].memory)
                if (of.device == device_->ordinal)
                    builder_->add_memory_sample(of.sample, track_of(l));
    }

    void add_device_events() {
        std::vector<TrackId> tracks;
        for (const XDeviceLine& line : device_->lines)
            tracks.push_back(builder_->track(device_process(), line.thread, device_->ordinal, line.stream));
        first_of_device_ = next_;
        for (std::uint32_t i = 0; i < device_->events.size(); ++i) {
            const XDeviceEvent& of = device_->events[i];
            RawEvent event;
            event.start = of.start;
            event.duration = of.duration;
            event.correlation = of.correlation;
            if (operator_of_[i] >= 0)
                event.external_id = operator_of_[i] + kFirstOperatorId;
            event.name = of.name;
            event.kind = of.kind;
            event.track = tracks[of.line];
            event.ordinal = next_;
            builder_->add(event);
            if (is_gpu_work(of.kind))
                add_columns(of, next_);
            ++next_;
        }
    }

    [[nodiscard]] std::string device_process() const { return fmt::format("{} {}", device_->type, device_->ordinal); }

    void add_columns(const XDeviceEvent& of, std::uint32_t ordinal) {
        if (device_->shapes.size() > 1) {
            const LaunchShape& shape = device_->shapes[of.shape];
            builder_->add_launch_shape(ordinal, builder_->launch_shape(shape));
            const double blocks = static_cast<double>(shape.grid[0]) * shape.grid[1] * shape.grid[2];
            const bool known = blocks > 0 && device_->description.multiprocessors > 0;
            constexpr float kAbsent = std::numeric_limits<float>::quiet_NaN();
            if (known || of.occupancy_percent > 0)
                builder_->add_occupancy(
                    {ordinal,
                     known ? static_cast<float>(blocks / static_cast<double>(device_->description.multiprocessors))
                           : kAbsent,
                     of.occupancy_percent > 0 ? of.occupancy_percent : kAbsent});
        }
        if (of.bytes >= 0)
            builder_->add_transfer(ordinal, of.bytes,
                                   of.duration > 0 ? static_cast<double>(of.bytes) / static_cast<double>(of.duration)
                                                   : 0);
        if (of.kind == EventKind::kernel)
            add_collective(of, ordinal);
    }

    void add_collective(const XDeviceEvent& of, std::uint32_t ordinal) {
        if (of.op == kNoOperator)
            return;
        const auto [known, added] = collective_of_.try_emplace(of.op);
        if (added)
            known->second = collective_of(of.op);
        // On a TPU the start is an event of its own, and the transfer one of the line of what runs beside.
        const bool is_transfer = device_->is_gpu() || device_->lines[of.line].thread.ends_with("Async XLA Ops");
        if (known->second && (is_transfer || !known->second->is_start))
            builder_->add_collective(ordinal, known->second->args);
    }

    struct OperatorCollective {
        CollectiveArgs args;
        bool is_start = false;
    };

    std::optional<OperatorCollective> collective_of(std::uint32_t op) {
        const HloInstruction* known = instruction(op);
        if (known == nullptr || known->collective == HloCollective::none || known->is_done)
            return {};
        StringTable& names = builder_->names();
        CollectiveArgs args;
        args.collective = names.intern(collective_word(known->collective));
        std::int64_t elements = 0;
        for (const auto& operand : known->operands) {
            const std::int64_t count = operand->elements;
            elements =
                count == kUnknown || elements == kUnknown || elements > kMostCounted ? kUnknown : elements + count;
            const HloShape& first = operand->parts.empty() ? *operand : operand->parts.front();
            if (args.dtype == 0)
                args.dtype = names.intern(collective_type(hlo_type_word(first.element_type)));
        }
        args.in_elements = args.out_elements = known->operands.empty() ? kUnknown : elements;
        const std::string description = replica_groups_text(known->groups);
        for (const std::vector<int>& group : known->groups) {
            if (!take(kGroupCharacters + group.size()))
                break;
            const std::int32_t index =
                builder_->process_group({"", description, group, static_cast<int>(group.size())});
            if (args.group < 0 || std::ranges::binary_search(group, device_->ordinal)) {
                args.group = index;
                args.group_size = static_cast<std::int64_t>(group.size());
            }
        }
        if (args.group_size > 0 && args.in_elements >= 0) {
            if (known->collective == HloCollective::all_gather)
                args.out_elements =
                    args.in_elements > kMostCounted / args.group_size ? kUnknown : args.in_elements * args.group_size;
            if (known->collective == HloCollective::reduce_scatter)
                args.out_elements = args.in_elements / args.group_size;
        }
        return OperatorCollective{args, known->is_start};
    }

    /// Programs and operators as lanes of the device, where the profiler left that to the viewer, as it does on GPUs:
    /// each from the first of its kernels that follow each other to the last.
    void add_program_lines() {
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < device_->events.size(); ++i)
            if (is_gpu_work(device_->events[i].kind) && device_->events[i].op != kNoOperator)
                order.push_back(i);
        std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return device_->events[i].start; });
        const auto program_of = [&](std::uint32_t i) {
            const XOperator& op = device_->operators[device_->events[i].op];
            return std::tuple(op.module, op.program, execution_of_[i]);
        };
        add_runs(
            order, "XLA Modules", program_of,
            [&](std::uint32_t i) { return device_->operators[device_->events[i].op].module; });
        const bool compiled = std::ranges::any_of(
            order,
            [&](std::uint32_t i) {
                return !builder_->names().view(device_->operators[device_->events[i].op].module).empty();
            });
        add_runs(
            order, compiled ? "XLA Ops" : "Framework Ops",
            [&](std::uint32_t i) {
                // Kernels of one launched operator, else those of one operator that follow each other.
                return std::tuple(device_->events[i].op, execution_of_[i], operator_of_[i]);
            },
            [&](std::uint32_t i) { return device_->operators[device_->events[i].op].name; });
    }

    template <typename Key, typename Name>
    void add_runs(const std::vector<std::uint32_t>& order, std::string_view lane, Key key, Name name) {
        const TrackId track = builder_->track(device_process(), lane, device_->ordinal, kUnknown);
        for (std::size_t begin = 0; begin < order.size();) {
            std::size_t end = begin;
            RawEvent event;
            event.start = device_->events[order[begin]].start;
            TimeNs last = event.start;
            for (; end < order.size() && key(order[end]) == key(order[begin]); ++end)
                last = std::max(last, device_->events[order[end]].end());
            event.duration = last - event.start;
            event.name = name(order[begin]);
            event.track = track;
            event.kind = EventKind::gpu_annotation;
            event.ordinal = next_++;
            if (!builder_->names().view(event.name).empty())
                builder_->add(event);
            begin = end;
        }
    }

    /// Those of the thread whose steps cover the most time, else steps as the device has them. A TPU launches nothing
    /// from the host, so its own steps come first.
    void add_steps() {
        std::vector<ProfilerStep> of_device;
        if (device_ != nullptr)
            for (ProfilerStep step : device_->steps) {
                step.event += first_of_device_;
                of_device.push_back(step);
            }
        const bool launched = device_ == nullptr || device_->is_gpu();
        TimeNs most = -1;
        for (std::uint32_t l = 0; (launched || of_device.empty()) && l < host_.lines.size(); ++l) {
            if (!shows(l))
                continue;
            std::vector<ProfilerStep> steps;
            TimeNs covered = 0;
            for (const XHostStep& step : host_.lines[l].steps) {
                const XHostEvent& event = host_.lines[l].events[step.event];
                covered += event.duration;
                steps.push_back(
                    {step.number, {event.start, event.start + event.duration}, first_of_line_[l] + step.event});
            }
            std::ranges::stable_sort(
                steps, {}, [](const ProfilerStep& s) { return s.range.begin; });
            const auto clash = [](const ProfilerStep& a, const ProfilerStep& b) {
                return b.range.begin < a.range.end || b.number <= a.number;
            };
            if (!steps.empty() && covered > most && std::ranges::adjacent_find(steps, clash) == steps.end()) {
                most = covered;
                host_steps_ = std::move(steps);
            }
        }
        builder_->trace().steps = host_steps_.empty() ? std::move(of_device) : std::move(host_steps_);
    }

    static constexpr std::int64_t kFirstOperatorId = std::int64_t{1} << 62; ///< beyond what profilers number

    static constexpr std::size_t kLeastAllowance = 1u << 23;
    static constexpr std::size_t kShapeCharacters = 8;  // of a type, or of a dimension
    static constexpr std::size_t kGroupCharacters = 80; // of its description

    std::size_t left_;
    const XHost& host_;
    XDevice* device_;
    bool is_first_;
    const std::vector<bool>& own_lines_;
    const std::vector<bool>& shared_lines_;
    const std::set<std::int32_t>& ranks_;
    std::unique_ptr<RankBuilder> builder_;
    NumberMap<std::int64_t, Launch> launch_of_; ///< by correlation
    std::vector<std::int64_t> operator_of_;     ///< of each device event: launched operator, or kUnknown
    std::vector<std::uint64_t> execution_of_;   ///< of each device event, 0: unknown
    std::map<std::uint32_t, std::uint32_t> first_of_line_;
    std::map<std::uint32_t, std::optional<OperatorCollective>> collective_of_; ///< by operator
    std::map<std::uint32_t, OperatorInputs> inputs_of_;                        ///< likewise
    std::vector<ProfilerStep> host_steps_;
    std::uint32_t first_of_device_ = 0;
    std::uint32_t next_ = 0;
    std::uint32_t first_counted_ = 0;
    std::uint32_t last_counted_ = 0;
    std::uint64_t left_to_others_ = 0;
};

/// A launch that does not say for which device it is launches what has its correlation, where that is on one device.
void name_devices_of_launches(XHost& host) {
    constexpr std::int32_t kSeveral = -1;
    NumberMap<std::int64_t, std::int32_t> device_of; // by correlation
    for (const XDevice& device : host.devices)
        for (const XDeviceEvent& event : device.events)
            if (event.correlation != kUnknown)
                if (const auto [known, added] = device_of.try_emplace(event.correlation, device.ordinal);
                    !added && known->second != device.ordinal)
                    known->second = kSeveral;
    for (XHostLine& line : host.lines)
        for (XHostEvent& event : line.events)
            if (is_launch_call(event.kind) && event.device < 0)
                if (const auto device = device_of.find(event.correlation); device != device_of.end())
                    event.device = device->second;
}

/// Lines of which each rank shows a copy, and those of one rank alone: a thread that launches for one device serves it.
struct LineOwners {
    std::vector<bool> shared;
    std::vector<std::vector<bool>> own; ///< by rank
};

LineOwners owners_of(const XHost& host, const std::vector<std::int32_t>& ordinals) {
    LineOwners owners;
    owners.shared.assign(host.lines.size(), false);
    owners.own.assign(std::max<std::size_t>(1, ordinals.size()), std::vector<bool>(host.lines.size(), false));
    for (std::size_t l = 0; l < host.lines.size(); ++l) {
        std::set<std::int32_t> served;
        for (const XHostEvent& event : host.lines[l].events)
            if (is_launch_call(event.kind) && event.device >= 0)
                served.insert(event.device);
        const auto rank = served.size() == 1 ? std::ranges::find(ordinals, *served.begin()) : ordinals.end();
        if (rank != ordinals.end())
            owners.own[static_cast<std::size_t>(rank - ordinals.begin())][l] = true;
        else
            owners.shared[l] = true;
    }
    return owners;
}

} // namespace

const HloInstruction* XPrograms::find(std::int64_t program, std::string_view module, std::string_view name) const {
    auto found = by_id.find(program);
    if (found == by_id.end()) {
        const auto id = id_of_name.find(module.substr(0, module.find('(')));
        found = id == id_of_name.end() ? by_id.end() : by_id.find(id->second);
    }
    return found == by_id.end() ? nullptr : found->second.find(name);
}

RankTraces ranks_of_host(XHost host, const std::filesystem::path& path, std::uint64_t file_bytes,
                         std::uint64_t text_bytes, const std::shared_ptr<StringTable>& names,
                         const ReadOptions& options) {
    std::vector<XDevice*> active;
    std::vector<std::int32_t> ordinals;
    for (XDevice& device : host.devices) {
        if (device.events.empty()) {
            host.accounting += device.accounting;
            continue;
        }
        active.push_back(&device);
        ordinals.push_back(device.ordinal);
    }
    if (active.size() > 1)
        name_devices_of_launches(host);
    const std::set<std::int32_t> ranks(ordinals.begin(), ordinals.end());
    const LineOwners owners = owners_of(host, ordinals);
    if (active.empty())
        active.push_back(nullptr);
    // Each rank counts the threads that are its own, the first those that all show.
    const auto own_events = [&](std::size_t i) {
        std::uint64_t events = 0;
        for (std::size_t l = 0; l < host.lines.size(); ++l)
            events += owners.own[i][l] ? host.lines[l].events.size() : 0;
        return events;
    };
    for (std::size_t i = 1; i < active.size(); ++i)
        host.accounting.events_in_file -= own_events(i);
    RankTraces traces(active.size());
    tbb::parallel_for(
        std::size_t{0}, active.size(),
        [&](std::size_t i) {
            XDevice* device = active[i];
            RankOfDevice maker(host, device, i == 0, owners.own[i], owners.shared, ranks, names, text_bytes);
            maker.fill();
            RankBuilder& builder = maker.builder();
            RankTrace& trace = builder.trace();
            trace.rank = device != nullptr ? device->ordinal : -1;
            trace.world_size = static_cast<int>(host.devices.size());
            trace.file = path;
            trace.source = TraceSource::xplane;
            // The whole file stands behind the first rank, so that the sizes of all add up.
            trace.file_bytes = i == 0 ? file_bytes : 0;
            trace.text_bytes = i == 0 ? text_bytes : 0;
            trace.header = host.header;
            trace.clock_base = host.clock.used ? host.clock.session_start : 0;
            for (const XDevice& of_host : host.devices)
                trace.devices.push_back(of_host.description);
            const std::uint64_t read = maker.counted();
            builder.drop_strays();
            const std::uint64_t kept = maker.counted();
            if (device != nullptr)
                trace.accounting = device->accounting;
            if (i == 0) {
                trace.accounting += host.accounting;
                trace.notices.insert(trace.notices.end(), host.notices.begin(), host.notices.end());
            }
            if (i > 0)
                trace.accounting.events_in_file += own_events(i);
            trace.accounting.on_timeline = kept + maker.left_to_others();
            trace.accounting.add(NotShown::stray, read - kept);
            for (Notice& notice : trace.notices)
                notice.file = path.string();
            if (options.complete)
                options.complete(builder);
            traces[i] = builder.finish(options.cancel);
        });
    if (std::ranges::any_of(traces, [](const auto& trace) { return trace == nullptr; }))
        return {};
    return traces;
}

} // namespace rankscope
