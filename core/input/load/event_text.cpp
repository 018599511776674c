// SPDX-License-Identifier: GPL-3.0-or-later
// The text of one event, read back from its file.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/shallow_json.h"
#include "core/input/bytes/byte_source.h"
#include "core/input/bytes/file_stamp.h"
#include "core/input/inspector/inspector_log.h"
#include "core/input/kineto/event_block.h"
#include "core/input/load/full_trace.h"
#include "core/input/load/load_run.h"
#include "core/input/nsys/recorded_launch.h"
#include "core/trace/operation_timeline.h"

namespace rankscope {
namespace {

/// What the timeline says of an operation.
std::string operation_json(const RankTrace& trace, EventIndex event) {
    nlohmann::ordered_json told{{"name", trace.event_name(event)}};
    if (const Operation* operation = trace.operations->find(trace.events.ordinal[event]))
        told["args"] = {{"step", operation->step},         {"model_chunk", operation->chunk},
                        {"mb_id", operation->microbatch},  {"seq_id", operation->sequence},
                        {"dp_rank", trace.operations->dp}, {"pp_rank", trace.operations->stage},
                        {"tp_rank", trace.operations->tp}};
    return told.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace

std::optional<PlaceInTrace> place_of_event(const RankTrace& trace, EventIndex event) {
    if (trace.operations || trace.source != TraceSource::kineto)
        return {};
    const std::uint32_t ordinal = trace.events.ordinal[event];
    const auto& marks = trace.locator.marks;
    const auto after = std::ranges::upper_bound(marks, ordinal, {}, &EventLocator::Mark::ordinal);
    if (after == marks.begin())
        return {};
    const EventLocator::Mark mark = *std::prev(after);
    return PlaceInTrace{mark.offset, ordinal - mark.ordinal};
}

Result<std::string> read_trace_element(const std::filesystem::path& path, const PlaceInTrace& place,
                                       const std::shared_ptr<const InflatePoints>& points) {
    auto source = open_byte_source(path);
    if (!source)
        return tl::unexpected(source.error());
    if (points)
        (*source)->save_points(points);
    (*source)->skip(place.offset);

    // The elements behind the mark, as far as they are read; the one wanted is the last of them.
    std::string text = "[";
    constexpr std::size_t kStep = 64 * 1024;
    constexpr std::size_t kMost = 512u << 20;
    while (text.size() < kMost) {
        const std::size_t known = text.size();
        text.resize(known + kStep);
        text.resize(known + (*source)->read({text.data() + known, kStep}));
        const std::vector<std::string_view> elements = array_elements(text);
        if (place.elements_before < elements.size())
            return std::string(elements[place.elements_before]);
        if (text.size() == known)
            break;
    }
    return input_error("%1 changed or cannot be read any more"_text(path.string()));
}

namespace {

Result<std::string> recorded_text(const RankTrace& trace, EventIndex event) {
    if (trace.operations)
        return operation_json(trace, event);
    if (trace.source != TraceSource::kineto)
        return recorded_launch_json(trace, event);
    if (trace.digest && stamp_of(trace.digest->source.path) != trace.digest->source)
        return input_error(
            "%1 is not there any more as it was when its digest was made"_text(trace.digest->source.path.string()));
    const auto place = place_of_event(trace, event);
    if (!place)
        return input_error("this event cannot be found again in its file"_text);
    return read_trace_element(trace.digest ? trace.digest->source.path : trace.file, *place, trace.locator.points);
}

} // namespace

Result<std::string> read_event_text(const RankTrace& trace, EventIndex event) {
    auto text = recorded_text(trace, event);
    const auto& transfers = trace.collective_transfers;
    const auto measured = std::ranges::lower_bound(transfers, event, {}, &CollectiveTransfer::event);
    if (!text || measured == transfers.end() || measured->event != event)
        return text;
    nlohmann::ordered_json document = parse_shallow_json<nlohmann::ordered_json>(*text);
    if (!document.is_object())
        return text;
    document["inspector"] = inspector_json(*measured, *trace.names);
    return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace rankscope
