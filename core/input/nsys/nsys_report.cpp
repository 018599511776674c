// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/nsys/nsys_report.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/trace/plausible.h"

namespace rankscope {
namespace {

constexpr std::pair kNewestSchema{3, 25}; // of Nsight Systems 2026.2

template <std::size_t N, typename Use>
void each_row(SqliteFile& file, std::string_view name, const char* const (&columns)[N], const Use& use) {
    const SqliteTable* table = file.table(name);
    if (table == nullptr)
        return;
    for (SqliteRows rows(file, *table, columns); rows.next();)
        use(rows);
}

std::pair<int, int> version_of(std::string_view text) {
    std::pair<int, int> version{0, 0};
    const auto [dot, error] = std::from_chars(text.data(), text.data() + text.size(), version.first);
    if (error == std::errc{} && dot != text.data() + text.size())
        std::from_chars(dot + 1, text.data() + text.size(), version.second);
    return version;
}

void read_header(SqliteFile& file, NsysReport& report) {
    const auto use = [&](const SqliteRows& rows) {
        const std::string_view name = rows.text(0);
        if (name == "EXPORT_PRODUCT_VERSION")
            report.header["nsys.version"] = rows.text(1);
        else if (name == "EXPORT_SCHEMA_VERSION")
            report.header["nsys.schema"] = rows.text(1);
    };
    each_row(file, "EXPORT_META_DATA", {"name", "value"}, use);
    each_row(file, "META_DATA_EXPORT", {"name", "value"}, use);
    const std::string schema = report.header.contains("nsys.schema") ? report.header["nsys.schema"] : std::string{};
    if (version_of(schema) > kNewestSchema)
        add_notice(report.notices,
                   {"newer_schema",
                    "exported with schema %1, which is newer than the newest known one, %2.%3: tables and columns that "
                    "have other names now are missing here"_text(schema, kNewestSchema.first, kNewestSchema.second),
                    {},
                    1});
    report.session_start = session_start_of(file);
    each_row(file, "TARGET_INFO_SYSTEM_ENV", {"name", "value"}, [&](const SqliteRows& rows) {
        for (const auto& [theirs, ours] : {std::pair{"NvDriverVersion", "nsys.driver"},
                                           {"CudaDriverVersion", "nsys.cuda_driver"},
                                           {"CpuDescription", "nsys.cpu"},
                                           {"CpuCores", "nsys.cpu_cores"},
                                           {"OsDescription", "nsys.os"},
                                           {"SoftwareReleaseVersion", "nsys.kernel"},
                                           {"OfedDriverVersion", "nsys.ofed_driver"},
                                           {"Hostname", "nsys.host"}})
            if (rows.text(0) == theirs && !rows.text(1).empty() && rows.text(1) != "unknown")
                report.header[ours] = rows.text(1);
    });
}

void read_devices(SqliteFile& file, NsysReport& report) {
    each_row(file, "TARGET_INFO_GPU", {"id", "name", "smCount", "totalMemory"}, [&](const SqliteRows& rows) {
        if (const auto id = rows.integer(0))
            report.devices.push_back({*id, std::string(rows.text(1)), std::max<std::int64_t>(0, rows.integer_or(2, 0)),
                                      std::max<std::int64_t>(0, rows.integer_or(3, 0))});
    });
    std::ranges::sort(report.devices, {}, &Device::id);
    each_row(file, "TARGET_INFO_GPU", {"id", "busLocation"}, [&](const SqliteRows& rows) {
        if (const auto id = rows.integer(0); id && !rows.text(1).empty())
            report.buses[*id] = rows.text(1);
    });
    each_row(file, "TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid", "numMultiprocessors"},
             [&](const SqliteRows& rows) {
                 if (const auto gpu = rows.integer(0))
                     report.gpu_of[{rows.integer_or(2, 0), rows.integer_or(1, 0)}] = *gpu;
                 if (const auto processors = rows.integer(3)) // of the first device
                     report.header.emplace("nsys.device_multiprocessors", fmt::format("{}", *processors));
             });
}

void read_metric_names(SqliteFile& file, NsysReport& report) {
    each_row(file, "TARGET_INFO_GPU_METRICS", {"typeId", "metricId", "metricName"}, [&](const SqliteRows& rows) {
        report.gpu_metrics[{rows.integer_or(0, 0), rows.integer_or(1, 0)}] = rows.text(2);
    });
    each_row(file, "TARGET_INFO_NETWORK_METRICS", {"metricsListId", "metricsIdx", "name", "unit"},
             [&](const SqliteRows& rows) {
                 const std::string unit(rows.text(3));
                 report.nic_metrics[{rows.integer_or(0, 0), rows.integer_or(1, 0)}] =
                     std::string(rows.text(2)) + (unit.empty() ? "" : " [" + unit + "]");
             });
    std::map<std::int64_t, std::string> names;
    each_row(
        file, "TARGET_INFO_NIC_INFO", {"nicId", "name"},
        [&](const SqliteRows& rows) { names[rows.integer_or(0, 0)] = rows.text(1); });
    each_row(file, "NIC_ID_MAP", {"nicId", "globalId"}, [&](const SqliteRows& rows) {
        if (const auto name = names.find(rows.integer_or(0, 0)); name != names.end())
            report.cards[rows.integer_or(1, 0)] = name->second;
    });
}

} // namespace

std::optional<TimeNs> session_start_of(SqliteFile& file) {
    std::optional<TimeNs> session_start;
    each_row(file, "TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}, [&](const SqliteRows& rows) {
        const auto start = rows.integer(0);
        if (start && *start > 0 && is_plausible_time(*start))
            session_start = start;
    });
    return session_start;
}

void NsysStrings::read(SqliteFile& file, Notices& notices) {
    const SqliteTable* table = file.table("StringIds");
    if (table == nullptr) {
        add_notice(notices,
                   {"missing_table", "the table StringIds is missing: kernels and calls have no names"_text, {}, 1});
        return;
    }
    static constexpr const char* kColumns[]{"id", "value"};
    SqliteRows rows(file, *table, kColumns);
    while (rows.next())
        if (const auto id = rows.integer(0)) {
            const std::size_t begin = text_.size();
            text_ += rows.text(1);
            entries_.push_back({*id, begin, text_.size()});
        }
    if (!rows.damage().empty())
        add_notice(notices, {"damaged_table",
                             "the table StringIds ends early (%1): some names are missing"_text(rows.damage()),
                             {},
                             1});
    std::ranges::stable_sort(entries_, {}, &Entry::id);
}

std::string_view NsysStrings::text(std::int64_t id) const {
    const auto found = std::ranges::lower_bound(entries_, id, {}, &Entry::id);
    if (found == entries_.end() || found->id != id)
        return {};
    return std::string_view(text_).substr(found->begin, found->end - found->begin);
}

NsysReport read_nsys_report(SqliteFile& file) {
    NsysReport report;
    report.strings.read(file, report.notices);
    read_header(file, report);
    read_devices(file, report);
    read_metric_names(file, report);
    each_row(file, "ThreadNames", {"nameId", "globalTid"}, [&](const SqliteRows& rows) {
        if (const auto thread = rows.integer(1))
            report.thread_names[*thread] = rows.integer_or(0, -1);
    });
    each_row(file, "NVTX_PAYLOAD_SCHEMA_ENTRIES", {"domainId", "schemaId", "type", "name", "offset"},
             [&](const SqliteRows& rows) {
                 // The first field's offset is NULL.
                 if (const auto field = nvtx_field(rows.text(3), rows.integer_or(2, -1), rows.integer_or(4, 0)))
                     report.payload_schemas[{rows.integer_or(0, 0), rows.integer_or(1, 0)}].push_back(*field);
             });
    if (!report.session_start)
        add_notice(report.notices, {"no_session_start",
                                    "the report does not say when it began: times count from its beginning, "
                                    "and other reports can only be aligned by their collectives"_text,
                                    {},
                                    1});
    return report;
}

} // namespace rankscope
