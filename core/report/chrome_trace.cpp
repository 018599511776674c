// SPDX-License-Identifier: GPL-3.0-or-later
// An exported trace as Chrome's JSON.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/safe_json.h"
#include "core/base/seeded_hash.h"
#include "core/base/text.h"
#include "core/report/trace_sink.h"
#include "core/version.h"

namespace rankscope {
namespace {

std::string json_quoted(std::string_view text) {
    return terminal_safe_json(
        nlohmann::json(valid_utf8(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

struct FlowWords {
    std::string_view category;
    std::string_view name;
};
constexpr FlowWords flow_words(TraceFlowKind kind) {
    switch (kind) {
    case TraceFlowKind::launch: return {"launch", "launch"};
    case TraceFlowKind::backward: return {"fwdbwd", "forward to backward"};
    case TraceFlowKind::collective: return {"collective", "to the next rank that arrives"};
    }
    return {};
}

class ChromeTraceSink : public TraceSink {
public:
    explicit ChromeTraceSink(OutputFile& file) : file_(file) {}

    void begin(std::size_t ranks) override {
        text_ = fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"producer\":\"rankscope {}\","
                            "\"merged_ranks\":{}}},\"traceEvents\":[",
                            kVersion, ranks);
    }
    void process(std::int64_t id, std::string_view name, std::size_t order, std::string_view label) override {
        meta(id, 0, "process_name", "name", quoted(name));
        meta(id, 0, "process_sort_index", "sort_index", std::to_string(order));
        if (!label.empty())
            meta(id, 0, "process_labels", "labels", quoted(label));
    }
    void thread(std::int64_t process, std::int64_t id, std::string_view name, std::size_t order) override {
        meta(process, id, "thread_name", "name", quoted(name));
        meta(process, id, "thread_sort_index", "sort_index", std::to_string(order));
    }
    void slice(const TraceSlice& slice) override {
        const std::string start = microseconds_text(slice.range.begin);
        start_line();
        fmt::format_to(std::back_inserter(text_),
                       "{{\"ph\":\"X\",\"cat\":\"{}\",\"name\":{},\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{}",
                       slice.category, quoted(slice.name), slice.process, slice.thread, start,
                       microseconds_text(slice.range.length()));
        if (!slice.arguments.empty())
            write_arguments(slice.arguments);
        text_ += '}';
        for (const TraceFlowEnd& end : slice.flows) {
            const FlowWords words = flow_words(end.kind);
            start_line();
            fmt::format_to(std::back_inserter(text_),
                           "{{\"ph\":\"{}\",{}\"cat\":\"{}\",\"name\":\"{}\",\"id\":{},\"pid\":{},\"tid\":{},"
                           "\"ts\":{}}}",
                           end.starts ? "s" : "f", end.starts ? "" : "\"bp\":\"e\",", words.category, words.name,
                           end.id, slice.process, slice.thread, start);
        }
    }
    void end_threads() override {}
    void sample(const TraceSample& sample) override {
        const auto* const whole = std::get_if<std::int64_t>(&sample.value);
        start_line();
        fmt::format_to(std::back_inserter(text_),
                       "{{\"ph\":\"C\",\"name\":{},\"pid\":{},\"ts\":{},\"args\":{{\"value\":{}}}}}",
                       quoted(sample.series), sample.process, microseconds_text(sample.time),
                       whole != nullptr ? std::to_string(*whole) : number_text(std::get<double>(sample.value)));
    }
    void end() override {
        text_ += "\n]}\n";
        file_.write(text_);
    }

private:
    static constexpr std::size_t kPiece = std::size_t{1} << 20; ///< bytes written at once

    void start_line() {
        if (text_.size() > kPiece) {
            file_.write(text_);
            text_.clear();
        }
        text_ += first_line_ ? "\n" : ",\n";
        first_line_ = false;
    }
    void meta(std::int64_t process, std::int64_t thread, std::string_view what, std::string_view key,
              std::string_view value) {
        start_line();
        fmt::format_to(std::back_inserter(text_),
                       "{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{\"{}\":{}}}}}", what, process,
                       thread, key, value);
    }
    void write_arguments(std::span<const TraceArgument> arguments) {
        text_ += ",\"args\":";
        char before = '{';
        for (const TraceArgument& argument : arguments) {
            fmt::format_to(std::back_inserter(text_), "{}\"{}\":", before, argument.name);
            before = ',';
            if (const auto* const text = std::get_if<std::string>(&argument.value))
                text_ += quoted(*text);
            else if (const auto* const number = std::get_if<std::int64_t>(&argument.value))
                text_ += std::to_string(*number);
            else
                text_ += microseconds_text(std::get<Microseconds>(argument.value).ns);
        }
        text_ += '}';
    }
    const std::string& quoted(std::string_view text) {
        const auto known = quoted_.find(text);
        return known != quoted_.end() ? known->second : quoted_.emplace(text, json_quoted(text)).first->second;
    }

    OutputFile& file_;
    std::string text_;
    bool first_line_ = true;
    TextMap<std::string, std::string> quoted_;
};

} // namespace

std::unique_ptr<TraceSink> chrome_trace_sink(OutputFile& file) { return std::make_unique<ChromeTraceSink>(file); }

} // namespace rankscope
