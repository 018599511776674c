// SPDX-License-Identifier: GPL-3.0-or-later
// XPlane: what the profiler of XLA writes for JAX, TensorFlow and PyTorch/XLA (*.xplane.pb), a file a host.
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/input/bytes/byte_source.h"
#include "core/input/format/memory_limit.h"
#include "core/input/kineto/kineto_reader.h"
#include "core/input/xplane/trace_viewer_json.h"
#include "core/input/xplane/xplane_ranks.h"
#include "core/trace/raw_events.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

bool is_xplane_name(std::string_view name) {
    static constexpr std::array<std::string_view, 4> endings{".xplane.pb", ".xplane.pb.gz", ".xplane.pb.zst",
                                                             ".xplane"};
    return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

Result<std::optional<FilePeek>> peek_xplane(const FileStart& file) {
    const auto source = file.open();
    if (!source)
        return tl::unexpected(source.error());
    std::array<char, 4096> beginning{};
    const std::size_t size = (*source)->read(beginning);
    if (!begins_as_xspace({beginning.data(), size}))
        return std::nullopt;
    FilePeek peek;
    peek.by_order = true; // of a host; its devices are numbered when all hosts are read
    return peek;
}

struct WholeFile {
    std::unique_ptr<ByteSource> source; ///< at its end
    std::string text;
};

/// Protocol Buffers have messages of less than 2 GiB, and the names that events need stand behind them: all of it is
/// read, then looked at where it lies.
Result<WholeFile> whole_file(const fs::path& path, const ReadOptions& options) {
    auto source = open_byte_source(path);
    if (!source)
        return tl::unexpected(source.error());
    std::string text;
    constexpr std::size_t kStep = std::size_t{4} << 20;
    // Profiles are packed to a fifth or a twentieth. A few MB of zeros unpack to gigabytes, which would all be held.
    constexpr std::uint64_t kAlways = std::uint64_t{64} << 20, kMostTimes = 100;
    const std::uint64_t most = kAlways + kMostTimes * (*source)->file_bytes();
    std::uint64_t reported = 0;
    for (;;) {
        if (options.cancel.stop_requested())
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
        if (options.memory_bytes > 0 && text.size() > options.memory_bytes)
            return beyond_memory(path, options.memory_bytes, memory_text(text.size()));
        if (text.size() > most)
            return input_error("%1 unpacks to more than %2 times its size, as no profile does"_text(
                path.string(), std::int64_t{kMostTimes}));
        const std::size_t known = text.size();
        if (text.capacity() < known + kStep)
            text.reserve(std::max(known + kStep, known + known / 2));
        text.resize(known + kStep);
        text.resize(known + (*source)->read({text.data() + known, kStep}));
        if (options.on_bytes) {
            options.on_bytes((*source)->consumed() - reported);
            reported = (*source)->consumed();
        }
        if (text.size() < known + kStep)
            return WholeFile{std::move(*source), std::move(text)};
    }
}

/// Planes that only repeat or describe what others hold.
bool is_metadata_plane(std::string_view name) {
    return name == "/host:metadata" || name == "Task Environment" || name == "/host:__ScopeRangeCallStack__";
}

void count_as(NotShown reason, const XPlane& plane, Accounting& accounting) {
    for (const XLine& line : plane.lines) {
        std::uint64_t events = 0;
        const XLineEnd end = for_each_event(line, [&](const XEvent&) {
            ++events;
            return true;
        });
        accounting.events_in_file += events + end.cut;
        accounting.add(reason, events);
        accounting.add(NotShown::cut_off, end.cut);
    }
}

/// Those that operators of the devices belong to.
void read_programs(const XPlane& metadata, const XHost& host, const StringTable& names, std::uint64_t text_bytes,
                   const std::stop_token& cancel, XPrograms& programs) {
    std::set<std::int64_t> used;
    std::set<std::string_view> used_names;
    for (const XDevice& device : host.devices)
        for (const XOperator& op : device.operators) {
            used.insert(op.program);
            const std::string_view module = names.view(op.module);
            used_names.insert(module.substr(0, module.find('(')));
        }
    std::vector<std::int64_t> ids; // ascending: of programs of one name the last counts
    for (const auto& [id, kind] : metadata.kinds)
        if (used.contains(id) || used_names.contains(kind.name.substr(0, kind.name.find('('))))
            ids.push_back(id);
    std::ranges::sort(ids);
    HloAllowance allowance(text_bytes);
    for (const std::int64_t id : ids) {
        const XEventKind& kind = metadata.kinds.at(id);
        const std::string_view name = kind.name.substr(0, kind.name.find('('));
        for (const std::string_view bytes : kind.stats)
            if (const XStat stat = metadata.stat(bytes); stat.name == XStatName::hlo_proto) {
                programs.by_id.try_emplace(id, stat.text, allowance, cancel);
                programs.id_of_name.insert_or_assign(std::string(name), id);
            }
    }
}

struct Limit {
    std::uint64_t bytes = 0; ///< 0: none
    std::uint64_t used = 0;
    [[nodiscard]] std::uint64_t left() const {
        return bytes == 0 ? 0 : std::max<std::uint64_t>(1, bytes - std::min(bytes, used));
    }
    [[nodiscard]] bool exceeded() const { return bytes > 0 && used >= bytes; }
};

Result<XHost> host_of(const XSpace& space, const fs::path& path, StringTable& names, const ReadOptions& options,
                      std::uint64_t text_bytes) {
    XHost host;
    Limit limit{options.memory_bytes, text_bytes};
    std::map<std::int32_t, std::size_t> device_at;
    const auto is_named = [](std::string_view name) {
        return [name](const XPlane& plane) { return plane.name == name; };
    };
    for (const XPlane& plane : space.planes)
        if (plane.name == "Task Environment")
            for (const std::string_view bytes : plane.stats)
                if (const XStat stat = plane.stat(bytes);
                    stat.name == XStatName::profile_start_time && is_plausible_time(stat.integer))
                    host.clock.session_start = stat.integer;
    for (const XPlane& plane : space.planes) {
        if (options.cancel.stop_requested())
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
        const auto device = device_of_plane(plane.name);
        if (device) {
            const bool is_other_type = !host.devices.empty() && host.devices.front().type != device->first;
            const bool is_too_many = host.devices.size() >= kMostXDevices && !device_at.contains(device->second);
            if (is_other_type || is_too_many) {
                count_as(NotShown::not_understood, plane, host.accounting); // the host's CPU as a device, mostly
                continue;
            }
            const auto [known, added] = device_at.try_emplace(device->second, host.devices.size());
            if (added) {
                host.devices.emplace_back();
                host.devices.back().type = device->first;
                host.devices.back().ordinal = device->second;
            }
            XDevice& to = host.devices[known->second];
            const std::size_t before = to.events.size();
            read_device_plane(plane, host.clock, names, limit.left(), to);
            limit.used += (to.events.size() - before) * (sizeof(XDeviceEvent) + RawEvents::kEventBytes);
        } else if (is_metadata_plane(plane.name)) {
            count_as(NotShown::metadata, plane, host.accounting);
        } else if (plane.name.starts_with("/host:") || plane.name == "Host CPUs" || plane.name == "Syscalls") {
            std::vector<XHostLine> lines = read_host_plane(plane, host.clock, names, host.accounting, limit.left());
            limit.used += 2 * memory_bytes(lines);
            std::ranges::move(lines, std::back_inserter(host.lines));
        } else {
            count_as(NotShown::not_understood, plane, host.accounting);
        }
        if (limit.exceeded())
            return beyond_memory(path, options.memory_bytes, memory_text(limit.used));
    }
    std::ranges::sort(host.devices, {}, &XDevice::ordinal);
    if (const auto metadata = std::ranges::find_if(space.planes, is_named("/host:metadata"));
        metadata != space.planes.end())
        read_programs(*metadata, host, names, text_bytes, options.cancel, host.programs);
    if (options.cancel.stop_requested())
        return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
    for (const std::string_view hostname : space.hostnames)
        host.header["xplane.host"] = hostname;
    return host;
}

void note_damage(const XSpace& space, const Message& damage, XHost& host) {
    std::uint64_t cut = host.accounting.of(NotShown::cut_off);
    std::uint64_t malformed = host.accounting.of(NotShown::malformed);
    for (const XDevice& device : host.devices) {
        cut += device.accounting.of(NotShown::cut_off);
        malformed += device.accounting.of(NotShown::malformed);
    }
    if (!damage.empty() || space.damaged || cut > 0)
        add_notice(host.notices, {"truncated_file",
                                  damage.empty() ? "the file ends early or is damaged: what follows is missing"_text
                                                 : "%1: what follows is missing"_text(damage),
                                  {},
                                  1});
    if (malformed > 0)
        add_notice(host.notices, {"malformed_events",
                                  "events with impossible times were left out"_text,
                                  {},
                                  static_cast<std::int64_t>(malformed)});
    for (const std::string_view error : space.errors)
        add_notice(host.notices,
                   {"profiler_warning", "the profiler wrote: %1"_text(terminal_safe(error.substr(0, 200))), {}, 1});
}

/// space_bytes: the XSpace in the file, or the one made of it. skipped: events of the file that are not in that one.
/// notices: beside those of the XSpace itself.
Result<RankTraces> ranks_of_space(const fs::path& path, const std::string& space_bytes, const ByteSource& source,
                                  const std::shared_ptr<StringTable>& names, const ReadOptions& options,
                                  std::uint64_t skipped = 0, Notices notices = {}) {
    const XSpace space = read_xspace(space_bytes);
    auto host = host_of(space, path, *names, options, space_bytes.size());
    if (!host)
        return tl::unexpected(host.error());
    note_damage(space, source.damage(), *host);
    std::ranges::move(notices, std::back_inserter(host->notices));
    host->accounting.events_in_file += skipped;
    host->accounting.add(NotShown::not_understood, skipped);
    RankTraces ranks = ranks_of_host(std::move(*host), path, source.file_bytes(), space_bytes.size(), names, options);
    if (ranks.empty())
        return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
    return ranks;
}

Result<RankTraces> read_xplane(const fs::path& path, const std::shared_ptr<StringTable>& names,
                               const ReadOptions& options) {
    const auto file = whole_file(path, options);
    if (!file)
        return tl::unexpected(file.error());
    return ranks_of_space(path, file->text, *file->source, names, options);
}

Result<std::optional<FilePeek>> peek_trace_viewer(const FileStart& file) {
    const auto peeked = peek_kineto(file);
    if (!peeked)
        return tl::unexpected(peeked.error());
    if (peeked->kind != KinetoPeek::Kind::trace_viewer)
        return std::nullopt;
    FilePeek peek;
    peek.by_order = true;
    return peek;
}

Result<RankTraces> read_trace_viewer(const fs::path& path, const std::shared_ptr<StringTable>& names,
                                     const ReadOptions& options) {
    constexpr std::uint64_t kMostEvents = 1'000'000; // that the profiler writes
    const auto file = whole_file(path, options);
    if (!file)
        return tl::unexpected(file.error());
    const auto space = xspace_of_json(file->text);
    if (!space)
        return input_error("%1 cannot be read: %2"_text(path.string(), space.error().message));
    Notices notices;
    if (space->events >= kMostEvents)
        add_notice(notices, {"shortened_profile",
                             "the file is for the trace viewer, and leaves out events beyond a million: open the "
                             ".xplane.pb beside it"_text(),
                             {},
                             1});
    return ranks_of_space(path, space->bytes, *file->source, names, options, space->skipped, std::move(notices));
}

} // namespace

TraceFormat xplane_format();
TraceFormat xplane_format() {
    return {TraceSource::xplane, "profiles of XLA", is_xplane_name, peek_xplane, read_xplane};
}

TraceFormat trace_viewer_format();
TraceFormat trace_viewer_format() {
    return {TraceSource::xplane, "profiles of XLA", is_json_name, peek_trace_viewer, read_trace_viewer};
}

} // namespace rankscope
