// SPDX-License-Identifier: GPL-3.0-or-later
// An exported trace in Perfetto's own format. All packets are one sequence, so that a name is written once. The time of
// a slice counts from the one before it in its lane, so that it takes two bytes.
// The numbers of fields are those of Perfetto's protos/perfetto/trace/*.proto.
#include <map>
#include <set>

#include "core/base/seeded_hash.h"
#include "core/base/text.h"
#include "core/base/wire_writer.h"
#include "core/report/trace_sink.h"

namespace rankscope {
namespace {

// TracePacket
constexpr std::uint32_t kClockSnapshot = 6, kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInternedData = 12,
                        kSequenceFlags = 13, kClock = 58, kPacketDefaults = 59, kTrackDescriptor = 60;
constexpr std::int64_t kStateCleared = 1; // of sequence_flags
// ClockSnapshot, and the clocks in it
constexpr std::uint32_t kClocks = 1, kClockId = 1, kClockTime = 2, kClockIsIncremental = 3;
constexpr std::int64_t kBootTime = 6, kLaneClock = 64;
// TrackEvent; track_uuid is the same in TrackEventDefaults
constexpr std::uint32_t kCategory = 3, kAnnotation = 4, kType = 9, kName = 10, kTrack = 11, kCounterValue = 30,
                        kDoubleCounterValue = 44, kFlow = 47, kTerminatingFlow = 48;
constexpr std::int64_t kBegins = 1, kEnds = 2, kCounts = 4; // type
// TrackDescriptor
constexpr std::uint32_t kUuid = 1, kTrackName = 2, kProcess = 3, kThread = 4, kParent = 5, kCounter = 8,
                        kChildOrdering = 11, kSiblingRank = 12;
constexpr std::int64_t kExplicitOrder = 3;
// ProcessDescriptor and ThreadDescriptor
constexpr std::uint32_t kPid = 1, kProcessSortIndex = 3, kProcessName = 6, kProcessLabels = 8;
constexpr std::uint32_t kTid = 2, kThreadSortIndex = 3, kThreadName = 5;
// DebugAnnotation
constexpr std::uint32_t kAnnotationName = 1, kInteger = 4, kReal = 5, kInternedText = 17;

/// Texts of one kind, each with a number. field: theirs in InternedData.
struct InternedTexts {
    std::uint32_t field;
    TextMap<std::string, std::int64_t> numbers;
};

class PerfettoTraceSink : public TraceSink {
public:
    explicit PerfettoTraceSink(OutputFile& file) : file_(file) {}

    void begin(std::size_t) override {
        packet_.number(kSequenceFlags, kStateCleared);
        end_packet();
    }
    void process(std::int64_t id, std::string_view name, std::size_t order, std::string_view label) override {
        WireWriter process;
        process.number(kPid, id)
            .number(kProcessSortIndex, static_cast<std::int64_t>(order))
            .bytes(kProcessName, valid_utf8(name));
        if (!label.empty())
            process.bytes(kProcessLabels, valid_utf8(label));
        packet_.message(kTrackDescriptor, WireWriter()
                                              .number(kUuid, id)
                                              .message(kProcess, process)
                                              .number(kChildOrdering, kExplicitOrder)
                                              .number(kSiblingRank, static_cast<std::int64_t>(order)));
        end_packet();
    }
    /// The first thread of a lane is where events are that name no track.
    void thread(std::int64_t process, std::int64_t id, std::string_view name, std::size_t order) override {
        if (!in_lane_)
            begin_lane(id);
        const WireWriter thread = WireWriter()
                                      .number(kPid, process)
                                      .number(kTid, id)
                                      .number(kThreadSortIndex, static_cast<std::int64_t>(order))
                                      .bytes(kThreadName, valid_utf8(name));
        packet_.message(kTrackDescriptor, WireWriter()
                                              .number(kUuid, id)
                                              .number(kParent, process)
                                              .message(kThread, thread)
                                              .number(kSiblingRank, static_cast<std::int64_t>(order)));
        end_packet();
    }
    void slice(const TraceSlice& slice) override {
        while (!open_.empty() && open_.begin()->end <= slice.range.begin)
            end_slice();
        open_.insert({slice.range.end, --last_opened_, slice.thread});
        event_.number(kType, kBegins)
            .number(kCategory, interned(categories_, slice.category))
            .number(kName, interned(names_, slice.name));
        for (const TraceArgument& argument : slice.arguments)
            write_argument(argument);
        for (const TraceFlowEnd& end : slice.flows)
            event_.fixed(end.starts ? kFlow : kTerminatingFlow, end.id);
        write_event(slice.thread, slice.range.begin);
    }
    void end_threads() override {
        while (!open_.empty())
            end_slice();
        in_lane_ = false;
    }
    void sample(const TraceSample& sample) override {
        event_.number(kType, kCounts);
        if (const auto* const whole = std::get_if<std::int64_t>(&sample.value))
            event_.number(kCounterValue, *whole);
        else
            event_.real(kDoubleCounterValue, std::get<double>(sample.value));
        event_.number(kTrack, counter_of(sample.process, sample.series));
        packet_.number(kTimestamp, sample.time).number(kClock, kBootTime);
        end_event();
    }
    void end() override { file_.write(trace_.text()); }

private:
    static constexpr std::size_t kPiece = std::size_t{1} << 20;          ///< bytes written at once
    static constexpr std::int64_t kFirstCounter = std::int64_t{1} << 48; ///< behind all processes and threads

    struct Open {
        TimeNs end;
        std::int64_t opened; ///< the later, the smaller: of those that end together the innermost ends first
        std::int64_t thread;
        auto operator<=>(const Open&) const = default;
    };

    void begin_lane(std::int64_t thread) {
        in_lane_ = true;
        usual_track_ = thread;
        time_ = 0;
        const auto clock = [](std::int64_t id) { return WireWriter().number(kClockId, id).number(kClockTime, 0); };
        packet_.message(kClockSnapshot, WireWriter()
                                            .message(kClocks, clock(kBootTime))
                                            .message(kClocks, clock(kLaneClock).number(kClockIsIncremental, 1)));
        end_packet();
        packet_.message(
            kPacketDefaults,
            WireWriter().number(kClock, kLaneClock).message(kTrackEvent, WireWriter().number(kTrack, thread)));
    }
    void end_slice() {
        event_.number(kType, kEnds);
        write_event(open_.begin()->thread, open_.begin()->end);
        open_.erase(open_.begin());
    }
    void write_argument(const TraceArgument& argument) {
        WireWriter annotation;
        annotation.number(kAnnotationName, interned(argument_names_, argument.name));
        if (const auto* const text = std::get_if<std::string>(&argument.value))
            annotation.number(kInternedText, interned(texts_, *text));
        else if (const auto* const number = std::get_if<std::int64_t>(&argument.value))
            annotation.number(kInteger, *number);
        else
            annotation.real(kReal, static_cast<double>(std::get<Microseconds>(argument.value).ns) / 1e3);
        event_.message(kAnnotation, annotation);
    }
    void write_event(std::int64_t track, TimeNs time) {
        if (track != usual_track_)
            event_.number(kTrack, track);
        packet_.number(kTimestamp, time - time_);
        time_ = time;
        end_event();
    }
    void end_event() {
        if (!new_texts_.text().empty())
            packet_.message(kInternedData, new_texts_);
        packet_.message(kTrackEvent, event_);
        new_texts_.clear();
        event_.clear();
        end_packet();
    }
    void end_packet() {
        constexpr std::uint32_t kPacket = 1; // of Trace
        packet_.number(kSequence, 1);
        trace_.message(kPacket, packet_);
        packet_.clear();
        if (trace_.text().size() > kPiece) {
            file_.write(trace_.text());
            trace_.clear();
        }
    }
    std::int64_t interned(InternedTexts& texts, std::string_view text) {
        if (const auto known = texts.numbers.find(text); known != texts.numbers.end())
            return known->second;
        const auto number = static_cast<std::int64_t>(texts.numbers.size()) + 1;
        texts.numbers.emplace(text, number);
        new_texts_.message(texts.field, WireWriter().number(1, number).bytes(2, valid_utf8(text)));
        return number;
    }
    std::int64_t counter_of(std::int64_t process, std::string_view series) {
        const auto [place, fresh] = counters_.try_emplace({process, std::string(series)}, kFirstCounter);
        if (fresh) {
            place->second += static_cast<std::int64_t>(counters_.size());
            packet_.message(kTrackDescriptor, WireWriter()
                                                  .number(kUuid, place->second)
                                                  .number(kParent, process)
                                                  .bytes(kTrackName, valid_utf8(series))
                                                  .bytes(kCounter, {}));
            end_packet();
        }
        return place->second;
    }

    OutputFile& file_;
    WireWriter trace_;     ///< packets not yet written
    WireWriter packet_;    ///< the one being made
    WireWriter event_;     ///< its event
    WireWriter new_texts_; ///< its interned data
    InternedTexts categories_{1, {}};
    InternedTexts names_{2, {}};
    InternedTexts argument_names_{3, {}};
    InternedTexts texts_{29, {}};
    std::set<Open> open_; ///< slices of this lane
    std::int64_t last_opened_ = 0;
    std::int64_t usual_track_ = 0;
    TimeNs time_ = 0; ///< of the last event of this lane
    bool in_lane_ = false;
    std::map<std::pair<std::int64_t, std::string>, std::int64_t> counters_;
};

} // namespace

std::unique_ptr<TraceSink> perfetto_trace_sink(OutputFile& file) { return std::make_unique<PerfettoTraceSink>(file); }

} // namespace rankscope
