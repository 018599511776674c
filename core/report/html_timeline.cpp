// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html_timeline.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <isa-l/igzip_lib.h>

#include "core/base/text.h"
#include "core/query/query_model.h"
#include "core/report/markup.h"
#include "core/views/marked_spans.h"

namespace rankscope {
namespace {

constexpr std::size_t kNameLength = 300; ///< characters; the rest of a longer name is cut

/// As the script knows them.
enum class SliceClass : std::uint8_t {
    compute,
    communication,
    copy,
    set,
    operation,
    annotation,
    call,
    python,
    other,
    wait
};

SliceClass slice_class(const RankTrace& trace, const std::vector<KernelClass>& classes, EventIndex event) {
    if (event < classes.size())
        switch (classes[event]) {
        case KernelClass::compute: return SliceClass::compute;
        case KernelClass::communication: return SliceClass::communication;
        case KernelClass::memory_copy: return SliceClass::copy;
        case KernelClass::memory_set: return SliceClass::set;
        }
    switch (trace.events.kind[event]) {
    case EventKind::cpu_op:
    case EventKind::captured_op: return SliceClass::operation;
    case EventKind::annotation:
    case EventKind::gpu_annotation:
    case EventKind::graph_launch: return SliceClass::annotation;
    case EventKind::runtime:
    case EventKind::driver: return SliceClass::call;
    case EventKind::python:
    case EventKind::captured_scope: return SliceClass::python;
    default: return SliceClass::other;
    }
}

void put_varint(std::string& bytes, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        bytes += static_cast<char>(value | 0x80);
    bytes += static_cast<char>(value);
}

std::uint64_t zigzag(TimeNs value) {
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

std::string gzipped(std::string bytes) {
    isal_zstream stream;
    isal_deflate_init(&stream);
    std::vector<std::uint8_t> level(ISAL_DEF_LVL3_DEFAULT);
    stream.level = 3;
    stream.level_buf = level.data();
    stream.level_buf_size = static_cast<std::uint32_t>(level.size());
    stream.gzip_flag = IGZIP_GZIP;
    stream.end_of_stream = 1;
    std::vector<std::uint8_t> input(bytes.begin(), bytes.end()); // ISA-L takes a pointer that is not const
    stream.next_in = input.data();
    stream.avail_in = static_cast<std::uint32_t>(input.size());
    std::string out;
    std::vector<std::uint8_t> piece(1 << 16);
    do {
        stream.next_out = piece.data();
        stream.avail_out = static_cast<std::uint32_t>(piece.size());
        isal_deflate(&stream);
        out.append(piece.begin(), piece.end() - static_cast<std::ptrdiff_t>(stream.avail_out));
    } while (stream.avail_out == 0);
    return out;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 3; ++k)
            three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            text += i + k <= bytes.size() ? kDigits[three >> (18 - 6 * k) & 63U] : '=';
    }
    return text;
}

TimeNs shift_of(const RunAnalysis& analysis, std::size_t rank) { return analysis.since_start(rank, 0); }

/// Events of the row that touch the range; both on the rank's own clock.
std::pair<EventIndex, EventIndex> touching(const EventTable& events, const Row& row, TimeRange range) {
    const auto first_where = [](EventIndex begin, EventIndex end, const auto& holds) {
        while (begin < end) {
            const EventIndex middle = begin + (end - begin) / 2;
            if (holds(middle))
                end = middle;
            else
                begin = middle + 1;
        }
        return begin;
    };
    const EventIndex first = first_where(
        row.begin, row.end, [&](EventIndex i) { return events.end(i) >= range.begin; });
    return {first, first_where(first, row.end, [&](EventIndex i) { return events.start[i] >= range.end; })};
}

bool of_gpu(const Lane& lane) {
    return lane.kind == LaneKind::gpu_stream || lane.kind == LaneKind::gpu_annotation ||
           lane.kind == LaneKind::gpu_sync;
}

std::size_t slices_of(const RunAnalysis& analysis, std::size_t rank, TimeRange time, bool gpu_only) {
    const RankTrace& trace = *analysis.run().ranks[rank];
    const TimeNs shift = shift_of(analysis, rank);
    const TimeRange own{time.begin - shift, time.end - shift};
    std::size_t count = 0;
    for (const Lane& lane : trace.lanes)
        if (!gpu_only || of_gpu(lane))
            for (std::uint32_t r = 0; r < lane.row_count; ++r) {
                const auto [first, last] = touching(trace.events, trace.rows[lane.first_row + r], own);
                count += last - first;
            }
    return count;
}

std::size_t slices_of(const RunAnalysis& analysis, const TimelinePart& part) {
    std::size_t count = 0;
    for (const std::size_t rank : part.ranks)
        count += slices_of(analysis, rank, part.time, part.gpu_only);
    return count;
}

struct NumberedStep {
    std::int64_t number = 0;
    TimeRange time; ///< aligned, since the first event
};

/// The steps of each rank, those selected; by repetition where no rank has recorded any.
std::vector<std::vector<NumberedStep>> steps_by_rank(const RunAnalysis& analysis) {
    std::vector<std::vector<NumberedStep>> ranks(analysis.run().ranks.size());
    const bool recorded = std::ranges::any_of(analysis.ranks(), [](const auto& rank) { return !rank.steps.empty(); });
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const TimeNs shift = shift_of(analysis, rank);
        const auto add = [&](std::int64_t number, TimeRange time) {
            ranks[rank].push_back({number, {time.begin + shift, time.end + shift}});
        };
        if (recorded)
            for (const ProfilerStep& step : analysis.ranks()[rank].steps)
                add(step.number, step.range);
        else if (rank < analysis.inferred_steps().size())
            for (const TimeRange& step : analysis.inferred_steps()[rank].steps)
                add(static_cast<std::int64_t>(ranks[rank].size()), step);
    }
    return ranks;
}

/// Each step from its first start on a rank to its last end on one.
std::vector<NumberedStep> steps_of_run(const RunAnalysis& analysis) {
    std::map<std::int64_t, TimeRange> times;
    for (const auto& rank : steps_by_rank(analysis))
        for (const auto& [number, time] : rank) {
            const auto [known, is_new] = times.try_emplace(number, time);
            known->second = {std::min(known->second.begin, time.begin), std::max(known->second.end, time.end)};
        }
    std::vector<NumberedStep> steps;
    for (const auto& [number, time] : times)
        steps.push_back({number, time});
    std::ranges::sort(steps, {}, [](const NumberedStep& step) { return step.time.begin; });
    return steps;
}

/// Those that findings name first, then the others.
std::vector<std::size_t> ranks_by_interest(const RunAnalysis& analysis) {
    std::vector<std::size_t> order;
    const auto add = [&](std::size_t rank) {
        if (std::ranges::find(order, rank) == order.end())
            order.push_back(rank);
    };
    const auto& ranks = analysis.run().ranks;
    for (const Finding& finding : analysis.findings().list)
        for (const int number : finding.ranks)
            for (std::size_t i = 0; i < ranks.size(); ++i)
                if (ranks[i]->rank == number)
                    add(i);
    for (std::size_t i = 0; i < ranks.size() && order.size() < ranks.size(); ++i)
        add(i);
    return order;
}

/// What was packed of one run, and the texts for it.
class TimelinePacker {
public:
    void add(const AnalysedRun& run, const TimelinePart& part) {
        const RunAnalysis& analysis = *run.analysis;
        model_ = std::make_unique<QueryModel>(std::vector<QueryRun>{{run.label, run.role, run.analysis, {}}});
        const MarkedSpans marks = mark_spans(run.analysis);
        const std::vector<std::vector<NumberedStep>> all_steps = steps_by_rank(analysis);
        Json ranks = Json::array();
        for (const std::size_t rank : part.ranks) {
            Json lanes = Json::array();
            add_waits(analysis, rank, part, marks.ranks[rank].waits, lanes);
            add_lanes(analysis, rank, part, lanes);
            Json steps = Json::array();
            for (const auto& [number, time] : all_steps[rank])
                if (time.end > part.time.begin && time.begin < part.time.end)
                    steps.push_back({number, time.begin - part.time.begin, time.end - part.time.begin});
            if (!lanes.empty())
                ranks.push_back({{"rank", analysis.run().ranks[rank]->rank},
                                 {"steps", std::move(steps)},
                                 {"lanes", std::move(lanes)}});
        }
        runs_.push_back({{"name", xml_characters(run.label)},
                         {"begin", part.time.begin},
                         {"length", part.time.length()},
                         {"ranks", std::move(ranks)}});
    }

    [[nodiscard]] std::size_t slices() const { return columns_.classes.size(); }

    /// As a script element of data: "<" would end it.
    [[nodiscard]] std::string json() const {
        const Json document{{"runs", runs_}, {"names", names_}, {"slices", slices()}, {"columns", columns_.packed()}};
        const std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
        std::string safe;
        for (const char c : text)
            c == '<' ? safe += "\\u003c" : safe += c;
        return safe;
    }

private:
    void add_slice(TimeRange range, std::uint32_t name, SliceClass slice_class) {
        put_varint(columns_.gaps, zigzag(range.begin - last_end_));
        put_varint(columns_.durations, static_cast<std::uint64_t>(range.length()));
        put_varint(columns_.names, name);
        columns_.classes += static_cast<char>(slice_class);
        last_end_ = range.end;
    }

    std::uint32_t name_index(std::string_view text) {
        const auto [known, is_new] = indices_.try_emplace(xml_characters(shortened(text, kNameLength)),
                                                          static_cast<std::uint32_t>(names_.size()));
        if (is_new)
            names_.push_back(known->first);
        return known->second;
    }

    void add_lanes(const RunAnalysis& analysis, std::size_t rank, const TimelinePart& part, Json& lanes) {
        const RankTrace& trace = *analysis.run().ranks[rank];
        const std::vector<KernelClass>& classes = model_->classes(rank);
        const TimeNs shift = shift_of(analysis, rank) - part.time.begin; // to the start of the part
        const TimeRange own{-shift, part.time.length() - shift};
        std::map<NameId, std::uint32_t> names;
        for (const Lane& lane : trace.lanes) {
            if (part.gpu_only && !of_gpu(lane))
                continue;
            Json rows = Json::array();
            for (std::uint32_t r = 0; r < lane.row_count; ++r) {
                const auto [first, last] = touching(trace.events, trace.rows[lane.first_row + r], own);
                if (first == last)
                    continue;
                last_end_ = 0;
                for (EventIndex i = first; i < last; ++i) {
                    const NameId id = trace.events.name[i];
                    const auto [known, is_new] = names.try_emplace(id, 0);
                    if (is_new)
                        known->second = name_index(trace.event_name(i));
                    const TimeRange range = trace.events.range(i);
                    add_slice({range.begin + shift, range.end + shift}, known->second, slice_class(trace, classes, i));
                }
                rows.push_back(last - first);
            }
            if (!rows.empty())
                lanes.push_back(
                    {{"name", xml_characters(shortened(lane.name, kNameLength))}, {"rows", std::move(rows)}});
        }
    }

    /// Waits at collectives, in a lane of their own above the others.
    void add_waits(const RunAnalysis& analysis, std::size_t rank, const TimelinePart& part,
                   std::vector<CollectiveWait> waits, Json& lanes) {
        const TimeNs shift = shift_of(analysis, rank) - part.time.begin;
        std::erase_if(
            waits,
            [&](const CollectiveWait& wait) {
                return wait.range.end + shift < 0 || wait.range.begin + shift >= part.time.length();
            });
        std::ranges::sort(waits, {}, [](const CollectiveWait& wait) { return wait.range.begin; });
        Json rows = Json::array();
        while (!waits.empty()) { // a row takes what does not overlap
            std::vector<CollectiveWait> rest;
            last_end_ = 0;
            std::size_t count = 0;
            for (const CollectiveWait& wait : waits) {
                if (count > 0 && wait.range.begin + shift < last_end_) {
                    rest.push_back(wait);
                    continue;
                }
                const int late = analysis.run().ranks[wait.last_rank]->rank;
                add_slice({wait.range.begin + shift, wait.range.end + shift},
                          name_index(fmt::format("waits for rank {}", late)), SliceClass::wait);
                ++count;
            }
            rows.push_back(count);
            waits = std::move(rest);
        }
        if (!rows.empty())
            lanes.push_back({{"name", "waits"}, {"rows", std::move(rows)}});
    }

    TimelineColumns columns_;
    TimeNs last_end_ = 0;
    std::map<std::string, std::uint32_t> indices_;
    std::vector<std::string> names_;
    Json runs_ = Json::array();
    std::unique_ptr<QueryModel> model_;
};

std::string part_note(const RunAnalysis& analysis, const TimelinePart& part, std::size_t steps, std::size_t all_steps) {
    std::vector<std::string> notes;
    if (all_steps > steps && steps > 0)
        notes.push_back(fmt::format("{} of {} steps", steps, all_steps));
    if (part.ranks.size() < analysis.run().ranks.size())
        notes.push_back(fmt::format("{} of {} ranks", part.ranks.size(), analysis.run().ranks.size()));
    if (part.gpu_only)
        notes.emplace_back("without the threads of the host");
    std::string text;
    for (const std::string& note : notes)
        text += (text.empty() ? "" : ", ") + note;
    return text;
}

} // namespace

std::string TimelineColumns::packed() const { return base64(gzipped(gaps + durations + names + classes)); }

TimelinePart choose_timeline_part(const RunAnalysis& analysis, const HtmlTimeline& wanted, std::size_t most_slices) {
    const TimeNs length = analysis.length();
    const std::vector<NumberedStep> steps = steps_of_run(analysis);
    TimelinePart part;
    const TimeRange selected = analysis.selection().time.value_or(TimeRange{0, length}).clipped_to({0, length});
    part.time = wanted.time ? TimeRange{wanted.time->begin, std::min(wanted.time->end, length)}
                : !steps.empty() && !analysis.selection().time ? steps.front().time
                                                               : selected;
    part.ranks.resize(analysis.run().ranks.size());
    for (std::size_t i = 0; i < part.ranks.size(); ++i)
        part.ranks[i] = i;
    if (slices_of(analysis, part) > most_slices) {
        part.gpu_only = true;
        if (slices_of(analysis, part) == 0) // a recording of hosts only
            part.gpu_only = false;
    }
    if (slices_of(analysis, part) > most_slices) {
        std::size_t count = 0;
        part.ranks.clear();
        for (const std::size_t rank : ranks_by_interest(analysis)) {
            const std::size_t own = slices_of(analysis, rank, part.time, part.gpu_only);
            if (count + own > most_slices && !part.ranks.empty())
                break;
            count += own;
            part.ranks.push_back(rank);
        }
        std::ranges::sort(part.ranks);
    }
    for (TimeNs all = part.time.length(); slices_of(analysis, part) > most_slices && all > 1; all /= 2)
        part.time.end = part.time.begin + all / 2;
    std::size_t shown = 0;
    for (const NumberedStep& step : steps) {
        if (!wanted.time && !analysis.selection().time && step.time.end > part.time.end &&
            part.time.end >= steps.front().time.end) {
            TimelinePart longer = part;
            longer.time.end = step.time.end;
            if (slices_of(analysis, longer) > most_slices)
                break;
            part.time.end = longer.time.end;
        }
        shown += step.time.begin >= part.time.begin && step.time.end <= part.time.end ? 1 : 0;
    }
    part.note = part_note(analysis, part, shown, steps.size());
    return part;
}

std::string timeline_section(std::span<const AnalysedRun> runs, const HtmlTimeline& wanted) {
    if (!wanted.shown)
        return {};
    TimelinePacker packer;
    std::string notes;
    for (const AnalysedRun& run : runs) {
        if (run.run().event_count() == 0 || run.run().span.empty())
            continue;
        const TimelinePart part = choose_timeline_part(*run.analysis, wanted, wanted.most_slices / runs.size());
        packer.add(run, part);
        notes += fmt::format("<li>{}: {} to {} ms{}{}</li>\n", escaped_markup(run.label),
                             number_text(as_ms(part.time.begin)), number_text(as_ms(part.time.end)),
                             part.note.empty() ? "" : "; ", part.note);
    }
    if (packer.slices() == 0)
        return {};
    return fmt::format(
        "<section class=\"timeline\"><h2>Timeline</h2>\n<p class=\"dim\">{} slices on aligned clocks: events, and what "
        "is derived from them. Drag to move, "
        "pinch or "
        "Ctrl+wheel to zoom; after a click also the wheel, arrow keys, + and -, 0 for all, and [ and ] for the slices "
        "beside "
        "the one selected.</p>\n<ul class=\"dim\">{}</ul>\n"
        "<div id=\"timeline\"><div class=\"tools\"><button type=\"button\" data-do=\"in\" aria-label=\"zoom "
        "in\">+</button>"
        "<button type=\"button\" data-do=\"out\" aria-label=\"zoom out\">−</button>"
        "<button type=\"button\" data-do=\"all\">all</button>"
        "<input type=\"search\" placeholder=\"find a name\" aria-label=\"find a name\"/><span class=\"found "
        "dim\"></span>"
        "<span class=\"legend\"></span></div>\n"
        "<div class=\"view\"><canvas tabindex=\"0\" role=\"img\" aria-label=\"timeline of the runs\"></canvas>"
        "<div class=\"height\"></div></div>\n<p class=\"slice\" aria-live=\"polite\"></p></div>\n"
        "<noscript><p>The timeline needs JavaScript; nothing else on this page does.</p></noscript>\n"
        "<script type=\"application/json\" id=\"timeline-data\">{}</script>\n<script>{}</script></section>\n",
        packer.slices(), notes, packer.json(), timeline_script());
}

} // namespace rankscope
