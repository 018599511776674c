// SPDX-License-Identifier: GPL-3.0-or-later
// rocpd: the databases that ROCm 7's profiler (rocprofv3, rocprof-sys) writes, SQLite, one rank for each process and
// GPU.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "core/input/format/memory_limit.h"
#include "core/input/format/trace_format.h"
#include "core/input/rocpd/counted_rows.h"
#include "core/input/rocpd/rocpd_info.h"
#include "core/trace/plausible.h"
#include "core/trace/rank_builder.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

bool is_rocpd_name(std::string_view name) { return name.ends_with(".db") || name.ends_with(".rocpd"); }

Result<std::optional<SqliteFile>> open_rocpd(const fs::path& path) {
    std::array<char, 16> magic{};
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return input_error("%1 cannot be opened"_text(path.string()));
    file.read(magic.data(), magic.size());
    if (std::string_view(magic.data(), magic.size()) != std::string_view("SQLite format 3\0", 16))
        return std::nullopt;
    auto database = SqliteFile::open(path);
    if (!database)
        return tl::unexpected(database.error());
    if (rocpd_suffixes(*database).empty())
        return std::nullopt;
    return std::optional<SqliteFile>(std::move(*database));
}

Result<std::optional<FilePeek>> peek_rocpd(const FileStart& start) {
    auto file = open_rocpd(start.path());
    if (!file)
        return tl::unexpected(file.error());
    if (!*file)
        return std::nullopt;
    FilePeek peek;
    std::set<int> ranks;
    bool without = false;
    for (const std::string& suffix : rocpd_suffixes(**file))
        if (const SqliteTable* processes = (*file)->table("rocpd_info_process" + suffix)) {
            for (const auto& [id, process] : rocpd_processes(**file, *processes)) {
                without |= !process.rank;
                if (process.rank)
                    ranks.insert(*process.rank);
                if (process.world_size)
                    peek.world_size = process.world_size;
            }
        }
    if (ranks.size() == 1 && !without)
        peek.rank = *ranks.begin();
    return std::optional<FilePeek>(peek);
}

/// One process on one GPU, or without.
struct Part {
    std::tuple<std::int64_t, std::int64_t> order; ///< rank or place of the process, GPU
    std::size_t set = 0;                          ///< of tables
    std::int64_t process = 0;                     ///< id
    std::int64_t gpu = -1;                        ///< index among the GPUs
    std::unique_ptr<RankBuilder> builder;
    std::uint32_t next = 0;                          ///< ordinal
    std::uint64_t dealt = 0;                         ///< rows that are counted with this part
    std::vector<bool> counts;                        ///< by ordinal: the event is counted with this part
    std::map<std::uint64_t, std::int64_t> allocated; ///< bytes by address
};

class RocpdRanks {
public:
    RocpdRanks(const fs::path& path, SqliteFile& file, std::shared_ptr<StringTable> names, const ReadOptions& options)
        : path_(path), file_(file), names_(std::move(names)), options_(options) {}

    Result<RankTraces> read() {
        const std::vector<std::string> suffixes = rocpd_suffixes(file_);
        for (const std::string& suffix : suffixes) {
            infos_.emplace_back(file_, suffix);
            if (!infos_.back().damage.empty())
                note_damage(infos_.back().damage);
        }
        note_unfinished(path_, notices_);
        // GPU work first: it tells which processes use a GPU.
        using Reader = void (RocpdRanks::*)(std::size_t);
        for (const Reader reader :
             {&RocpdRanks::read_kernels, &RocpdRanks::read_copies, &RocpdRanks::read_regions, &RocpdRanks::read_samples,
              &RocpdRanks::read_counters, &RocpdRanks::read_allocations})
            for (std::size_t set = 0; set < infos_.size(); ++set) {
                (this->*reader)(set);
                if (options_.cancel.stop_requested())
                    return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
                if (too_large_)
                    return beyond_memory(path_, options_.memory_bytes, "%1 rows"_text(rows_));
            }
        count_unread();
        return finish();
    }

private:
    static constexpr std::size_t kMostParts = 4096;

    void note_damage(const Message& why) {
        add_notice(notices_,
                   {"damaged_table", "parts of the file cannot be read (%1): what was read is shown"_text(why), {}, 1});
    }

    /// The rows of a table; visit(rows) returns whether the row could be read. Columns 0 to 6 are always the place:
    /// nid, pid, tid, agent_id, queue_id, stream_id, track_id.
    template <typename Visit>
    void for_each_row(std::size_t set, std::string_view base, std::initializer_list<const char*> columns, Visit visit) {
        const SqliteTable* table = infos_[set].table(file_, base);
        if (table == nullptr)
            return;
        std::vector<const char*> all{"nid", "pid", "tid", "agent_id", "queue_id", "stream_id", "track_id"};
        all.insert(all.end(), columns.begin(), columns.end());
        times_by_id_ = false;
        for (const char*& column : all)
            for (const auto& [inside, elsewhere] : {std::pair{"start", "start_id"}, std::pair{"end", "end_id"}})
                if (column == std::string_view(inside) && !table->has(inside) && table->has(elsewhere)) {
                    column = elsewhere;
                    times_by_id_ = true;
                }
        SqliteRows rows(file_, *table, all);
        std::int64_t malformed = 0;
        while (!too_large_ && rows.next()) {
            ++accounting_.events_in_file;
            ++accounting_.rows_by_table[std::string(base)];
            malformed += !visit(rows);
            if (++rows_ % 4096 == 0)
                too_large_ = options_.memory_bytes > 0 && memory_bytes() > options_.memory_bytes;
        }
        if (malformed > 0) {
            accounting_.add(NotShown::malformed, static_cast<std::uint64_t>(malformed));
            add_notice(notices_, {"malformed_events",
                                  "rows of the table %1 without a time, a place or a value of the wrong type "
                                  "were left out"_text(std::string(base)),
                                  {},
                                  malformed});
        }
        if (!rows.damage().empty())
            note_damage("%1: %2"_text(table->name, rows.damage()));
    }

    /// Of the row itself (3.x), or of its track (4.x).
    [[nodiscard]] RocpdPlace place_of(std::size_t set, const SqliteRows& rows) const {
        RocpdPlace place{rows.integer_or(0, -1), rows.integer_or(1, -1), rows.integer_or(2, -1),
                         rows.integer_or(3, -1), rows.integer_or(4, -1), rows.integer_or(5, -1)};
        if (const auto track = rows.integer(6))
            if (const auto found = infos_[set].tracks.find(*track); found != infos_[set].tracks.end()) {
                const RocpdPlace& of = found->second;
                const auto take = [](std::int64_t& value, std::int64_t from) { value = value < 0 ? from : value; };
                take(place.node, of.node);
                take(place.process, of.process);
                take(place.thread, of.thread);
                take(place.agent, of.agent);
                take(place.queue, of.queue);
                take(place.stream, of.stream);
            }
        return place;
    }

    /// Of the row itself, or in schema 4.0 of the table of times.
    [[nodiscard]] std::optional<TimeNs> time_at(std::size_t set, const SqliteRows& rows, int column) const {
        const auto value = rows.integer(column);
        return value && times_by_id_ ? infos_[set].time(*value) : value;
    }

    bool times(std::size_t set, const SqliteRows& rows, int start, int end, RawEvent& event) {
        const auto from = time_at(set, rows, start);
        const auto to = time_at(set, rows, end);
        if (!from || !to || !is_plausible_time(*from) || !is_plausible_time(*to))
            return false;
        event.start = *from;
        event.duration = *to - *from;
        if (event.duration < 0) {
            event.duration = 0;
            ++negative_;
        }
        return true;
    }

    Part* part(std::size_t set, std::int64_t process, std::int64_t gpu) {
        for (const auto& known : parts_)
            if (known->set == set && known->process == process && known->gpu == gpu)
                return known.get();
        if (parts_.size() == kMostParts)
            return nullptr;
        auto added = std::make_unique<Part>();
        added->set = set;
        added->process = process;
        added->gpu = gpu;
        added->builder = std::make_unique<RankBuilder>(names_);
        parts_.push_back(std::move(added));
        return parts_.back().get();
    }

    std::vector<Part*> parts_of(std::size_t set, std::int64_t process) {
        std::vector<Part*> result;
        bool any_gpu = false;
        for (const auto& known : parts_) {
            any_gpu |= known->gpu >= 0;
            if (known->set == set && known->process == process)
                result.push_back(known.get());
        }
        if (result.empty() && !any_gpu)
            if (Part* alone = part(set, process, -1))
                result.push_back(alone);
        return result;
    }

    [[nodiscard]] std::int64_t gpu_of(std::size_t set, std::int64_t agent) const {
        const auto found = infos_[set].agents.find(agent);
        return found != infos_[set].agents.end() && found->second.is_gpu ? found->second.index : -1;
    }

    [[nodiscard]] std::string process_text(std::size_t set, std::int64_t id) const {
        const RocpdProcess* process = infos_[set].process(id);
        return std::to_string(process != nullptr ? process->pid : id);
    }

    TrackId gpu_track(Part& to, std::size_t set, const RocpdPlace& place) {
        const bool has_stream = place.stream >= 0;
        return to.builder->track(process_text(set, place.process),
                                 has_stream ? fmt::format("stream {}", place.stream)
                                            : fmt::format("queue {}", place.queue),
                                 to.gpu, has_stream ? place.stream : place.queue);
    }

    /// Counted with the first of the parts that show it.
    void add(Part& to, RawEvent event, bool is_first) {
        event.ordinal = to.next++;
        to.counts.push_back(is_first);
        to.dealt += is_first;
        to.builder->add(event);
    }

    /// What joins a call and the work that it launches.
    [[nodiscard]] std::int64_t link_of(std::size_t set, const SqliteRows& rows, int column) const {
        const auto id = rows.integer(column);
        const RocpdEvent* event = id ? infos_[set].event(*id) : nullptr;
        return event == nullptr         ? kUnknown
               : event->stack > 0       ? event->stack
               : event->correlation > 0 ? event->correlation
                                        : kUnknown;
    }

    void read_kernels(std::size_t set) {
        const RocpdInfo& info = infos_[set];
        const SqliteTable* counters = info.table(file_, "rocpd_pmc_event");
        const bool has_counters = counters != nullptr && file_.row_range(*counters);
        for_each_row(set, "rocpd_kernel_dispatch",
                     {"start", "end", "kernel_id", "region_name_id", "event_id", "workgroup_size_x", "workgroup_size_y",
                      "workgroup_size_z", "grid_size_x", "grid_size_y", "grid_size_z", "group_segment_size"},
                     [&](const SqliteRows& rows) {
                         RawEvent event;
                         const RocpdPlace place = place_of(set, rows);
                         const std::int64_t gpu = gpu_of(set, place.agent);
                         Part* to = gpu >= 0 ? part(set, place.process, gpu) : nullptr;
                         if (to == nullptr || !times(set, rows, 7, 8, event))
                             return false;
                         std::string_view name = info.kernel(rows.integer_or(9, -1));
                         if (name.empty())
                             name = info.string(rows.integer_or(10, -1));
                         event.name = names_->intern(name.empty() ? "kernel without a name" : name);
                         event.kind = EventKind::kernel;
                         event.correlation = link_of(set, rows, 11);
                         event.track = gpu_track(*to, set, place);
                         LaunchShape shape;
                         for (std::size_t axis = 0; axis < 3; ++axis) {
                             const std::int64_t block = rows.integer_or(12 + static_cast<int>(axis), 0);
                             const std::int64_t items = rows.integer_or(15 + static_cast<int>(axis), 0);
                             if (block <= 0 || items <= 0 || block > 0xFFFFFFFF || items > kMostCounted)
                                 continue;
                             // The grid is written in work-items.
                             shape.block[axis] = static_cast<std::uint32_t>(block);
                             shape.grid[axis] =
                                 static_cast<std::uint32_t>(std::min<std::int64_t>(items / block, 0xFFFFFFFF));
                         }
                         shape.dynamic_shared = static_cast<std::uint32_t>(
                             std::clamp<std::int64_t>(rows.integer_or(18, 0), 0, 0xFFFFFFFF));
                         to->builder->add_launch_shape(to->next, to->builder->launch_shape(shape));
                         if (const auto id = rows.integer(11); id && has_counters)
                             dispatches_[{set, *id}] = {to, event.start};
                         add(*to, event, true);
                         return true;
                     });
    }

    void read_copies(std::size_t set) {
        const RocpdInfo& info = infos_[set];
        for_each_row(
            set, "rocpd_memory_copy", {"start", "end", "name_id", "event_id", "size", "dst_agent_id", "src_agent_id"},
            [&](const SqliteRows& rows) {
                RawEvent event;
                RocpdPlace place = place_of(set, rows);
                std::int64_t gpu = gpu_of(set, rows.integer_or(12, -1));
                if (gpu < 0)
                    gpu = gpu_of(set, rows.integer_or(13, -1));
                if (gpu < 0)
                    gpu = gpu_of(set, place.agent);
                if (!times(set, rows, 7, 8, event))
                    return false;
                // Copies to a GPU that computes nothing belong to the one that does.
                const std::vector<Part*> of_process = computing_parts(set, place.process);
                Part* to = nullptr;
                for (Part* known : of_process)
                    if (known->gpu == gpu)
                        to = known;
                if (to == nullptr && !of_process.empty())
                    to = of_process.front();
                if (to == nullptr)
                    to = part(set, place.process, std::max<std::int64_t>(0, gpu));
                if (to == nullptr)
                    return false;
                const std::string_view name = info.string(rows.integer_or(9, -1));
                event.name = names_->intern(name.empty() ? "memory copy" : name);
                event.kind = EventKind::memcpy;
                event.correlation = link_of(set, rows, 10);
                event.track = gpu_track(*to, set, place);
                const std::int64_t bytes = plausible(rows.integer_or(11, kUnknown));
                if (bytes >= 0)
                    to->builder->add_transfer(
                        to->next, bytes,
                        event.duration > 0 ? static_cast<double>(bytes) / static_cast<double>(event.duration) : 0);
                add(*to, event, true);
                return true;
            });
    }

    std::vector<Part*> computing_parts(std::size_t set, std::int64_t process) {
        std::vector<Part*> result;
        for (const auto& known : parts_)
            if (known->set == set && known->process == process && known->gpu >= 0)
                result.push_back(known.get());
        return result;
    }

    static EventKind kind_of(std::string_view category) {
        if (category.find("MARKER") != std::string_view::npos || category.find("RCCL") != std::string_view::npos ||
            category.find("NCCL") != std::string_view::npos || category.find("USER") != std::string_view::npos)
            return EventKind::annotation;
        if (category.find("HSA") != std::string_view::npos)
            return EventKind::driver;
        if (category.find("HIP") != std::string_view::npos || category.find("OMP") != std::string_view::npos)
            return EventKind::runtime;
        return EventKind::other;
    }

    void read_regions(std::size_t set) {
        const RocpdInfo& info = infos_[set];
        for_each_row(set, "rocpd_region", {"start", "end", "name_id", "event_id"}, [&](const SqliteRows& rows) {
            RawEvent event;
            const RocpdPlace place = place_of(set, rows);
            if (place.process < 0 || !times(set, rows, 7, 8, event))
                return false;
            const auto id = rows.integer(10);
            const RocpdEvent* of = id ? info.event(*id) : nullptr;
            const bool marker = of != nullptr && of->message > 0;
            const std::string_view name =
                marker ? std::string_view(info.messages[of->message - 1]) : info.string(rows.integer_or(9, -1));
            event.name = names_->intern(name.empty() ? "region without a name" : name);
            event.kind = of == nullptr ? EventKind::other : kind_of(info.category(of->category));
            if (is_launch_call(event.kind))
                event.correlation = link_of(set, rows, 10);
            const std::vector<Part*> owners = parts_of(set, place.process);
            if (owners.empty()) {
                accounting_.add(NotShown::other_processes, 1);
                other_processes_.insert({set, place.process});
                ++other_rows_;
            }
            for (Part* to : owners) {
                event.track = host_track(*to, set, place);
                add(*to, event, to == owners.front());
            }
            return true;
        });
    }

    TrackId host_track(Part& to, std::size_t set, const RocpdPlace& place) {
        const std::string process = process_text(set, place.process);
        const std::string thread = std::to_string(place.thread);
        const auto named = infos_[set].threads.find(place.thread);
        if (named != infos_[set].threads.end())
            to.builder->set_thread_name(process, thread, named->second);
        return to.builder->track(process, thread, kUnknown, kUnknown);
    }

    /// Marks, and the times of counters that are sampled.
    void read_samples(std::size_t set) {
        const RocpdInfo& info = infos_[set];
        for_each_row(set, "rocpd_sample", {"timestamp", "event_id", "id", "name_id"}, [&](const SqliteRows& rows) {
            const auto time = rows.integer(7);
            if (!time || !is_plausible_time(*time))
                return false;
            const RocpdPlace place = place_of(set, rows);
            const auto id = rows.integer(8);
            const RocpdEvent* of = id ? info.event(*id) : nullptr;
            if (id)
                samples_[{set, *id}] = {place, *time};
            if (const auto sample = rows.integer(9))
                samples_by_id_[{set, *sample}] = {place, *time};
            const std::string_view name = of != nullptr && of->message > 0
                                              ? std::string_view(info.messages[of->message - 1])
                                              : info.string(rows.integer_or(10, -1));
            const bool is_mark = of != nullptr && kind_of(info.category(of->category)) == EventKind::annotation;
            accounting_.add(is_mark ? NotShown::instants : NotShown::counters, 1);
            if (is_mark)
                for (Part* to : parts_of(set, place.process))
                    to->builder->trace().instants.push_back({*time, names_->intern(name)});
            return true;
        });
    }

    /// Values of counters: of a kernel, or of a sample.
    void read_counters(std::size_t set) {
        const RocpdInfo& info = infos_[set];
        for_each_row(set, "rocpd_pmc_event", {"event_id", "pmc_id", "value", "sample_id"}, [&](const SqliteRows& rows) {
            const auto value = rows.number(9);
            const auto counter = info.counters.find(rows.integer_or(8, -1));
            if (!value || counter == info.counters.end())
                return false;
            accounting_.add(NotShown::counters, 1);
            const NameId series = names_->intern(counter->second.name);
            const auto event = rows.integer(7);
            if (const auto kernel = event ? dispatches_.find({set, *event}) : dispatches_.end();
                kernel != dispatches_.end()) {
                kernel->second.first->builder->trace().counters.push_back({series, kernel->second.second, *value});
                return true;
            }
            const auto sample_id = rows.integer(10);
            auto sample = sample_id ? samples_by_id_.find({set, *sample_id}) : samples_by_id_.end();
            if (sample == samples_by_id_.end() && event) {
                sample = samples_.find({set, *event});
                if (sample == samples_.end())
                    return true; // of an event that has no time
            } else if (sample == samples_by_id_.end()) {
                return true;
            }
            const std::int64_t gpu = gpu_of(set, counter->second.agent);
            for (Part* to : parts_of(set, sample->second.first.process))
                if (gpu < 0 || to->gpu == gpu)
                    to->builder->trace().counters.push_back({series, sample->second.second, *value});
            return true;
        });
    }

    void read_allocations(std::size_t set) {
        for_each_row(
            set, "rocpd_memory_allocate", {"start", "type", "level", "address", "size"},
            [&](const SqliteRows& rows) {
                const auto time = time_at(set, rows, 7);
                if (!time || !is_plausible_time(*time))
                    return false;
                accounting_.add(NotShown::memory_samples, 1);
                const RocpdPlace place = place_of(set, rows);
                const std::int64_t gpu = gpu_of(set, place.agent);
                if (gpu < 0 || rows.text(9) == "SCRATCH")
                    return true;
                for (Part* to : computing_parts(set, place.process)) {
                    if (to->gpu != gpu)
                        continue;
                    MemorySample sample;
                    sample.time = *time;
                    sample.address = static_cast<std::uint64_t>(rows.integer_or(10, 0));
                    sample.device_type = 1;
                    sample.device = static_cast<std::int32_t>(gpu);
                    const std::int64_t bytes = plausible(rows.integer_or(11, kUnknown));
                    if (rows.text(8) == "FREE") {
                        // What is freed has no size of its own in most files.
                        const auto known = to->allocated.find(sample.address);
                        const std::int64_t freed =
                            known != to->allocated.end() ? known->second : std::max<std::int64_t>(0, bytes);
                        sample.bytes = -freed;
                        if (known != to->allocated.end())
                            to->allocated.erase(known);
                    } else {
                        sample.bytes = bytes;
                        to->allocated[sample.address] = std::max<std::int64_t>(0, bytes);
                    }
                    to->builder->add_memory_sample(sample, host_track(*to, set, place));
                }
                return true;
            });
    }

    /// Tables of events that are not read (launches of whole graphs, waits of queues), counted by their row ids.
    void count_unread() {
        static constexpr std::array kRead{"rocpd_kernel_dispatch", "rocpd_memory_copy", "rocpd_region",
                                          "rocpd_sample",          "rocpd_pmc_event",   "rocpd_memory_allocate"};
        for (const auto& [name, table] : file_.tables()) {
            const bool read = std::ranges::any_of(kRead, [&](std::string_view base) { return name.starts_with(base); });
            if (read || !name.starts_with("rocpd_") || name.starts_with("rocpd_info_") ||
                !(table.has("start") || table.has("start_id") || table.has("timestamp")))
                continue;
            const auto range = file_.row_range(table);
            if (!range)
                continue;
            const auto span = static_cast<std::uint64_t>(range->last) - static_cast<std::uint64_t>(range->first);
            const std::uint64_t rows = std::min(span, file_.file_bytes() / 8) + 1;
            accounting_.events_in_file += rows;
            accounting_.rows_by_table[name] += rows;
            accounting_.add(NotShown::other_tables, rows);
        }
    }

    [[nodiscard]] std::uint64_t memory_bytes() const {
        std::uint64_t bytes = names_->memory_bytes() + (dispatches_.size() + samples_.size()) * 96;
        for (const RocpdInfo& info : infos_)
            bytes += info.memory_bytes();
        for (const auto& part : parts_)
            bytes += part->builder->memory_bytes();
        return bytes;
    }

    Result<RankTraces> finish() {
        if (!other_processes_.empty())
            add_notice(notices_, {"other_processes",
                                  "%1 processes do no GPU work and are not shown"_text(other_processes_.size()),
                                  {},
                                  other_rows_});
        if (negative_ > 0)
            add_notice(
                notices_,
                {"negative_durations", "events that end before they start count as instants"_text, {}, negative_});
        for (const auto& p : parts_) {
            const RocpdProcess* process = infos_[p->set].process(p->process);
            p->order = {process != nullptr && process->rank ? *process->rank : p->process, p->gpu};
            accounting_.events_in_file -= p->dealt; // a part counts its own
        }
        std::ranges::stable_sort(parts_, {}, [](const auto& p) { return p->order; });
        RankTraces ranks(parts_.size());
        tbb::parallel_for(
            std::size_t{0}, parts_.size(),
            [&](std::size_t i) {
                Part& p = *parts_[i];
                const RocpdInfo& info = infos_[p.set];
                const RocpdProcess* process = info.process(p.process);
                const std::uint64_t all = counted_rows(*p.builder, p.counts);
                p.builder->drop_strays();
                const std::uint64_t kept = counted_rows(*p.builder, p.counts);
                RankTrace& trace = p.builder->trace();
                trace.rank = parts_.size() == 1 && process != nullptr && process->rank ? *process->rank : -1;
                if (process != nullptr && process->world_size)
                    trace.world_size = *process->world_size;
                trace.file = path_;
                trace.source = TraceSource::rocpd;
                trace.file_bytes = trace.text_bytes = i == 0 ? file_.file_bytes() : 0;
                for (const auto& [tag, value] : info.metadata)
                    trace.header["rocpd." + tag] = value;
                if (process != nullptr && !process->command.empty())
                    trace.header["rocpd.command"] = process->command;
                for (const auto& [id, agent] : info.agents)
                    if (agent.is_gpu)
                        trace.devices.push_back({agent.index, agent.name, 0, 0});
                std::ranges::sort(trace.devices, {}, &Device::id);
                trace.accounting.events_in_file = p.dealt;
                trace.accounting.on_timeline = kept;
                trace.accounting.add(NotShown::stray, all - kept);
                if (i == 0) {
                    trace.accounting += accounting_;
                    trace.notices.insert(trace.notices.end(), notices_.begin(), notices_.end());
                }
                for (Notice& notice : trace.notices)
                    notice.file = path_.string();
                if (options_.complete)
                    options_.complete(*p.builder);
                ranks[i] = p.builder->finish(options_.cancel);
            });
        if (std::ranges::any_of(ranks, [](const auto& rank) { return rank == nullptr; }))
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
        if (ranks.empty())
            return input_error(
                "%1 holds no kernels, copies, calls or markers of a process: nothing to show"_text(path_.string()));
        return ranks;
    }

    const fs::path& path_;
    SqliteFile& file_;
    std::shared_ptr<StringTable> names_;
    const ReadOptions& options_;
    std::vector<RocpdInfo> infos_; ///< of each set of tables
    std::vector<std::unique_ptr<Part>> parts_;
    std::map<std::pair<std::size_t, std::int64_t>, std::pair<Part*, TimeNs>> dispatches_; ///< by set and event
    using Samples = std::map<std::pair<std::size_t, std::int64_t>, std::pair<RocpdPlace, TimeNs>>;
    Samples samples_; ///< by set and event
    Samples samples_by_id_;
    std::set<std::pair<std::size_t, std::int64_t>> other_processes_;
    std::int64_t other_rows_ = 0;
    std::int64_t negative_ = 0;
    bool times_by_id_ = false; ///< of the table that is read
    std::uint64_t rows_ = 0;
    bool too_large_ = false;
    Accounting accounting_; ///< of what no part has
    Notices notices_;
};

Result<RankTraces> read_rocpd(const fs::path& path, const std::shared_ptr<StringTable>& names,
                              const ReadOptions& options) {
    auto file = open_rocpd(path);
    if (!file)
        return tl::unexpected(file.error());
    if (!*file)
        return input_error("%1 is no database of the ROCm profiler"_text(path.string()));
    (*file)->stop_with(options.cancel);
    auto ranks = RocpdRanks(path, **file, names, options).read();
    if (ranks && options.on_bytes)
        options.on_bytes((*file)->file_bytes());
    return ranks;
}

} // namespace

TraceFormat rocpd_format();
TraceFormat rocpd_format() {
    return {TraceSource::rocpd, "databases of the ROCm profiler", is_rocpd_name, peek_rocpd, read_rocpd};
}

} // namespace rankscope
