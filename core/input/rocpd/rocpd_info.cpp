// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/rocpd/rocpd_info.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/shallow_json.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

/// A number of the environment, which is JSON with texts for values.
std::optional<int> environment_number(const nlohmann::json& environment, std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
        const auto found = environment.find(key);
        if (found == environment.end())
            continue;
        const std::string text = found->is_string() ? found->get<std::string>() : found->dump();
        int number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc{} && end == text.data() + text.size() && number >= 0 && number <= kMostRanks)
            return number;
    }
    return {};
}

nlohmann::json json_object(std::string_view text) {
    auto document = parse_shallow_json<nlohmann::json>(text);
    return document.is_object() ? document : nlohmann::json::object();
}

std::string first_text(const SqliteRows& rows, std::initializer_list<int> columns) {
    for (const int column : columns)
        if (const std::string_view text = rows.text(column); !text.empty())
            return std::string(text);
    return {};
}

} // namespace

std::vector<std::string> rocpd_suffixes(const SqliteFile& file) {
    constexpr std::string_view kStem = "rocpd_kernel_dispatch";
    std::vector<std::string> suffixes;
    for (const auto& [name, table] : file.tables())
        if (name.starts_with(kStem))
            suffixes.push_back(name.substr(kStem.size()));
    return suffixes;
}

std::map<std::int64_t, RocpdProcess> rocpd_processes(SqliteFile& file, const SqliteTable& table) {
    static constexpr std::array<const char*, 5> kColumns{"id", "pid", "nid", "command", "environment"};
    std::map<std::int64_t, RocpdProcess> processes;
    SqliteRows rows(file, table, kColumns);
    while (rows.next()) {
        const auto id = rows.integer(0);
        if (!id)
            continue;
        RocpdProcess process;
        process.pid = rows.integer_or(1, *id);
        process.node = rows.integer_or(2, 0);
        process.command = rows.text(3);
        const nlohmann::json environment = json_object(rows.text(4));
        process.rank = environment_number(environment, {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"});
        process.world_size =
            environment_number(environment, {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"});
        processes[*id] = std::move(process);
    }
    return processes;
}

template <typename Row>
void RocpdInfo::read(SqliteFile& file, std::string_view base, std::initializer_list<const char*> columns, Row row) {
    const SqliteTable* found = table(file, base);
    if (found == nullptr)
        return;
    SqliteRows rows(file, *found, {columns.begin(), columns.size()});
    while (rows.next())
        if (const auto id = rows.integer(0))
            row(*id, rows);
    if (!rows.damage().empty() && damage.empty())
        damage = "%1: %2"_text(found->name, rows.damage());
}

RocpdInfo::RocpdInfo(SqliteFile& file, std::string suffix) : suffix_(std::move(suffix)) {
    read(
        file, "rocpd_metadata", {"id", "tag", "value"},
        [&](std::int64_t, const SqliteRows& rows) {
            if (metadata.size() < 256)
                metadata[std::string(rows.text(1).substr(0, 64))] = rows.text(2).substr(0, 256);
        });
    read(
        file, "rocpd_string", {"id", "string"},
        [&](std::int64_t id, const SqliteRows& rows) { strings_[id] = rows.text(1); });
    read(file, "rocpd_info_category", {"id", "name"},
         [&](std::int64_t id, const SqliteRows& rows) { categories_[id] = rows.text(1); });
    if (const SqliteTable* found = table(file, "rocpd_info_process"))
        processes = rocpd_processes(file, *found);
    for (const auto& [id, process] : processes)
        by_pid_.try_emplace(process.pid, &process);
    read(file, "rocpd_info_thread", {"id", "tid", "name"}, [&](std::int64_t id, const SqliteRows& rows) {
        const std::string_view name = rows.text(2);
        threads[id] =
            fmt::format("thread {}{}", rows.integer_or(1, id), name.empty() ? "" : fmt::format(" ({})", name));
    });
    read(
        file, "rocpd_info_agent",
        {"id", "type", "type_index", "logical_index", "product_name", "model_name", "name", "generic_name"},
        [&](std::int64_t id, const SqliteRows& rows) {
            RocpdAgent agent;
            agent.is_gpu = rows.text(1) == "GPU";
            agent.index = std::clamp<std::int64_t>(rows.integer_or(2, rows.integer_or(3, id)), 0, kMostRanks);
            agent.name = first_text(rows, {4, 5, 6, 7});
            agents[id] = std::move(agent);
        });
    read(
        file, "rocpd_info_stream", {"id", "name"},
        [&](std::int64_t id, const SqliteRows& rows) { streams[id] = rows.text(1); });
    read(
        file, "rocpd_track", {"id", "nid", "pid", "tid", "agent_id", "queue_id", "stream_id"},
        [&](std::int64_t id, const SqliteRows& rows) {
            tracks[id] = {rows.integer_or(1, -1), rows.integer_or(2, -1), rows.integer_or(3, -1),
                          rows.integer_or(4, -1), rows.integer_or(5, -1), rows.integer_or(6, -1)};
        });
    read(
        file, "rocpd_info_kernel_symbol", {"id", "display_name", "kernel_name"},
        [&](std::int64_t id, const SqliteRows& rows) {
            kernels_[id] = first_text(rows, {1, 2});
        });
    read(file, "rocpd_info_pmc", {"id", "name", "symbol", "agent_id"}, [&](std::int64_t id, const SqliteRows& rows) {
        counters[id] = {first_text(rows, {1, 2}), rows.integer_or(3, -1)};
    });
    read(file, "rocpd_event", {"id", "stack_id", "correlation_id", "category_id", "extdata"},
         [&](std::int64_t id, const SqliteRows& rows) {
             RocpdEvent event{id, rows.integer_or(1, 0), rows.integer_or(2, 0), rows.integer_or(3, -1), 0};
             // Markers have their text here.
             const std::string_view extra = rows.text(4);
             if (extra.find("\"message\"") != std::string_view::npos) {
                 const nlohmann::json document = json_object(extra);
                 if (const auto message = document.find("message"); message != document.end() && message->is_string()) {
                     messages.push_back(message->get<std::string>());
                     event.message = static_cast<std::uint32_t>(messages.size());
                 }
             }
             events_.push_back(event);
         });
    std::ranges::stable_sort(events_, {}, &RocpdEvent::id);
    read(file, "rocpd_timestamp", {"id", "value"}, [&](std::int64_t id, const SqliteRows& rows) {
        if (const auto value = rows.integer(1))
            times_.emplace_back(id, *value);
    });
    std::ranges::sort(times_);
}

std::optional<TimeNs> RocpdInfo::time(std::int64_t id) const {
    const auto found = std::ranges::lower_bound(times_, id, {}, &std::pair<std::int64_t, TimeNs>::first);
    return found == times_.end() || found->first != id ? std::nullopt : std::optional(found->second);
}

std::string_view RocpdInfo::string(std::int64_t id) const {
    const auto found = strings_.find(id);
    return found == strings_.end() ? std::string_view{} : std::string_view(found->second);
}

std::string_view RocpdInfo::category(std::int64_t id) const {
    const auto found = categories_.find(id);
    return found == categories_.end() ? string(id) : std::string_view(found->second);
}

const RocpdEvent* RocpdInfo::event(std::int64_t id) const {
    const auto found = std::ranges::lower_bound(events_, id, {}, &RocpdEvent::id);
    return found == events_.end() || found->id != id ? nullptr : &*found;
}

const RocpdProcess* RocpdInfo::process(std::int64_t id) const {
    if (const auto found = processes.find(id); found != processes.end())
        return &found->second;
    // Some writers refer to the number of the operating system.
    const auto found = by_pid_.find(id);
    return found == by_pid_.end() ? nullptr : found->second;
}

std::string_view RocpdInfo::kernel(std::int64_t id) const {
    const auto found = kernels_.find(id);
    return found == kernels_.end() ? std::string_view{} : std::string_view(found->second);
}

} // namespace rankscope
