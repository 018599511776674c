// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/nsys/nsys_nccl.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "core/base/seeded_hash.h"

namespace rankscope {
namespace {

constexpr std::size_t kHeader = 32; ///< domain u32, u32, schema u32, u32, payload size u64, total size u64

template <typename T>
T number_at(std::string_view bytes, std::size_t at) {
    static_assert(std::endian::native == std::endian::little);
    T value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
}

struct Call {
    std::string_view name; ///< "AllReduce", "Send" …
    NcclPayload payload;
    [[nodiscard]] bool point_to_point() const { return name == "Send" || name == "Recv"; }
};

/// What is launched while `range` lasts on the track is the work of the calls.
struct Window {
    TrackId track = 0;
    TimeRange range;
    std::vector<Call> calls;
};

std::string_view words_of(std::string_view call) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> words{
        {{"AllReduce", "allreduce"},
         {"AllGather", "allgather"},
         {"ReduceScatter", "reduce_scatter"},
         {"Broadcast", "broadcast"},
         {"Bcast", "broadcast"},
         {"Reduce", "reduce"},
         {"AlltoAll", "all_to_all"},
         {"AllToAll", "all_to_all"}}};
    const auto found = std::ranges::find(words, call, [](const auto& entry) { return entry.first; });
    return found == words.end() ? std::string_view() : found->second;
}

/// Calls of their own, and those between the outermost ncclGroupStart and ncclGroupEnd, whose end launches them.
std::vector<Window> windows_of(std::vector<NcclRange>& ranges, const StringTable& names) {
    std::ranges::stable_sort(ranges, {}, [](const NcclRange& r) { return std::pair(r.track, r.range.begin); });
    std::vector<Window> windows;
    std::vector<Call> pending;
    int depth = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (i > 0 && ranges[i].track != ranges[i - 1].track) {
            depth = 0;
            pending.clear();
        }
        const std::string_view name = names.view(ranges[i].name).substr(4); // behind "nccl"
        if (name == "GroupStart") {
            ++depth;
        } else if (name == "GroupEnd") {
            depth = std::max(0, depth - 1);
            if (depth == 0 && !pending.empty())
                windows.push_back({ranges[i].track, ranges[i].range, std::exchange(pending, {})});
        } else if (ranges[i].payload.bytes >= 0 && (!words_of(name).empty() || name == "Send" || name == "Recv")) {
            if (depth > 0)
                pending.push_back({name, ranges[i].payload});
            else
                windows.push_back({ranges[i].track, ranges[i].range, {{name, ranges[i].payload}}});
        }
    }
    return windows;
}

CollectiveArgs arguments_of(std::span<const Call> calls, const NcclSizes& sizes, RankBuilder& builder) {
    CollectiveArgs args;
    args.dtype = builder.names().intern("Byte");
    const auto& communicator = calls.front().payload.communicator;
    if (communicator) {
        const auto size = sizes.find(*communicator);
        args.group_size = size == sizes.end() ? kUnknown : size->second;
        args.group = builder.process_group({fmt::format("nccl {:x}", *communicator),
                                            "",
                                            {},
                                            args.group_size > 0 ? static_cast<int>(args.group_size) : 0});
    }
    std::int64_t sent = 0;
    std::int64_t received = 0;
    for (const Call& call : calls) {
        sent += call.name == "Recv" ? 0 : call.payload.bytes;
        received += call.name == "Send" ? 0 : call.payload.bytes;
    }
    // Several messages of one kernel are an exchange, which the kernel's own name says.
    if (!calls.front().point_to_point())
        args.collective = builder.names().intern(words_of(calls.front().name));
    const bool gather = calls.front().name == "AllGather";
    const bool scatter = calls.front().name == "ReduceScatter";
    const auto of_all = [&](std::int64_t bytes) { return args.group_size > 0 ? bytes * args.group_size : kUnknown; };
    args.in_elements = scatter ? of_all(sent) : sent;
    args.out_elements = gather ? of_all(received) : received;
    return args;
}

/// Whether one kernel can be the work of all of them.
bool belong_together(std::span<const Call> calls) {
    return std::ranges::all_of(
        calls,
        [&](const Call& call) {
            return call.payload.communicator == calls.front().payload.communicator &&
                   (call.name == calls.front().name || (call.point_to_point() && calls.front().point_to_point()));
        });
}

bool is_nccl(std::string_view name) { return name.find("nccl") != std::string_view::npos; }

/// Kernels of NCCL by the thread that launched them and when.
std::map<TrackId, std::vector<std::pair<TimeNs, std::uint32_t>>> launches_of(const RankBuilder& builder,
                                                                             const StringTable& names) {
    NumberMap<std::int64_t, std::vector<std::uint32_t>> kernels;
    const RawEvents& events = builder.events();
    for (std::size_t i = 0; i < events.size(); ++i)
        if (events.kind(i) == EventKind::kernel && events.correlation(i) != kUnknown &&
            is_nccl(names.view(events.name(i))))
            kernels[events.correlation(i)].push_back(events.ordinal(i));
    std::map<TrackId, std::vector<std::pair<TimeNs, std::uint32_t>>> launches;
    for (std::size_t i = 0; i < events.size(); ++i)
        if (is_launch_call(events.kind(i)))
            if (const auto launched = kernels.find(events.correlation(i));
                launched != kernels.end() && launched->second.size() == 1)
                launches[events.track(i)].emplace_back(events.start(i), launched->second.front());
    for (auto& [track, of_track] : launches)
        std::ranges::sort(of_track);
    return launches;
}

} // namespace

std::optional<NvtxField> nvtx_field(std::string_view label, std::int64_t type, std::int64_t offset) {
    // Types of nvToolsExtPayload.h: int, unsigned and their 32-bit kin; long, 64-bit and size_t.
    const bool narrow = type == 5 || type == 6 || type == 15 || type == 16;
    const bool wide = (type >= 7 && type <= 10) || type == 17 || type == 18 || type == 22;
    if (offset < 0 || (!narrow && !wide))
        return {};
    const auto field = [&](NvtxField::Meaning meaning) {
        return NvtxField{meaning, static_cast<std::uint64_t>(offset), narrow ? std::size_t{4} : std::size_t{8}};
    };
    if (label == "NCCL communicator ID")
        return field(NvtxField::Meaning::communicator);
    if (label == "Message size [bytes]")
        return field(NvtxField::Meaning::bytes);
    if (label == "No. of ranks")
        return field(NvtxField::Meaning::ranks);
    return {};
}

NcclPayload nccl_payload(const NvtxSchemas& schemas, std::string_view binary) {
    NcclPayload payload;
    if (binary.size() < kHeader)
        return payload;
    const auto schema = schemas.find({number_at<std::uint32_t>(binary, 0), number_at<std::uint32_t>(binary, 8)});
    if (schema == schemas.end())
        return payload;
    const std::string_view fields = binary.substr(kHeader);
    for (const NvtxField& field : schema->second) {
        if (field.offset > fields.size() || fields.size() - field.offset < field.width)
            continue;
        const auto at = static_cast<std::size_t>(field.offset);
        const std::uint64_t value =
            field.width == 4 ? number_at<std::uint32_t>(fields, at) : number_at<std::uint64_t>(fields, at);
        constexpr std::uint64_t kMost = std::uint64_t{1} << 48; // more than that is no size
        if (field.meaning == NvtxField::Meaning::communicator)
            payload.communicator = value;
        else if (field.meaning == NvtxField::Meaning::bytes && value < kMost)
            payload.bytes = static_cast<std::int64_t>(value);
        else if (field.meaning == NvtxField::Meaning::ranks && value > 0 && value < (1u << 24))
            payload.ranks = static_cast<std::int64_t>(value);
    }
    return payload;
}

std::int64_t attach_nccl_calls(std::vector<NcclRange> ranges, const NcclSizes& sizes, RankBuilder& builder) {
    if (ranges.empty())
        return 0;
    const auto launches = launches_of(builder, builder.names());
    std::int64_t attached = 0;
    for (const Window& window : windows_of(ranges, builder.names())) {
        const auto of_track = launches.find(window.track);
        if (of_track == launches.end())
            continue;
        const auto begin = std::ranges::lower_bound(
            of_track->second, window.range.begin, {}, [](const auto& launch) { return launch.first; });
        const auto end = std::ranges::lower_bound(of_track->second, window.range.end, {},
                                                  [](const auto& launch) { return launch.first; });
        const std::span launched(begin, end);
        if (launched.size() == 1 && belong_together(window.calls)) {
            builder.add_collective(launched.front().second, arguments_of(window.calls, sizes, builder));
            ++attached;
        } else if (launched.size() == window.calls.size()) {
            for (std::size_t i = 0; i < launched.size(); ++i)
                builder.add_collective(launched[i].second,
                                       arguments_of(std::span(window.calls).subspan(i, 1), sizes, builder));
            attached += static_cast<std::int64_t>(launched.size());
        }
    }
    return attached;
}

} // namespace rankscope
