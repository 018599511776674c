// SPDX-License-Identifier: GPL-3.0-or-later
// .rpd: the databases of rocmProfileData (SQLite): calls of the host, work of GPUs and which call launched it. One rank
// for each GPU. A launch is shown on the GPU that runs its work. Everything else of a process, such as marks of steps
// and waits, is shown on each GPU that it uses.
//   A process launches on GPUs 0 and 1, and marks "step 4": ranks 0 and 1 have the mark, which counts once.
#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "core/base/seeded_hash.h"
#include "core/base/text_match.h"
#include "core/input/bytes/sqlite_file.h"
#include "core/input/format/memory_limit.h"
#include "core/input/format/trace_format.h"
#include "core/input/rocpd/counted_rows.h"
#include "core/trace/plausible.h"
#include "core/trace/rank_builder.h"

namespace rankscope {
namespace {

bool is_rpd_name(std::string_view name) { return name.ends_with(".rpd"); }

bool has_rpd_tables(const SqliteFile& file) {
    return std::ranges::all_of(
        std::array{"rocpd_op", "rocpd_api", "rocpd_string"},
        [&](const char* name) { return file.table(name) != nullptr; });
}

Result<std::optional<SqliteFile>> open_rpd(const std::filesystem::path& path) {
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
    if (!has_rpd_tables(*database))
        return std::nullopt;
    return std::optional<SqliteFile>(std::move(*database));
}

Result<std::optional<FilePeek>> peek_rpd(const FileStart& start) {
    const auto file = open_rpd(start.path());
    if (!file)
        return tl::unexpected(file.error());
    return *file ? std::optional(FilePeek{}) : std::nullopt;
}

constexpr std::size_t kMostRpdGpus = 64;

struct RpdGpu {
    std::unique_ptr<RankBuilder> builder;
    std::uint32_t next = 0;   ///< ordinal
    std::vector<bool> counts; ///< by ordinal: the row is counted with this GPU
};

class RpdRanks {
public:
    RpdRanks(const std::filesystem::path& path, SqliteFile& file, std::shared_ptr<StringTable> names,
             const ReadOptions& options)
        : path_(path), file_(file), names_(std::move(names)), options_(options) {}

    Result<RankTraces> read() {
        note_unfinished(path_, notices_);
        for_each_row("rocpd_string", {"id", "string"}, [&](const SqliteRows& rows) {
            const auto id = rows.integer(0);
            if (id)
                strings_[*id] = names_->intern(rows.text(1));
            return id.has_value();
        });
        for_each_row("rocpd_api_ops", {"api_id", "op_id"}, [&](const SqliteRows& rows) {
            const auto api = rows.integer(0), op = rows.integer(1);
            if (api && op)
                api_of_[*op] = *api;
            return api && op;
        });
        read_markers();
        for (const auto reader : {&RpdRanks::read_work, &RpdRanks::find_gpus_of_processes, &RpdRanks::read_calls}) {
            (this->*reader)();
            if (options_.cancel.stop_requested())
                return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
            if (too_large_)
                return beyond_memory(path_, options_.memory_bytes, "%1 rows"_text(rows_));
        }
        return finish();
    }

private:
    template <typename Visit>
    std::int64_t for_each_row(const char* name, std::initializer_list<const char*> columns, Visit visit) {
        const SqliteTable* table = file_.table(name);
        if (table == nullptr)
            return 0;
        const std::vector<const char*> all(columns);
        SqliteRows rows(file_, *table, all);
        std::int64_t unreadable = 0;
        while (!too_large_ && rows.next()) {
            unreadable += !visit(rows);
            if (++rows_ % 65'536 == 0 && options_.memory_bytes > 0)
                too_large_ = memory_bytes() > options_.memory_bytes;
        }
        if (!rows.damage().empty())
            add_notice(notices_, {"damaged_table",
                                  "parts of the file cannot be read (%1): what was read is shown"_text(rows.damage()),
                                  {},
                                  1});
        return unreadable;
    }

    [[nodiscard]] std::uint64_t memory_bytes() const {
        std::uint64_t bytes =
            names_->memory_bytes() + (strings_.size() + api_of_.size() + gpu_of_.size() + gpus_of_process_.size()) * 64;
        for (const auto& [gpu, part] : gpus_)
            bytes += part.builder->memory_bytes();
        return bytes;
    }

    /// Names are found by id, not by their text, which may be long.
    [[nodiscard]] std::optional<NameId> name(std::int64_t id) const {
        const auto found = strings_.find(id);
        return found == strings_.end() || names_->view(found->second).empty() ? std::nullopt
                                                                              : std::optional(found->second);
    }
    [[nodiscard]] std::string_view text(std::int64_t id) const {
        const auto found = name(id);
        return found ? names_->view(*found) : std::string_view{};
    }

    /// Ranges of roctx and Python are recorded as calls of this name, with the text among the arguments.
    static constexpr std::string_view kMarker = "UserMarker";

    void read_markers() {
        for_each_row("rocpd_api", {"apiName_id", "args_id"}, [&](const SqliteRows& rows) {
            if (const auto args = rows.integer(1); args && text(rows.integer_or(0, -1)) == kMarker)
                markers_.emplace(*args, NameId{0});
            return true;
        });
        if (!markers_.empty())
            for_each_row("rocpd_ustring", {"id", "string"}, [&](const SqliteRows& rows) {
                if (const auto marker = markers_.find(rows.integer_or(0, -1)); marker != markers_.end())
                    marker->second = names_->intern(rows.text(1));
                return true;
            });
    }

    /// Columns 0 and 1 are start and end, ns.
    bool set_times(const SqliteRows& rows, RawEvent& event) {
        const auto start = rows.integer(0), end = rows.integer(1);
        if (!start || !end || !is_plausible_time(*start) || !is_plausible_time(*end))
            return false;
        event.start = *start;
        event.duration = std::max<TimeNs>(0, *end - *start);
        negative_ += *end < *start;
        return true;
    }

    static void add(RpdGpu& to, RawEvent& event, bool counts) {
        event.ordinal = to.next++;
        to.counts.push_back(counts);
        to.builder->add(event);
    }

    void read_work() {
        const std::int64_t unreadable =
            for_each_row("rocpd_op", {"start", "end", "id", "gpuId", "queueId", "description_id", "opType_id"},
                         [&](const SqliteRows& rows) {
                             RawEvent event;
                             const auto id = rows.integer(2), gpu = rows.integer(3);
                             if (!id || !gpu || *gpu < 0 || !set_times(rows, event))
                                 return false;
                             const auto type_name = name(rows.integer_or(6, -1)),
                                        own_name = name(rows.integer_or(5, -1));
                             const std::string_view type = type_name ? names_->view(*type_name) : std::string_view();
                             if (type == "Barrier" || type == "Marker") { // of a queue: no work
                                 ++accounting_.events_in_file;
                                 accounting_.add(NotShown::instants, 1);
                                 return true;
                             }
                             if (!gpus_.contains(*gpu) && gpus_.size() == kMostRpdGpus)
                                 return false;
                             RpdGpu& to = gpus_[*gpu];
                             if (!to.builder)
                                 to.builder = std::make_unique<RankBuilder>(names_);
                             event.kind = type.starts_with("Copy")   ? EventKind::memcpy
                                          : type.starts_with("Fill") ? EventKind::memset
                                                                     : EventKind::kernel;
                             event.name = event.kind == EventKind::kernel && own_name ? *own_name
                                          : type_name                                 ? *type_name
                                                      : names_->intern("work without a name");
                             if (const auto api = api_of_.find(*id); api != api_of_.end()) {
                                 event.correlation = api->second;
                                 gpu_of_[api->second] = *gpu;
                             }
                             const std::int64_t queue = rows.integer_or(4, 0);
                             event.track = to.builder->track("GPU", fmt::format("queue {}", queue), *gpu, queue);
                             add(to, event, true);
                             return true;
                         });
        count_unreadable(unreadable);
    }

    void find_gpus_of_processes() {
        for_each_row("rocpd_api", {"id", "pid"}, [&](const SqliteRows& rows) {
            if (const auto process = rows.integer(1)) {
                std::set<std::int64_t>& gpus = gpus_of_process_[*process];
                if (const auto gives_work = gpu_of_.find(rows.integer_or(0, -1)); gives_work != gpu_of_.end())
                    gpus.insert(gives_work->second);
            }
            return true;
        });
        if (gpus_of_process_.size() == 1 && gpus_of_process_.begin()->second.empty()) // no launch is recorded
            for (const auto& [gpu, part] : gpus_)
                gpus_of_process_.begin()->second.insert(gpu);
    }

    void read_calls() {
        std::set<std::int64_t> without_work; // processes
        std::int64_t calls_without_work = 0;
        const std::int64_t unreadable = for_each_row(
            "rocpd_api", {"start", "end", "id", "pid", "tid", "apiName_id", "args_id"}, [&](const SqliteRows& rows) {
                RawEvent event;
                const auto id = rows.integer(2), process = rows.integer(3);
                if (!id || !process || !set_times(rows, event))
                    return false;
                const auto gives_work = gpu_of_.find(*id);
                const auto call = name(rows.integer_or(5, -1));
                const bool is_marker = call && names_->view(*call) == kMarker;
                const auto marker = is_marker ? markers_.find(rows.integer_or(6, -1)) : markers_.end();
                event.kind = is_marker ? EventKind::annotation : EventKind::runtime;
                event.name = marker != markers_.end() ? marker->second
                             : call                   ? *call
                                                      : names_->intern("call without a name");
                event.correlation = gives_work != gpu_of_.end() ? *id : kUnknown;
                const auto show_on = [&](std::int64_t gpu, bool counts) {
                    RpdGpu& to = gpus_.at(gpu);
                    event.track = to.builder->track(std::to_string(*process), std::to_string(rows.integer_or(4, 0)),
                                                    kUnknown, kUnknown);
                    add(to, event, counts);
                };
                const std::set<std::int64_t>& gpus = gpus_of_process_[*process];
                if (gives_work != gpu_of_.end())
                    show_on(gives_work->second, true);
                else if (gpus.empty()) {
                    without_work.insert(*process);
                    ++calls_without_work;
                } else
                    for (const std::int64_t gpu : gpus)
                        show_on(gpu, gpu == *gpus.begin());
                return true;
            });
        count_unreadable(unreadable);
        if (calls_without_work == 0)
            return;
        accounting_.events_in_file += static_cast<std::uint64_t>(calls_without_work);
        accounting_.add(NotShown::other_processes, static_cast<std::uint64_t>(calls_without_work));
        add_notice(notices_, {"other_processes",
                              "%1 processes launch no recorded GPU work and are not shown"_text(without_work.size()),
                              {},
                              calls_without_work});
    }

    void count_unreadable(std::int64_t rows) {
        if (rows > 0)
            add_notice(notices_, {"malformed_events", "rows that could not be read were left out"_text, {}, rows});
        accounting_.events_in_file += static_cast<std::uint64_t>(rows);
        accounting_.add(NotShown::malformed, static_cast<std::uint64_t>(rows));
    }

    Result<RankTraces> finish() {
        if (negative_ > 0)
            add_notice(
                notices_,
                {"negative_durations", "events that end before they start count as instants"_text, {}, negative_});
        RankTraces ranks;
        for (auto& [gpu, part] : gpus_) {
            const std::uint64_t all = counted_rows(*part.builder, part.counts);
            part.builder->drop_strays();
            RankTrace& trace = part.builder->trace();
            trace.rank = -1;
            trace.file = path_;
            trace.source = TraceSource::rocpd;
            trace.file_bytes = trace.text_bytes = ranks.empty() ? file_.file_bytes() : 0;
            trace.devices.push_back({gpu, "", 0, 0});
            trace.accounting.events_in_file = all;
            trace.accounting.on_timeline = counted_rows(*part.builder, part.counts);
            trace.accounting.add(NotShown::stray, all - trace.accounting.on_timeline);
            if (ranks.empty()) {
                trace.accounting += accounting_;
                trace.notices.insert(trace.notices.end(), notices_.begin(), notices_.end());
            }
            for (Notice& notice : trace.notices)
                notice.file = path_.string();
            if (options_.complete)
                options_.complete(*part.builder);
            auto rank = part.builder->finish(options_.cancel);
            if (!rank)
                return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
            ranks.push_back(std::move(rank));
        }
        if (ranks.empty())
            return input_error("%1 holds no work of a GPU"_text(path_.string()));
        return ranks;
    }

    const std::filesystem::path& path_;
    SqliteFile& file_;
    std::shared_ptr<StringTable> names_;
    const ReadOptions& options_;
    NumberMap<std::int64_t, NameId> strings_;
    NumberMap<std::int64_t, NameId> markers_;      ///< by id of the arguments
    NumberMap<std::int64_t, std::int64_t> api_of_; ///< by op
    NumberMap<std::int64_t, std::int64_t> gpu_of_; ///< by api
    std::map<std::int64_t, RpdGpu> gpus_;
    std::map<std::int64_t, std::set<std::int64_t>> gpus_of_process_; ///< those that it gives work
    std::uint64_t rows_ = 0;
    bool too_large_ = false;
    std::int64_t negative_ = 0; ///< rows that end before they start
    Accounting accounting_;     ///< of what no GPU has
    Notices notices_;
};

Result<RankTraces> read_rpd(const std::filesystem::path& path, const std::shared_ptr<StringTable>& names,
                            const ReadOptions& options) {
    auto file = open_rpd(path);
    if (!file)
        return tl::unexpected(file.error());
    if (!*file)
        return input_error("%1 is no database of rocmProfileData"_text(path.string()));
    (*file)->stop_with(options.cancel);
    auto ranks = RpdRanks(path, **file, names, options).read();
    if (ranks && options.on_bytes)
        options.on_bytes((*file)->file_bytes());
    return ranks;
}

} // namespace

TraceFormat rpd_format();
TraceFormat rpd_format() {
    return {TraceSource::rocpd, "databases of rocmProfileData", is_rpd_name, peek_rpd, read_rpd};
}

} // namespace rankscope
