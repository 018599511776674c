// SPDX-License-Identifier: GPL-3.0-or-later
// PyTorch execution traces (torch_et_*.json): operators with their inputs and without times. Beside a Kineto trace they
// tell shapes and sizes that it lacks; alone they are a tree of operators.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/rank_builder.h"

namespace rankscope {

/// What a node says of a collective; kUnknown and "" where it does not.
struct NodeCollective {
    std::string name; ///< "all_reduce" ...
    std::string dtype;
    std::int64_t in_elements = kUnknown;
    std::int64_t out_elements = kUnknown;
    std::string group_name;
    std::string group_description;
    std::int64_t group_size = kUnknown;
};

struct ExecutionNode {
    std::int64_t id = 0;
    std::int64_t parent = 0;
    std::int64_t record = kUnknown; ///< rf_id
    std::int64_t thread = 0;
    std::int64_t sequence = kUnknown;
    std::string name;
    std::string shapes; ///< JSON, as Kineto's "Input Dims"; empty without inputs
    std::string types;  ///< JSON, as Kineto's "Input type"
    std::optional<NodeCollective> collective;
};

struct ExecutionTrace {
    std::string schema;
    std::vector<ExecutionNode> nodes; ///< by id
    std::int64_t left_out = 0;        ///< nodes without an id or a name
};

/// Schemas 1.0.1 to 1.1.1-chakra. Error: unreadable, or no execution trace.
Result<ExecutionTrace> read_execution_trace(const std::filesystem::path& path, const std::stop_token& cancel = {},
                                            std::uint64_t memory_bytes = 0);

/// How an execution trace was joined with the events of a rank.
struct JoinReport {
    std::int64_t events = 0; ///< operators of the rank
    std::int64_t joined = 0; ///< of those, with a node of the same name
    bool by_id = true; ///< by rf_id; false: the numbers are of another recording, joined by thread, order and name
    std::int64_t shapes = 0; ///< operators that got shapes
    std::int64_t sizes = 0;  ///< communication kernels that got sizes
};

/// Adds shapes to operators that have none, and collective sizes to communication kernels that have none.
JoinReport join_execution_trace(const ExecutionTrace& trace, RankBuilder& rank);

} // namespace rankscope
