// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges of row ids -> read on any number of connections -> appended in the order of the file.
#include "core/input/nsys/nsys_reader.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <optional>

#include <tbb/concurrent_queue.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include "core/input/format/memory_limit.h"
#include "core/input/nsys/nsys_ranks.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// A part of a table: what one task reads.
struct Share {
    const NsysTable* table = nullptr;
    std::optional<RowRange> range;
    std::uint64_t rows = 0; ///< at most; 0 when nobody knows
};

constexpr std::uint64_t kRowsPerShare = 1 << 16;
constexpr std::uint64_t kLeastRowBytes = 8;

std::vector<Share> shares_of(SqliteFile& file) {
    std::vector<Share> shares;
    const std::uint64_t most_shares =
        1 + std::min<std::uint64_t>(file.file_bytes() / (kRowsPerShare * kLeastRowBytes), 4095);
    for (const NsysTable& table : nsys_tables()) {
        const SqliteTable* found = file.table(table.name);
        if (found == nullptr)
            continue;
        const auto range = file.row_range(*found);
        if (!range) {
            shares.push_back({&table, {}, 0});
            continue;
        }
        // Ids may be far apart (rows were deleted, or someone made them up): there are no more shares than the file has
        // room for rows.
        const std::uint64_t span = static_cast<std::uint64_t>(range->last) - static_cast<std::uint64_t>(range->first);
        const std::uint64_t step = std::max(kRowsPerShare, span / most_shares); // not + 1: a span may be all there are
        for (std::uint64_t at = 0;; at += step) {
            const std::uint64_t to = span - at < step ? span : at + step - 1;
            const auto id = [&](std::uint64_t offset) {
                return static_cast<std::int64_t>(static_cast<std::uint64_t>(range->first) + offset);
            };
            shares.push_back({&table, RowRange{id(at), id(to)}, to - at + 1});
            if (to == span)
                break;
        }
    }
    return shares;
}

/// Connections, one for each thread that reads.
class Connections {
public:
    Connections(SqliteFile first, std::stop_token cancel)
        : first_(std::make_shared<SqliteFile>(std::move(first))), cancel_(std::move(cancel)) {
        first_->stop_with(cancel_);
        idle_.push(first_);
    }
    NsysBlock read(const Share& share) {
        NsysBlock block;
        std::shared_ptr<SqliteFile> file;
        if (!idle_.try_pop(file)) {
            auto opened = first_->again();
            if (!opened) {
                block.damage = opened.error().message;
                return block;
            }
            file = std::make_shared<SqliteFile>(std::move(*opened));
            file->stop_with(cancel_);
        }
        if (const SqliteTable* table = file->table(share.table->name)) {
            SqliteRows rows(*file, *table, share.table->columns, share.range);
            share.table->read(rows, block);
            block.damage = rows.damage();
        }
        idle_.push(std::move(file));
        return block;
    }

private:
    std::shared_ptr<SqliteFile> first_;
    std::stop_token cancel_;
    tbb::concurrent_queue<std::shared_ptr<SqliteFile>> idle_;
};

struct ReadShare {
    Share share;
    NsysBlock block;
};

enum class Ending { whole, cancelled, too_large };

Ending read_shares(const std::vector<Share>& shares, Connections& connections, NsysRanks& ranks,
                   std::uint64_t file_bytes, const ReadOptions& options) {
    std::uint64_t all_rows = 0;
    for (const Share& share : shares)
        all_rows += share.rows;
    std::uint64_t rows_done = 0;
    std::uint64_t reported = 0;
    std::size_t next = 0;
    std::atomic<bool> too_large = false;
    const auto take = [&](tbb::flow_control& control) -> Share {
        if (options.cancel.stop_requested() || too_large || next == shares.size()) {
            control.stop();
            return {};
        }
        return shares[next++];
    };
    const auto read = [&](const Share& share) { return ReadShare{share, connections.read(share)}; };
    const auto append = [&](const ReadShare& read_share) {
        if (too_large)
            return;
        ranks.append(*read_share.share.table, read_share.block);
        too_large = options.memory_bytes > 0 && ranks.memory_bytes() > options.memory_bytes;
        rows_done += read_share.share.rows;
        if (options.on_bytes && all_rows > 0) {
            const auto reached = static_cast<std::uint64_t>(
                static_cast<double>(file_bytes) * static_cast<double>(rows_done) / static_cast<double>(all_rows));
            options.on_bytes(reached - reported);
            reported = reached;
        }
    };
    const auto tokens = static_cast<std::size_t>(std::max(1, tbb::this_task_arena::max_concurrency())) + 1;
    tbb::parallel_pipeline(tokens, tbb::make_filter<void, Share>(tbb::filter_mode::serial_in_order, take) &
                                       tbb::make_filter<Share, ReadShare>(tbb::filter_mode::parallel, read) &
                                       tbb::make_filter<ReadShare, void>(tbb::filter_mode::serial_in_order, append));
    return options.cancel.stop_requested() ? Ending::cancelled : too_large ? Ending::too_large : Ending::whole;
}

/// Tables of events that nobody reads (OSRT_API, SCHED_EVENTS ...), counted by their row ids, which is done without
/// reading them.
void count_unread_tables(SqliteFile& file, NsysRanks& ranks) {
    for (const auto& [name, table] : file.tables()) {
        const bool read =
            std::ranges::any_of(nsys_tables(), [&](const NsysTable& known) { return known.name == name; });
        const bool described =
            name.starts_with("TARGET_INFO_") || name.starts_with("ENUM_") || name.starts_with("META_");
        if (read || described || !(table.has("start") || table.has("timestamp")))
            continue;
        const auto range = file.row_range(table);
        if (!range)
            continue;
        const std::uint64_t span = static_cast<std::uint64_t>(range->last) - static_cast<std::uint64_t>(range->first);
        ranks.count_unread(name, std::min(span, file.file_bytes() / kLeastRowBytes) + 1);
    }
}

bool is_export_name(std::string_view name) {
    return name.ends_with(".sqlite") || name.ends_with(".sqlite3") || name.ends_with(".db");
}

/// Ids of the processes in the report, which are often in its name.
std::vector<std::string> processes_of(SqliteFile& file) {
    constexpr std::size_t kMost = 4096;
    std::vector<std::string> processes;
    const SqliteTable* table = file.table("PROCESSES");
    if (table == nullptr || !table->has("pid"))
        return processes;
    static constexpr std::array<const char*, 1> kColumns{"pid"};
    SqliteRows rows(file, *table, kColumns);
    while (processes.size() < kMost && rows.next())
        if (const auto id = rows.integer(0))
            processes.push_back(std::to_string(*id));
    return processes;
}

Result<std::optional<FilePeek>> peek_export_file(const FileStart& file) {
    const auto is = is_nsys_export(file.path());
    if (!is)
        return tl::unexpected(is.error());
    if (!*is)
        return std::nullopt;
    FilePeek peek;
    if (auto report = SqliteFile::open(file.path())) {
        peek.processes = processes_of(*report);
        peek.start = session_start_of(*report);
    }
    return peek;
}

Result<RankTraces> read_export_file(const fs::path& path, const std::shared_ptr<StringTable>& names,
                                    const ReadOptions& options) {
    return read_nsys_export(path, names, options);
}

} // namespace

Result<bool> is_nsys_export(const fs::path& path) {
    std::array<char, 16> magic{};
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return input_error("%1 cannot be opened"_text(path.string()));
    file.read(magic.data(), magic.size());
    if (std::string_view(magic.data(), magic.size()) != std::string_view("SQLite format 3\0", 16))
        return false;
    const auto database = SqliteFile::open(path);
    if (!database)
        return tl::unexpected(database.error());
    return database->table("StringIds") != nullptr || std::ranges::any_of(nsys_tables(), [&](const NsysTable& table) {
               return database->table(table.name) != nullptr || database->has_impostor(table.name);
           });
}

Result<RankTraces> read_nsys_export(const fs::path& path, const std::shared_ptr<StringTable>& names,
                                    const ReadOptions& options, const fs::path& shown_as) {
    auto file = SqliteFile::open(path);
    if (!file)
        return tl::unexpected(file.error());
    NsysReport report = read_nsys_report(*file);
    note_unfinished(path, report.notices);
    for (const NsysTable& table : nsys_tables())
        if (file->has_impostor(table.name))
            add_notice(report.notices,
                       {"not_a_table",
                        "%1 is no table but a view or the like, which is never run: it is ignored"_text(table.name),
                        path.string(), 1});
    const std::vector<Share> shares = shares_of(*file);
    const std::uint64_t file_bytes = file->file_bytes();
    if (shares.empty())
        return input_error(
            "%1 holds no kernels, copies, calls or NVTX ranges: export the report again, or record it with "
            "--trace=cuda,nvtx"_text(path.string()));
    NsysRanks ranks(report, names, options.memory_bytes);
    count_unread_tables(*file, ranks);
    Connections connections(std::move(*file), options.cancel);
    const Ending ending = read_shares(shares, connections, ranks, file_bytes, options);
    const fs::path& shown = shown_as.empty() ? path : shown_as;
    if (ending == Ending::too_large)
        return beyond_memory(shown, options.memory_bytes, "%1 events"_text(ranks.event_count()));
    RankTraces traces = ending == Ending::whole ? ranks.finish(shown, file_bytes, options) : RankTraces{};
    if (options.cancel.stop_requested())
        return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
    if (traces.empty())
        return input_error("%1 holds no events of a process: nothing to show"_text(path.string()));
    return traces;
}

TraceFormat nsys_sqlite_format();
TraceFormat nsys_sqlite_format() {
    return {TraceSource::nsys, "exports of Nsight Systems", is_export_name, peek_export_file, read_export_file};
}

} // namespace rankscope
