// SPDX-License-Identifier: GPL-3.0-or-later
// An execution trace opened alone: a tree of operators, in their order and without times.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "core/input/execution_trace/execution_trace.h"
#include "core/input/kineto/kineto_reader.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

Result<std::optional<FilePeek>> peek_execution_trace_file(const FileStart& file) {
    const auto peeked = peek_kineto(file);
    if (!peeked)
        return tl::unexpected(peeked.error());
    if (peeked->kind != KinetoPeek::Kind::execution_trace)
        return std::nullopt;
    return FilePeek{};
}

/// Every node one unit wider than what it contains; times have no meaning beyond the order.
void add_tree(const ExecutionTrace& trace, RankBuilder& builder) {
    std::map<std::int64_t, std::size_t> index;
    for (std::size_t i = 0; i < trace.nodes.size(); ++i)
        index.emplace(trace.nodes[i].id, i);
    std::vector<std::vector<std::size_t>> children(trace.nodes.size());
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < trace.nodes.size(); ++i) {
        const ExecutionNode& node = trace.nodes[i];
        const auto parent = index.find(node.parent);
        // A parent comes before its children, which also keeps made-up circles out.
        if (parent != index.end() && parent->second < i && trace.nodes[parent->second].thread == node.thread)
            children[parent->second].push_back(i);
        else
            roots.push_back(i);
    }
    constexpr TimeNs kUnit = 1000;
    std::map<std::int64_t, TimeNs> now; ///< by thread
    std::uint32_t ordinal = 0;
    const auto leave = [&](std::size_t i, TimeNs start) {
        const ExecutionNode& node = trace.nodes[i];
        RawEvent event;
        event.start = start;
        now[node.thread] += kUnit;
        event.duration = now[node.thread] - start;
        event.kind = EventKind::cpu_op;
        event.external_id = node.record;
        event.name = builder.names().intern(node.name);
        event.track = builder.track("operators", std::to_string(node.thread), kUnknown, kUnknown);
        event.ordinal = ordinal++;
        builder.add(event);
    };
    struct Frame {
        std::size_t node;
        std::size_t next_child;
        TimeNs start;
    };
    for (const std::size_t root : roots) {
        std::vector<Frame> stack{{root, 0, now[trace.nodes[root].thread]}};
        while (!stack.empty()) {
            Frame& top = stack.back();
            if (top.next_child < children[top.node].size()) {
                const std::size_t child = children[top.node][top.next_child++];
                stack.push_back({child, 0, now[trace.nodes[child].thread]});
            } else {
                leave(top.node, top.start);
                stack.pop_back();
            }
        }
    }
}

Result<RankTraces> read_execution_trace_file(const fs::path& path, const std::shared_ptr<StringTable>& names,
                                             const ReadOptions& options) {
    const auto execution = read_execution_trace(path, options.cancel, options.memory_bytes);
    if (!execution)
        return tl::unexpected(execution.error());
    RankBuilder builder(names);
    add_tree(*execution, builder);
    RankTrace& trace = builder.trace();
    trace.rank = -1;
    trace.file = path;
    trace.source = TraceSource::execution_trace;
    std::error_code error;
    trace.file_bytes = trace.text_bytes = fs::file_size(path, error);
    trace.header["execution_trace.schema"] = execution->schema;
    add_notice(trace.notices,
               {"no_times",
                "an execution trace holds no times: operators are shown in their order, each one unit wide; a "
                "Kineto trace of the same run has the times"_text,
                path.string(), 1});
    if (execution->left_out > 0)
        add_notice(trace.notices, {"malformed_events", "nodes without an id or a name were left out"_text,
                                   path.string(), execution->left_out});
    trace.accounting.events_in_file = execution->nodes.size() + static_cast<std::uint64_t>(execution->left_out);
    trace.accounting.on_timeline = builder.event_count();
    trace.accounting.add(NotShown::malformed, static_cast<std::uint64_t>(execution->left_out));
    auto rank = builder.finish(options.cancel);
    if (!rank)
        return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
    return RankTraces{std::move(rank)};
}

} // namespace

TraceFormat execution_trace_format();
TraceFormat execution_trace_format() {
    return {TraceSource::execution_trace, "execution traces", is_json_name, peek_execution_trace_file,
            read_execution_trace_file};
}

} // namespace rankscope
