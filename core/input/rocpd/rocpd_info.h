// SPDX-License-Identifier: GPL-3.0-or-later
// What a rocpd database says about processes, agents, names and events, beside their times. Schema 3.0.0 to 4.1.0:
// ROCm/rocm-systems, projects/rocprofiler-sdk/source/share/rocprofiler-sdk-rocpd/rocpd_tables.sql.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/seeded_hash.h"
#include "core/base/time.h"
#include "core/input/bytes/sqlite_file.h"
#include "core/trace/accounting.h"

namespace rankscope {

/// Tables of one process end in its GUID: "rocpd_string_00000…". A merged file has several such sets.
std::vector<std::string> rocpd_suffixes(const SqliteFile& file);

struct RocpdProcess {
    std::int64_t pid = 0;
    std::int64_t node = 0;
    std::string command;
    std::optional<int> rank; ///< of its environment: RANK, SLURM_PROCID, OMPI_COMM_WORLD_RANK …
    std::optional<int> world_size;
};

/// Of a table rocpd_info_process, by id.
std::map<std::int64_t, RocpdProcess> rocpd_processes(SqliteFile& file, const SqliteTable& table);

struct RocpdAgent {
    bool is_gpu = false;
    std::int64_t index = 0; ///< among the agents of its type
    std::string name;
};

/// Where something happened: ids of the info tables, -1 where not recorded.
struct RocpdPlace {
    std::int64_t node = -1;
    std::int64_t process = -1;
    std::int64_t thread = -1;
    std::int64_t agent = -1;
    std::int64_t queue = -1;
    std::int64_t stream = -1;
    friend auto operator<=>(const RocpdPlace&, const RocpdPlace&) = default;
};

struct RocpdEvent {
    std::int64_t id = 0;
    std::int64_t stack = 0;       ///< the same of a call and of what it launches; 0: none
    std::int64_t correlation = 0; ///< of the user, 0: none
    std::int64_t category = -1;
    std::uint32_t message = 0; ///< 1 + index in RocpdInfo::messages, of markers; 0: none
};

struct RocpdCounter {
    std::string name;
    std::int64_t agent = -1;
};

class RocpdInfo {
public:
    RocpdInfo(SqliteFile& file, std::string suffix);
    RocpdInfo(RocpdInfo&&) noexcept = default; // places in a map stay where they are
    RocpdInfo& operator=(RocpdInfo&&) noexcept = default;
    RocpdInfo(const RocpdInfo&) = delete;
    RocpdInfo& operator=(const RocpdInfo&) = delete;
    ~RocpdInfo() = default;

    [[nodiscard]] std::string table_name(std::string_view base) const { return std::string(base) + suffix_; }
    /// nullptr: the file has no such table.
    [[nodiscard]] const SqliteTable* table(SqliteFile& file, std::string_view base) const {
        return file.table(table_name(base));
    }
    [[nodiscard]] std::string_view string(std::int64_t id) const;
    [[nodiscard]] std::string_view category(std::int64_t id) const;
    [[nodiscard]] const RocpdEvent* event(std::int64_t id) const; ///< nullptr for one that is not there
    [[nodiscard]] const RocpdProcess* process(std::int64_t id) const;
    [[nodiscard]] std::string_view kernel(std::int64_t id) const; ///< its name
    /// Schema 4.0 keeps times in a table of their own. Nothing for one that is not there.
    [[nodiscard]] std::optional<TimeNs> time(std::int64_t id) const;
    [[nodiscard]] std::size_t memory_bytes() const { return times_.size() * sizeof(times_.front()); }

    std::map<std::string, std::string> metadata; ///< tag -> value: "schema_version"
    std::map<std::int64_t, RocpdProcess> processes;
    std::map<std::int64_t, std::string> threads; ///< names, and where there is none "thread 123"
    std::map<std::int64_t, RocpdAgent> agents;
    std::map<std::int64_t, std::string> streams;
    std::map<std::int64_t, RocpdPlace> tracks;
    std::map<std::int64_t, RocpdCounter> counters;
    std::vector<std::string> messages;
    Message damage; ///< why a table could not be read to its end; empty when all could

private:
    template <typename Row>
    void read(SqliteFile& file, std::string_view base, std::initializer_list<const char*> columns, Row row);

    std::string suffix_;
    std::map<std::int64_t, const RocpdProcess*> by_pid_; ///< of one pid the process with the smallest id
    NumberMap<std::int64_t, std::string> strings_;
    NumberMap<std::int64_t, std::string> kernels_;
    std::map<std::int64_t, std::string> categories_;     ///< of 4.x; before, they are strings
    std::vector<RocpdEvent> events_;                     ///< ascending by id
    std::vector<std::pair<std::int64_t, TimeNs>> times_; ///< likewise
};

} // namespace rankscope
