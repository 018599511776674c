// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/execution_trace/execution_trace.h"

#include <algorithm>
#include <array>
#include <map>

#include <nlohmann/json.hpp>

#include "core/base/shallow_json.h"
#include "core/input/bytes/byte_source.h"
#include "core/input/format/memory_limit.h"

namespace rankscope {
namespace {

std::int64_t integer(const nlohmann::json& object, const char* key, std::int64_t otherwise) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : otherwise;
}

std::string text(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

/// The attribute of that name, of the schemas that keep them in a list; null otherwise.
const nlohmann::json& attribute(const nlohmann::json& node, std::string_view name) {
    static const nlohmann::json none;
    const auto list = node.find("attrs");
    if (list != node.end() && list->is_array())
        for (const nlohmann::json& entry : *list)
            if (entry.is_object() && text(entry, "name") == name && entry.contains("value"))
                return entry["value"];
    return none;
}

std::int64_t number_of(const nlohmann::json& node, const char* key) {
    const nlohmann::json& value = attribute(node, key);
    return value.is_number_integer() ? value.get<std::int64_t>() : integer(node, key, kUnknown);
}

std::string text_of(const nlohmann::json& node, const char* key) {
    const nlohmann::json& value = attribute(node, key);
    return value.is_string() ? value.get<std::string>() : text(node, key);
}

/// Elements of a tensor of those dimensions; kUnknown for anything else.
std::int64_t elements_of(const nlohmann::json& dims) {
    if (!dims.is_array())
        return kUnknown;
    if (dims.size() == 1 && dims[0].is_array()) // a list of one tensor
        return elements_of(dims[0]);
    std::int64_t elements = 1;
    for (const nlohmann::json& size : dims) {
        constexpr std::int64_t kMost = std::int64_t{1} << 50;
        if (!size.is_number_integer() || size.get<std::int64_t>() < 0 ||
            (size.get<std::int64_t>() > 0 && elements > kMost / size.get<std::int64_t>()))
            return kUnknown;
        elements *= size.get<std::int64_t>();
    }
    return dims.empty() ? kUnknown : elements;
}

std::string inside(std::string_view type, std::string_view word) {
    return type.starts_with(word) && type.size() > word.size() + 1
               ? std::string(type.substr(word.size(), type.size() - word.size() - 1))
               : std::string{};
}

/// "Tensor(float)" -> "float", "Int" -> "Scalar" ...: as Kineto writes types of inputs.
std::string kineto_type(std::string_view type) {
    if (const std::string element = inside(type, "Tensor("); !element.empty())
        return element;
    if (type.starts_with("GenericList[Tensor("))
        return "TensorList";
    if (type.starts_with("GenericList["))
        return "ScalarList";
    static constexpr std::array<std::string_view, 5> scalars{"Int", "Double", "Float", "Bool", "Scalar"};
    return std::ranges::find(scalars, type) != scalars.end() ? "Scalar" : "";
}

/// PyTorch's names of types as collective arguments have them.
std::string collective_dtype(std::string_view type) {
    std::string element = inside(type, "Tensor(");
    if (element.empty() && type.starts_with("GenericList[Tensor("))
        element = std::string(type.substr(19, type.find(')') - 19));
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> names{{{"float", "Float"},
                                                                                          {"double", "Double"},
                                                                                          {"int", "Int"},
                                                                                          {"long int", "Long"},
                                                                                          {"short int", "Short"},
                                                                                          {"c10::Half", "Half"},
                                                                                          {"c10::BFloat16", "BFloat16"},
                                                                                          {"unsigned char", "Byte"},
                                                                                          {"signed char", "Char"},
                                                                                          {"bool", "Bool"}}};
    for (const auto& [theirs, ours] : names)
        if (element == theirs)
            return std::string(ours);
    return element;
}

const nlohmann::json& field(const nlohmann::json& node, const char* group, const char* inner, const char* flat) {
    static const nlohmann::json none;
    if (const auto nested = node.find(group); nested != node.end() && nested->is_object() && nested->contains(inner))
        return (*nested)[inner];
    const auto found = node.find(flat);
    return found != node.end() ? *found : none;
}

void read_inputs(const nlohmann::json& node, ExecutionNode& to) {
    const nlohmann::json& shapes = field(node, "inputs", "shapes", "input_shapes");
    const nlohmann::json& types = field(node, "inputs", "types", "input_types");
    if (!shapes.is_array() || shapes.empty() || !types.is_array())
        return;
    nlohmann::json dims = nlohmann::json::array();
    nlohmann::json kinds = nlohmann::json::array();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const std::string type = i < types.size() && types[i].is_string() ? types[i].get<std::string>() : std::string{};
        kinds.push_back(kineto_type(type));
        dims.push_back(kinds.back() == "ScalarList" ? nlohmann::json::array() : shapes[i]);
    }
    to.shapes = dims.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    to.types = kinds.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void read_collective(const nlohmann::json& node, ExecutionNode& to) {
    NodeCollective collective;
    collective.name = text_of(node, "collective_name");
    collective.in_elements = number_of(node, "in_msg_nelems");
    collective.out_elements = number_of(node, "out_msg_nelems");
    collective.dtype = text_of(node, "dtype");
    collective.group_name = text_of(node, "pg_name");
    collective.group_description = text_of(node, "pg_desc");
    collective.group_size = number_of(node, "pg_size");
    if (collective.name.empty() && to.name.starts_with("nccl:")) {
        // Before 1.1.0 only the tensors tell: the first is what is sent.
        const nlohmann::json& shapes = field(node, "inputs", "shapes", "input_shapes");
        const nlohmann::json& types = field(node, "inputs", "types", "input_types");
        if (!shapes.is_array() || shapes.empty())
            return;
        collective.name = to.name.substr(5);
        collective.in_elements = elements_of(shapes[0]);
        if (types.is_array() && !types.empty() && types[0].is_string())
            collective.dtype = collective_dtype(types[0].get<std::string>());
        static constexpr std::array<std::string_view, 3> equal{"all_reduce", "broadcast", "reduce"};
        if (std::ranges::find(equal, collective.name) != equal.end())
            collective.out_elements = collective.in_elements;
    }
    if (!collective.name.empty())
        to.collective = std::move(collective);
}

/// c10d's calls on one flat tensor take (output, input): what comes out is told only there.
void add_outputs(ExecutionTrace& trace, const nlohmann::json& nodes) {
    std::map<std::int64_t, std::int64_t> out_of_base;
    for (const nlohmann::json& node : nodes) {
        if (!node.is_object() || text(node, "name").find("base_") == std::string::npos ||
            !text(node, "name").starts_with("c10d::"))
            continue;
        const nlohmann::json& shapes = field(node, "inputs", "shapes", "input_shapes");
        if (shapes.is_array() && shapes.size() >= 2 && elements_of(shapes[1]) != kUnknown)
            out_of_base[integer(node, "id", kUnknown)] = elements_of(shapes[0]);
    }
    std::map<std::int64_t, std::int64_t> parent_of;
    for (const ExecutionNode& node : trace.nodes)
        parent_of[node.id] = node.parent;
    for (ExecutionNode& node : trace.nodes) {
        if (!node.collective || node.collective->out_elements != kUnknown)
            continue;
        std::int64_t above = node.parent;
        for (int level = 0; level < 3; ++level) {
            if (const auto base = out_of_base.find(above); base != out_of_base.end()) {
                node.collective->out_elements = base->second;
                break;
            }
            const auto next = parent_of.find(above);
            if (next == parent_of.end())
                break;
            above = next->second;
        }
    }
}

} // namespace

Result<ExecutionTrace> read_execution_trace(const std::filesystem::path& path, const std::stop_token& cancel,
                                            std::uint64_t memory_bytes) {
    constexpr std::uint64_t kParsedShare = 8; // a parsed document takes so many times its text
    auto source = open_byte_source(path);
    if (!source)
        return tl::unexpected(source.error());
    std::string content;
    constexpr std::size_t kStep = 1 << 20;
    for (std::size_t known = 0;; known = content.size()) {
        if (cancel.stop_requested())
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
        content.resize(known + kStep);
        content.resize(known + (*source)->read({content.data() + known, kStep}));
        if (memory_bytes > 0 && content.size() * kParsedShare > memory_bytes)
            return beyond_memory(path, memory_bytes, "%1 bytes of its text"_text(content.size()));
        if (content.size() < known + kStep)
            break;
    }
    const nlohmann::json document = parse_shallow_json<nlohmann::json>(content);
    if (document.is_discarded() || !document.is_object() || !document.contains("nodes") ||
        !document["nodes"].is_array())
        return input_error(
            "%1 is no execution trace, or it is cut off: no list of nodes can be read"_text(path.string()));
    ExecutionTrace trace;
    trace.schema = text(document, "schema");
    for (const nlohmann::json& node : document["nodes"]) {
        ExecutionNode to;
        if (node.is_object()) {
            to.id = integer(node, "id", kUnknown);
            to.name = text(node, "name");
        }
        if (!node.is_object() || to.id < 0 || to.name.empty()) {
            ++trace.left_out;
            continue;
        }
        to.parent = integer(node, "parent", integer(node, "ctrl_deps", 0));
        to.record = number_of(node, "rf_id");
        to.thread = number_of(node, "tid");
        to.sequence = number_of(node, "seq_id");
        read_inputs(node, to);
        read_collective(node, to);
        trace.nodes.push_back(std::move(to));
    }
    add_outputs(trace, document["nodes"]);
    std::ranges::stable_sort(trace.nodes, {}, &ExecutionNode::id);
    return trace;
}

} // namespace rankscope
