// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/nsys/nsys_ranks.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "core/trace/hardware_series.h"

namespace rankscope {
namespace {

/// "cudaLaunchKernel_v7000" -> "cudaLaunchKernel", as Kineto has it.
std::string_view without_version(std::string_view call) {
    if (call.ends_with("_ptsz") || call.ends_with("_ptds"))
        call.remove_suffix(5);
    const std::size_t digits = call.find_last_not_of("0123456789") + 1;
    if (digits < call.size() && digits >= 2 && call.substr(digits - 2, 2) == "_v")
        return call.substr(0, digits - 2);
    return call;
}

EventKind call_kind(std::string_view name) {
    const bool driver = name.size() > 2 && name.starts_with("cu") && name[2] >= 'A' && name[2] <= 'Z';
    return driver ? EventKind::driver : EventKind::runtime;
}

std::int64_t number_after(std::string_view text, std::string_view word) {
    const std::size_t at = text.find(word);
    std::int64_t number = kUnknown;
    if (at != std::string_view::npos)
        std::from_chars(text.data() + at + word.size(), text.data() + text.size(), number);
    return number;
}

/// The bracketed list that follows the word, brackets matched; empty when there is none.
std::string_view list_after(std::string_view text, std::string_view word) {
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos)
        return {};
    const std::string_view list = text.substr(at + word.size());
    int depth = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        depth += (list[i] == '[') - (list[i] == ']');
        if (depth <= 0)
            return depth == 0 && i > 0 ? list.substr(0, i + 1) : std::string_view{};
    }
    return {};
}

/// Of one process: its calls are shown with each of its devices.
constexpr std::ptrdiff_t kMostDevices = 64;
/// Of processes and their devices in one report, which is of one machine.
constexpr std::size_t kMostParts = 4096;
constexpr std::size_t kRowsBetweenChecks = 1024;

bool is_gpu_event(EventKind kind) { return is_gpu_work(kind) || kind == EventKind::gpu_sync; }

/// MHz of a sample of the GPC clock, which the SMs share. Its name says MHz, but the table holds cycles a second; those
/// beyond 31 bits are written as negative numbers.
double gpc_clock_mhz(double value) {
    constexpr double kUnsigned = 4294967296.0; // 2^32
    constexpr double kLeastHertz = 1e6;
    const double hertz = value < 0 ? value + kUnsigned : value;
    return hertz >= kLeastHertz ? hertz / 1e6 : hertz;
}

} // namespace

NsysRanks::NsysRanks(const NsysReport& report, std::shared_ptr<StringTable> names, std::uint64_t most_bytes)
    : report_(report), names_(std::move(names)), most_bytes_(most_bytes), clock_(report.session_start.value_or(0)) {}

std::vector<NsysRanks::Part*> NsysRanks::part(std::int64_t process, std::int64_t device) {
    for (const auto& known : parts_)
        if (known->process == process && known->device == device)
            return {known.get()};
    const auto of_process = std::ranges::count(parts_, process, [](const auto& known) { return known->process; });
    if (of_process == kMostDevices || parts_.size() == kMostParts) {
        too_many_parts_ = true;
        return {};
    }
    auto added = std::make_unique<Part>();
    added->process = process;
    added->device = device;
    const auto gpu = report_.gpu_of.find({nsys_process(process), device});
    added->gpu = gpu != report_.gpu_of.end() ? gpu->second : device;
    added->builder = std::make_unique<RankBuilder>(names_);
    parts_.push_back(std::move(added));
    return {parts_.back().get()};
}

std::vector<NsysRanks::Part*> NsysRanks::parts_of(const NsysPlace& place, EventKind kind) {
    const std::int64_t process = nsys_global_process(place.global_id);
    if (kind == EventKind::kernel)
        return part(process, place.device);
    std::vector<Part*> of_process;
    for (const auto& known : parts_)
        if (known->process == process)
            of_process.push_back(known.get());
    if (is_gpu_event(kind)) {
        for (Part* known : of_process)
            if (known->device == place.device)
                return {known};
        // Copies to another device belong to the GPU that computes; a process that only copies is a rank as well.
        if (!of_process.empty())
            return {of_process.front()};
        return is_gpu_work(kind) ? part(process, place.device) : std::vector<Part*>{};
    }
    const bool any_gpu = std::ranges::any_of(parts_, [](const auto& known) { return known->device >= 0; });
    if (of_process.empty() && !any_gpu)
        return part(process, -1);
    return of_process;
}

TrackId NsysRanks::track_of(Part& part, const NsysPlace& place, const NsysRow& row) {
    const std::int64_t process = nsys_process(place.global_id);
    const std::string pid = std::to_string(process);
    if (is_gpu_event(row.kind)) {
        const auto gpu = report_.gpu_of.find({process, place.device});
        const std::int64_t device = gpu != report_.gpu_of.end() ? gpu->second : place.device;
        if (place.stream == kAnyStream)
            return part.builder->track(pid, fmt::format("context {}", place.context), device, kUnknown);
        return part.builder->track(pid, fmt::format("context {} stream {}", place.context, place.stream), device,
                                   place.stream);
    }
    const std::string tid = std::to_string(nsys_thread(place.global_id)) + (row.is_range ? " ranges" : "");
    const TrackId track = part.builder->track(pid, tid, kUnknown, kUnknown);
    const auto named = report_.thread_names.find(place.global_id);
    const std::string_view name =
        named != report_.thread_names.end() ? report_.strings.text(named->second) : std::string_view{};
    if (row.is_range)
        part.builder->set_thread_name(pid, tid,
                                      fmt::format("start/end ranges of thread {}", nsys_thread(place.global_id)));
    else if (!name.empty())
        part.builder->set_thread_name(pid, tid, fmt::format("thread {} ({})", tid, name));
    return track;
}

NsysRanks::Label NsysRanks::label_of(std::string_view text) {
    Label label;
    std::size_t end = text.size();
    for (const std::string_view mark : {", seq = ", ", op_id = "})
        end = std::min(end, text.find(mark));
    if (end < text.size()) {
        const std::string_view rest = text.substr(end);
        label.kind = EventKind::cpu_op;
        label.sequence = number_after(rest, ", seq = ");
        label.sizes = names_->intern(list_after(rest, ", sizes = "));
    }
    label.name = names_->intern(text.substr(0, end));
    return label;
}

NsysRanks::Label NsysRanks::label_of(const NsysBlock& block, std::int64_t name, std::uint32_t text) {
    if (name < 0 && text < block.texts.size()) { // a kernel may have neither
        Label& label = block_labels_[text];
        if (label.name == 0)
            label = label_of(block.texts[text]);
        return label;
    }
    const auto [known, added] = labels_.try_emplace(name);
    if (added)
        known->second = label_of(report_.strings.text(name));
    return known->second;
}

NameId NsysRanks::call_name(std::int64_t id) {
    const auto [known, added] = calls_.try_emplace(id);
    if (added)
        known->second = names_->intern(without_version(report_.strings.text(id)));
    return known->second;
}

void NsysRanks::append(const NsysTable& table, const NsysBlock& block) {
    block_labels_.assign(block.texts.size(), {});
    if (block.malformed > 0)
        malformed_[table.name] += block.malformed;
    if (!block.damage.empty())
        damaged_.try_emplace(table.name, block.damage);
    negative_ += block.negative;
    accounting_.events_in_file += block.rows_read;
    accounting_.rows_by_table[table.name] += block.rows_read;
    accounting_.add(NotShown::malformed, static_cast<std::uint64_t>(block.malformed));
    accounting_.add(NotShown::metadata, block.metadata);
    accounting_.add(NotShown::counters, block.samples.size());
    // A place is looked up once for each block: which parts it belongs to, and its track in each.
    struct Target {
        Part* part;
        TrackId track;
    };
    std::vector<std::vector<Target>> targets(block.places.size() * 2);
    std::vector<bool> known(targets.size());
    std::size_t until_check = kRowsBetweenChecks;
    for (const NsysRow& row : block.rows) {
        if (--until_check == 0) { // a call belongs to all devices of its process, so few rows may be many events
            until_check = kRowsBetweenChecks;
            if (most_bytes_ > 0 && memory_bytes() > most_bytes_)
                return;
        }
        const NsysPlace& place = block.places[row.place];
        const std::size_t slot = row.place * 2 + row.is_range;
        if (!known[slot]) {
            known[slot] = true;
            for (Part* owner : parts_of(place, row.kind))
                targets[slot].push_back({owner, track_of(*owner, place, row)});
        }
        if (targets[slot].empty()) {
            if (row.kind != EventKind::gpu_sync) { // whose rows do not always tell their process
                other_processes_.insert(nsys_global_process(place.global_id));
                ++other_rows_;
            }
            accounting_.add(NotShown::other_processes, 1);
        }
        if (!targets[slot].empty())
            ++targets[slot].front().part->dealt;
        for (const Target& target : targets[slot]) {
            target.part->has_copies = target.part->has_copies || target.part != targets[slot].front().part;
            add(*target.part, block, row, target.track);
        }
    }
    for (const NsysMark& mark : block.marks) {
        const std::vector<Part*> owners = parts_of(block.places[mark.place], EventKind::annotation);
        accounting_.add(owners.empty() ? NotShown::other_processes : NotShown::instants, 1);
        for (Part* owner : owners)
            owner->builder->trace().instants.push_back(
                {mark.time + clock_, label_of(block, mark.name, mark.text).name});
    }
    append_samples(table, block);
}

void NsysRanks::count_unread(const std::string& table, std::uint64_t rows) {
    accounting_.events_in_file += rows;
    accounting_.rows_by_table[table] += rows;
    accounting_.add(NotShown::other_tables, rows);
}

void NsysRanks::add(Part& part, const NsysBlock& block, const NsysRow& row, TrackId track) {
    RawEvent event;
    event.start = row.start + clock_;
    event.duration = row.duration;
    event.correlation = row.correlation;
    event.kind = row.kind;
    event.track = track;
    if (row.kind == EventKind::runtime) {
        event.name = call_name(row.name);
        event.kind = call_kind(names_->view(event.name));
    } else {
        const Label label = label_of(block, row.name, row.text);
        event.name = label.name;
        if (row.kind == EventKind::annotation && row.duration != kStillOpen &&
            names_->view(label.name).starts_with("nccl"))
            add_nccl(part, block, row, track, label.name);
        if (row.kind == EventKind::annotation)
            event.kind = label.kind;
        if (label.sequence != kUnknown || label.sizes != 0) {
            OperatorInputs inputs;
            inputs.dims = label.sizes;
            inputs.sequence = label.sequence;
            part.builder->add_inputs(part.events, inputs);
        }
    }
    if (row.from_graph && row.kind == EventKind::kernel) {
        const bool whole = row.name < 0;
        if (whole && part.graph_nodes.contains(row.correlation)) {
            ++part.doubled; // its nodes are there
            return;
        }
        whole_graphs_ += whole;
        if (!whole)
            part.graph_nodes.insert(row.correlation);
    }
    event.ordinal = part.events++;
    if (row.duration == kStillOpen) {
        event.duration = 0;
        ++open_ranges_;
        part.open.push_back(event);
        return;
    }
    part.builder->add(event);
    if (is_gpu_work(row.kind))
        add_gpu_columns(part, block, row, event.ordinal);
}

void NsysRanks::add_nccl(Part& part, const NsysBlock& block, const NsysRow& row, TrackId track, NameId name) {
    NcclRange call{track, {row.start + clock_, row.start + row.duration + clock_}, name, {}};
    if (row.shape > 0)
        call.payload = nccl_payload(report_.payload_schemas, block.payloads[row.shape - 1]);
    if (call.payload.communicator && call.payload.ranks > 0)
        nccl_sizes_[*call.payload.communicator] = call.payload.ranks;
    part.nccl.push_back(call);
}

void NsysRanks::add_gpu_columns(Part& part, const NsysBlock& block, const NsysRow& row, std::uint32_t ordinal) {
    const LaunchShape& shape = block.shapes[row.shape];
    part.builder->add_launch_shape(ordinal, part.builder->launch_shape(shape));
    if (row.bytes >= 0)
        part.builder->add_transfer(ordinal, row.bytes,
                                   row.duration > 0 ? static_cast<double>(row.bytes) / static_cast<double>(row.duration)
                                                    : 0);
    const auto device = std::ranges::lower_bound(report_.devices, part.gpu, {}, &Device::id);
    const double blocks = static_cast<double>(shape.grid[0]) * shape.grid[1] * shape.grid[2];
    if (row.kind == EventKind::kernel && blocks > 0 && device != report_.devices.end() && device->id == part.gpu &&
        device->multiprocessors > 0)
        part.builder->add_occupancy({ordinal, static_cast<float>(blocks / static_cast<double>(device->multiprocessors)),
                                     std::numeric_limits<float>::quiet_NaN()});
}

/// GPU metrics go to the ranks on that GPU, those of network cards, which all ranks of a machine share, to the first.
void NsysRanks::append_samples(const NsysTable& table, const NsysBlock& block) {
    if (block.samples.empty() || parts_.empty())
        return;
    const bool of_gpu = std::string_view(table.name) == "GPU_METRICS";
    struct Series {
        NameId name = 0;
        std::vector<Part*> parts;
        bool is_sm_clock = false;
    };
    const NameId sm_clock = names_->intern(hardware_series(HardwareQuantity::sm_clock));
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>, Series> series;
    for (const NsysSample& sample : block.samples) {
        const auto [known, added] = series.try_emplace({sample.source, sample.port, sample.list, sample.metric});
        Series& to = known->second;
        if (added && of_gpu) {
            const std::int64_t gpu = sample.source & 0xFF;
            const auto name = report_.gpu_metrics.find({sample.source, sample.metric});
            to.name = names_->intern(name != report_.gpu_metrics.end() ? name->second
                                                                       : fmt::format("GPU metric {}", sample.metric));
            for (const auto& candidate : parts_)
                if (candidate->gpu == gpu)
                    to.parts.push_back(candidate.get());
            to.is_sm_clock = !to.parts.empty() && names_->view(to.name).starts_with("GPC Clock Frequency");
            if (to.parts.empty()) {
                to.name = names_->intern(fmt::format("GPU {}: {}", gpu, names_->view(to.name)));
                to.parts.push_back(parts_.front().get());
            }
        } else if (added) {
            const auto name = report_.nic_metrics.find({sample.list, sample.metric});
            const auto card = report_.cards.find(sample.source);
            to.name = names_->intern(fmt::format(
                "{}{}: {}", card != report_.cards.end() ? card->second : fmt::format("network card {}", sample.source),
                sample.port >= 0 ? fmt::format(" port {}", sample.port) : "",
                name != report_.nic_metrics.end() ? name->second : fmt::format("metric {}", sample.metric)));
            to.parts.push_back(parts_.front().get());
        }
        for (Part* owner : to.parts) {
            owner->builder->trace().counters.push_back({to.name, sample.time + clock_, sample.value});
            if (to.is_sm_clock)
                owner->builder->trace().counters.push_back(
                    {sm_clock, sample.time + clock_, gpc_clock_mhz(sample.value)});
        }
    }
}

void NsysRanks::note_defects(RankTrace& trace) const {
    Notices& notices = trace.notices;
    for (const Notice& notice : report_.notices)
        add_notice(notices, notice);
    if (whole_graphs_ > 0)
        add_notice(notices, {"whole_graphs",
                             "CUDA graphs were recorded as a whole (--cuda-graph-trace=graph): computation and "
                             "communication inside cannot be told apart and count as computation"_text,
                             {},
                             whole_graphs_});
    if (too_many_parts_)
        add_notice(notices, {"too_many_devices",
                             "the report speaks of more than %1 devices in a process, or %2 in all, which "
                             "no machine has: what is on the others is not shown"_text(kMostDevices, kMostParts),
                             {},
                             1});
    if (!other_processes_.empty())
        add_notice(notices, {"other_processes",
                             "%1 processes of the report do no GPU work: their %2 calls and ranges "
                             "are not shown"_text(other_processes_.size(), other_rows_),
                             {},
                             1});
    for (const auto& [table, rows] : malformed_)
        add_notice(notices, {"malformed_events",
                             "rows of %1 that have no time, no place or a value of the wrong type "
                             "were left out"_text(table),
                             {},
                             rows});
    for (const auto& [table, why] : damaged_)
        add_notice(notices, {"damaged_table",
                             "parts of the table %1 cannot be read (%2): what was read is shown"_text(table, why),
                             {},
                             1});
    if (negative_ > 0)
        add_notice(notices,
                   {"negative_durations", "events that end before they start count as instants"_text, {}, negative_});
    if (open_ranges_ > 0)
        add_notice(
            notices,
            {"open_ranges", "NVTX ranges that nobody closed are shown up to the last event"_text, {}, open_ranges_});
}

std::uint64_t NsysRanks::memory_bytes() const {
    std::uint64_t bytes = names_->memory_bytes();
    for (const auto& p : parts_)
        bytes +=
            p->builder->memory_bytes() + p->open.capacity() * sizeof(RawEvent) + p->nccl.capacity() * sizeof(NcclRange);
    return bytes;
}

std::uint64_t NsysRanks::event_count() const {
    std::uint64_t events = 0;
    for (const auto& p : parts_)
        events += p->events;
    return events;
}

/// Events that this part counts. Calls and ranges of a process with several devices are shown with each of them and
/// counted with the first.
std::uint64_t NsysRanks::own_events(const Part& part) {
    const RawEvents& events = part.builder->events();
    if (!part.has_copies)
        return events.size();
    std::uint64_t own = 0;
    events.for_each(0, events.size(), [&](std::size_t, const RawEvents::Chunk& chunk, std::size_t k) {
        own += is_gpu_event(chunk.kind[k]);
    });
    return own;
}

RankTraces NsysRanks::finish(const std::filesystem::path& path, std::uint64_t file_bytes, const ReadOptions& options) {
    std::set<std::int64_t> gpus;
    for (const auto& p : parts_)
        gpus.insert(p->gpu);
    const bool own_gpu = gpus.size() == parts_.size();
    for (const auto& p : parts_)
        accounting_.events_in_file -= p->dealt; // a part counts its own
    std::ranges::stable_sort(parts_, {},
                             [&](const auto& p) { return std::tuple(own_gpu ? p->gpu : 0, p->process, p->device); });
    RankTraces ranks(parts_.size());
    tbb::parallel_for(
        std::size_t{0}, parts_.size(),
        [&](std::size_t i) {
            Part& p = *parts_[i];
            const std::uint64_t closed = own_events(p);
            const TimeNs last = p.builder->drop_strays().end;
            std::uint64_t strays = closed - own_events(p);
            for (RawEvent& event : p.open) {
                event.duration = std::max<TimeNs>(0, last - event.start);
                p.builder->add(event);
            }
            const std::uint64_t all = own_events(p);
            RankTrace& trace = p.builder->trace();
            trace.rank = -1;
            trace.file = path;
            trace.source = TraceSource::nsys;
            // The whole file stands behind the first rank, so that the sizes of all add up.
            trace.file_bytes = trace.text_bytes = i == 0 ? file_bytes : 0;
            trace.header = report_.header;
            if (const auto bus = report_.buses.find(p.gpu); bus != report_.buses.end())
                trace.header["nsys.gpu_bus"] = bus->second;
            trace.devices = report_.devices;
            trace.clock_base = clock_;
            if (i == 0)
                note_defects(trace);
            p.builder->drop_strays();
            strays += all - own_events(p);
            trace.accounting.events_in_file = p.dealt;
            trace.accounting.on_timeline = own_events(p);
            trace.accounting.add(NotShown::stray, strays);
            trace.accounting.add(NotShown::duplicate, p.doubled);
            if (i == 0)
                trace.accounting += accounting_;
            for (Notice& notice : trace.notices)
                notice.file = path.string();
            attach_nccl_calls(std::move(p.nccl), nccl_sizes_, *p.builder);
            if (options.complete)
                options.complete(*p.builder);
            ranks[i] = p.builder->finish(options.cancel);
        });
    if (std::ranges::any_of(ranks, [](const auto& rank) { return rank == nullptr; }))
        return {};
    return ranks;
}

} // namespace rankscope
