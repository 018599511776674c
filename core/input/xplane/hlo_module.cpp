// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/xplane/hlo_module.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/seeded_hash.h"
#include "core/input/xplane/wire.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

constexpr int kMostNesting = 8;            ///< of tuples
constexpr std::size_t kMostDims = 64;      ///< of an array
constexpr std::size_t kIdsOfGroup = 8;     ///< as large as a list is without ids
constexpr std::size_t kMostIotaDims = 20;  ///< as 2^20 ids have at most 20 factors
constexpr std::size_t kMostIds = 1u << 20; ///< in the groups of one collective
constexpr std::int64_t kMostWork = 1ll << 62;

/// The product, or nothing where it is negative or too large to be one.
std::optional<std::int64_t> times(std::int64_t a, std::int64_t b) {
    if (a < 0 || b < 0 || (b != 0 && a > kMostWork / b))
        return {};
    return a * b;
}

/// That of its parts is known.
std::int64_t element_count(const HloShape& shape) {
    std::int64_t count = 0;
    if (!hlo_type_word(shape.element_type).empty()) {
        count = 1;
        for (const std::int64_t dim : shape.dims) {
            const auto next = times(count, dim);
            if (!next || *next > kMostCounted)
                return kUnknown;
            count = *next;
        }
    }
    for (const HloShape& part : shape.parts) {
        if (part.elements == kUnknown || count + part.elements > kMostCounted)
            return kUnknown;
        count += part.elements;
    }
    return count;
}

HloShape shape_of(std::string_view bytes, int depth = 0) {
    HloShape shape;
    for (WireReader fields(bytes); fields.next();)
        if (fields.is_number(2))
            shape.element_type = static_cast<int>(fields.integer());
        else if (fields.field() == 3)
            for_each_number(fields, [&](std::int64_t dim) {
                if (shape.dims.size() < kMostDims)
                    shape.dims.push_back(dim);
            });
        else if (fields.is_bytes(4) && depth < kMostNesting)
            shape.parts.push_back(shape_of(fields.bytes(), depth + 1));
    shape.elements = element_count(shape);
    return shape;
}

using Ids = std::vector<std::int64_t>;

Ids ids_of(const WireReader& field) {
    Ids ids;
    for_each_number(field, [&](std::int64_t id) {
        if (ids.size() < kMostIds)
            ids.push_back(id);
    });
    return ids;
}

/// An instruction as the file has it, before references are followed.
struct RawInstruction {
    std::string_view name;
    std::int64_t id = 0;
    HloInstruction instruction;
    Ids operand_ids;
    Ids called_computations;
    Ids lhs_contracting; ///< of a dot
    Ids kernel_spatial;  ///< of a convolution: dimensions of the second operand
    std::int64_t kernel_input_feature = 0;
    bool is_convolution = false;
    bool is_dot = false;
    bool has_channel = false;
    bool global_ids = false;
    std::vector<Ids> replica_groups;
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs; ///< source, target
    std::string_view custom_call_target;
    std::string_view backend_config;
};

/// Groups written as a range of numbers that is reshaped and transposed, then cut into groups.
std::vector<Ids> iota_groups(std::string_view bytes, HloAllowance& allowance) {
    std::int64_t groups = 0, size = 0;
    Ids dims, order;
    for (WireReader fields(bytes); fields.next();)
        if (fields.is_number(1))
            groups = fields.integer();
        else if (fields.is_number(2))
            size = fields.integer();
        else if (fields.field() == 3)
            dims = ids_of(fields);
        else if (fields.field() == 4)
            order = ids_of(fields);
    const auto count = times(groups, size);
    if (!count || *count == 0 || *count > static_cast<std::int64_t>(kMostIds) || dims.size() > kMostIotaDims)
        return {};
    if (dims.empty())
        dims = {*count};
    if (order.empty()) {
        order.resize(dims.size());
        std::iota(order.begin(), order.end(), 0);
    }
    std::int64_t product = 1;
    for (const std::int64_t dim : dims) {
        const auto next = times(product, dim);
        if (!next)
            return {};
        product = *next;
    }
    Ids sorted = order;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i)
        if (sorted[i] != static_cast<std::int64_t>(i))
            return {};
    if (product != *count || order.size() != dims.size() || !allowance.take(static_cast<std::size_t>(*count)))
        return {};
    Ids strides(dims.size(), 1);
    for (std::size_t i = dims.size() - 1; i > 0; --i)
        strides[i - 1] = strides[i] * dims[i];
    std::vector<Ids> result(static_cast<std::size_t>(groups));
    Ids at(dims.size(), 0); // in the transposed order
    for (std::int64_t i = 0; i < *count; ++i) {
        std::int64_t id = 0;
        for (std::size_t d = 0; d < dims.size(); ++d)
            id += at[d] * strides[static_cast<std::size_t>(order[d])];
        result[static_cast<std::size_t>(i / size)].push_back(id);
        for (std::size_t d = dims.size(); d-- > 0;) {
            if (++at[d] < dims[static_cast<std::size_t>(order[d])])
                break;
            at[d] = 0;
        }
    }
    return result;
}

Ids group_ids(std::string_view bytes) {
    Ids ids;
    for (WireReader fields(bytes); fields.next();)
        if (fields.field() == 1)
            for (const std::int64_t id : ids_of(fields))
                ids.push_back(id);
    return ids;
}

struct Opcode {
    HloCollective collective = HloCollective::none;
    bool is_start = false;
    bool is_done = false;
};

Opcode collective_of(std::string_view opcode) {
    Opcode result;
    if (opcode.ends_with("-start")) {
        result.is_start = true;
        opcode.remove_suffix(6);
    } else if (opcode.ends_with("-done")) {
        result.is_done = true;
        opcode.remove_suffix(5);
    }
    static constexpr auto kOpcodes = std::to_array<std::pair<std::string_view, HloCollective>>({
        {"all-reduce", HloCollective::all_reduce},
        {"all-gather", HloCollective::all_gather},
        {"reduce-scatter", HloCollective::reduce_scatter},
        {"all-to-all", HloCollective::all_to_all},
        {"ragged-all-to-all", HloCollective::all_to_all},
        {"collective-permute", HloCollective::permute},
        {"collective-broadcast", HloCollective::broadcast},
        {"send", HloCollective::send},
        {"recv", HloCollective::recv},
    });
    const auto found = std::ranges::find(kOpcodes, opcode, &std::pair<std::string_view, HloCollective>::first);
    result.collective = found == kOpcodes.end() ? HloCollective::none : found->second;
    return result;
}

void read_metadata(std::string_view bytes, RawInstruction& to) {
    for (WireReader fields(bytes); fields.next();)
        if (fields.is_bytes(2) && !fields.cut())
            to.instruction.op_name = fields.bytes();
}

RawInstruction instruction_of(std::string_view bytes, HloAllowance& allowance) {
    static const auto no_shape = std::make_shared<const HloShape>();
    RawInstruction raw;
    raw.instruction.result = no_shape;
    WireReader fields(bytes);
    while (fields.next()) {
        if (fields.cut())
            break;
        const std::string_view value = fields.bytes();
        switch (fields.field()) {
        case 1: raw.name = value; break;
        case 2: raw.instruction.opcode = value; break;
        case 3: raw.instruction.result = std::make_shared<const HloShape>(shape_of(value)); break;
        case 7: read_metadata(value, raw); break;
        case 16:
            raw.is_convolution = true;
            for (WireReader numbers(value); numbers.next();)
                if (numbers.is_number(3))
                    raw.kernel_input_feature = numbers.integer();
                else if (numbers.field() == 6)
                    raw.kernel_spatial = ids_of(numbers);
            break;
        case 26: raw.has_channel = fields.integer() > 0; break;
        case 28: raw.custom_call_target = value; break;
        case 30:
            raw.is_dot = true;
            for (WireReader numbers(value); numbers.next();)
                if (numbers.field() == 1)
                    raw.lhs_contracting = ids_of(numbers);
            break;
        case 35: raw.id = fields.integer(); break;
        case 36: raw.operand_ids = ids_of(fields); break;
        case 38: raw.called_computations = ids_of(fields); break;
        case 43: raw.backend_config = value; break;
        case 49: raw.replica_groups.push_back(group_ids(value)); break;
        case 52: {
            std::pair<std::int64_t, std::int64_t> pair;
            for (WireReader ends(value); ends.next();)
                if (ends.is_number(1))
                    pair.first = ends.integer();
                else if (ends.is_number(2))
                    pair.second = ends.integer();
            if (raw.pairs.size() < kMostIds)
                raw.pairs.push_back(pair);
            break;
        }
        case 71: raw.global_ids = fields.integer() != 0; break;
        case 87:
            for (WireReader list(value); list.next();)
                if (list.is_bytes(1) && raw.replica_groups.size() < kMostIds)
                    raw.replica_groups.push_back(group_ids(list.bytes()));
                else if (list.is_bytes(2))
                    raw.replica_groups = iota_groups(list.bytes(), allowance);
            break;
        default: break;
        }
    }
    return raw;
}

/// Which device runs which replica and partition of the program.
struct DeviceAssignment {
    std::int64_t replicas = 0;
    std::int64_t partitions = 0;
    std::vector<Ids> devices; ///< [partition][replica]; empty where not written

    [[nodiscard]] int device(std::int64_t replica, std::int64_t partition) const {
        std::int64_t id = -1;
        if (devices.empty())
            id = replica * std::max<std::int64_t>(1, partitions) + partition;
        else if (partition >= 0 && static_cast<std::size_t>(partition) < devices.size() && replica >= 0 &&
                 static_cast<std::size_t>(replica) < devices[static_cast<std::size_t>(partition)].size())
            id = devices[static_cast<std::size_t>(partition)][static_cast<std::size_t>(replica)];
        return id >= 0 && id < kMostRanks ? static_cast<int>(id) : -1;
    }
};

DeviceAssignment assignment_of(std::string_view bytes) {
    DeviceAssignment assignment;
    for (WireReader fields(bytes); fields.next();)
        if (fields.is_number(1))
            assignment.replicas = fields.integer();
        else if (fields.is_number(2))
            assignment.partitions = fields.integer();
        else if (fields.is_bytes(3))
            assignment.devices.push_back(group_ids(fields.bytes()));
    if (!assignment.devices.empty()) {
        assignment.partitions = static_cast<std::int64_t>(assignment.devices.size());
        assignment.replicas = static_cast<std::int64_t>(assignment.devices.front().size());
    }
    const auto count = times(assignment.replicas, assignment.partitions);
    if (!count || *count > static_cast<std::int64_t>(kMostIds))
        return {};
    return assignment;
}

/// Devices by group. What the ids of a group mean follows from the channel and from use_global_device_ids
/// (CollectiveOpGroupMode in xla_data.proto).
std::vector<std::vector<int>> groups_of(HloCollective kind, const RawInstruction& raw,
                                        const DeviceAssignment& assignment, HloAllowance& allowance) {
    const std::size_t ids_of_raw =
        std::transform_reduce(raw.replica_groups.begin(), raw.replica_groups.end(), raw.pairs.size(), std::plus<>(),
                              [](const Ids& ids) { return ids.size() + kIdsOfGroup; });
    if (!allowance.take(ids_of_raw))
        return {};
    std::vector<Ids> groups = raw.replica_groups;
    std::erase_if(groups, [](const Ids& ids) { return ids.empty(); });
    const bool partition_ids =
        raw.has_channel && !raw.global_ids &&
        (kind == HloCollective::all_to_all || kind == HloCollective::permute || kind == HloCollective::broadcast);
    const std::int64_t replicas = std::max<std::int64_t>(1, assignment.replicas);
    const std::int64_t partitions = std::max<std::int64_t>(1, assignment.partitions);
    if (kind == HloCollective::permute && !raw.pairs.empty()) {
        // Those who exchange something, directly or through others, are one group.
        NumberMap<std::int64_t, std::int64_t> parent;
        const auto root = [&](std::int64_t id) {
            parent.try_emplace(id, id);
            while (parent[id] != id)
                id = parent[id] = parent[parent[id]];
            return id;
        };
        for (const auto& [source, target] : raw.pairs)
            parent[root(source)] = root(target);
        std::vector<std::int64_t> ids;
        for (const auto& [id, unused] : parent)
            ids.push_back(id);
        std::ranges::sort(ids);
        NumberMap<std::int64_t, std::size_t> place;
        groups.clear();
        for (const std::int64_t id : ids) {
            const auto [known, added] = place.try_emplace(root(id), groups.size());
            if (added)
                groups.emplace_back();
            groups[known->second].push_back(id);
        }
    }
    if (groups.empty()) { // all replicas, or all partitions
        const std::int64_t all = raw.global_ids ? replicas * partitions : partition_ids ? partitions : replicas;
        if (!allowance.take(static_cast<std::size_t>(all)))
            return {};
        groups.emplace_back(static_cast<std::size_t>(all));
        std::iota(groups.front().begin(), groups.front().end(), 0);
    }
    std::vector<std::vector<int>> result;
    // Of ids that are devices, or the devices of each id in each of the places.
    const auto add = [&](const Ids& ids, std::int64_t places, const auto& device) {
        const auto size = times(static_cast<std::int64_t>(ids.size()), places);
        if (!size || *size > static_cast<std::int64_t>(kMostIds) ||
            !allowance.take(static_cast<std::size_t>(*size) + kIdsOfGroup))
            return false;
        std::vector<int>& group = result.emplace_back();
        group.reserve(static_cast<std::size_t>(*size));
        for (const std::int64_t id : ids)
            for (std::int64_t place = 0; place < places; ++place)
                group.push_back(device(id, place));
        return true;
    };
    for (const Ids& ids : groups) {
        bool fits = true;
        if (raw.global_ids) {
            fits = add(
                ids, 1,
                [&](std::int64_t id, std::int64_t) {
                    return id < 0 ? -1 : assignment.device(id / partitions, id % partitions);
                });
        } else if (partition_ids || (kind == HloCollective::permute && raw.has_channel)) {
            for (std::int64_t replica = 0; replica < replicas && fits; ++replica)
                fits = add(
                    ids, 1, [&](std::int64_t id, std::int64_t) { return assignment.device(replica, id); });
        } else if (raw.has_channel) { // replicas of the list with all their partitions
            fits = add(
                ids, partitions,
                [&](std::int64_t id, std::int64_t partition) { return assignment.device(id, partition); });
        } else {
            for (std::int64_t partition = 0; partition < partitions && fits; ++partition)
                fits = add(
                    ids, 1, [&](std::int64_t id, std::int64_t) { return assignment.device(id, partition); });
        }
        if (!fits)
            return {};
    }
    for (std::vector<int>& group : result) {
        std::ranges::sort(group);
        group.erase(std::ranges::unique(group).begin(), group.end());
        if (group.empty() || group.front() < 0) // a device that nobody knows
            return {};
    }
    return result;
}

/// Of ["1","2"] behind a key of a JSON text; numbers may be texts, as protobuf's JSON has 64-bit numbers.
Ids numbers_behind(std::string_view json, std::string_view key) {
    const std::size_t at = json.find(key);
    const std::size_t open = at == std::string_view::npos ? at : json.find('[', at + key.size());
    const std::size_t close = open == std::string_view::npos ? open : json.find(']', open);
    Ids ids;
    if (close == std::string_view::npos)
        return ids;
    std::int64_t number = -1;
    for (const char c : json.substr(open, close - open + 1)) {
        if (c >= '0' && c <= '9') {
            number = std::min<std::int64_t>(std::max<std::int64_t>(number, 0) * 10 + (c - '0'), 1 << 20);
        } else if (number >= 0) {
            ids.push_back(number);
            number = -1;
        }
    }
    return ids;
}

/// 2 · elements of the result · elements multiplied for each of them.
std::int64_t flops_of(const RawInstruction& raw) {
    const auto& [result, operands] = std::tie(raw.instruction.result, raw.instruction.operands);
    if (operands.size() < 2)
        return kUnknown;
    std::optional<std::int64_t> work = (result->parts.empty() ? *result : result->parts.front()).elements;
    if (*work == kUnknown)
        return kUnknown;
    const auto multiply = [&](const HloShape& operand, const Ids& dims) {
        for (const std::int64_t dim : dims) {
            const bool there = dim >= 0 && static_cast<std::size_t>(dim) < operand.dims.size();
            work = there && work ? times(*work, operand.dims[static_cast<std::size_t>(dim)]) : std::nullopt;
        }
    };
    const std::string_view target = raw.custom_call_target;
    if (target.starts_with("__cublas$") || target.starts_with("__triton_gemm") || target.starts_with("__cudnn$dot")) {
        const Ids contracting = numbers_behind(raw.backend_config, "\"lhs_contracting_dimensions\"");
        if (contracting.empty())
            return kUnknown;
        multiply(*operands[0], contracting);
    } else if (raw.is_convolution && (target.empty() || target.starts_with("__cudnn$convForward") ||
                                      target.starts_with("__cudnn$convBiasActivationForward"))) {
        multiply(*operands[1], raw.kernel_spatial);
        multiply(*operands[1], {raw.kernel_input_feature}); // of one group
    } else if (raw.is_dot && raw.instruction.opcode == "dot") {
        multiply(*operands[0], raw.lhs_contracting);
    } else {
        return kUnknown;
    }
    work = work ? times(*work, 2) : work;
    return work.value_or(kUnknown);
}

} // namespace

std::string_view hlo_type_word(int element_type) {
    switch (element_type) {
    case 1: return "pred";
    case 2: return "s8";
    case 3: return "s16";
    case 4: return "s32";
    case 5: return "s64";
    case 6: return "u8";
    case 7: return "u16";
    case 8: return "u32";
    case 9: return "u64";
    case 10: return "f16";
    case 11: return "f32";
    case 12: return "f64";
    case 15: return "c64";
    case 16: return "bf16";
    case 18: return "c128";
    case 19: return "f8e5m2";
    case 20: return "f8e4m3fn";
    case 21: return "s4";
    case 22: return "u4";
    case 23: return "f8e4m3b11fnuz";
    case 24: return "f8e5m2fnuz";
    case 25: return "f8e4m3fnuz";
    case 26: return "s2";
    case 27: return "u2";
    case 28: return "f8e4m3";
    case 29: return "f8e3m4";
    case 30: return "s1";
    case 31: return "u1";
    case 32: return "f4e2m1fn";
    case 33: return "f8e8m0fnu";
    default: return {};
    }
}

HloModule::HloModule(std::string_view hlo_proto) {
    HloAllowance allowance(hlo_proto.size());
    *this = HloModule(hlo_proto, allowance);
}

HloModule::HloModule(std::string_view hlo_proto, HloAllowance& allowance, const std::stop_token& cancel) {
    std::vector<RawInstruction> all;
    NumberMap<std::int64_t, std::size_t> collective_of_computation; // the last one in it
    DeviceAssignment assignment;
    for (WireReader proto(hlo_proto); proto.next();) {
        if (!proto.is_bytes(1))
            continue;
        for (WireReader module(proto.bytes()); module.next();) {
            if (cancel.stop_requested())
                return;
            if (module.is_bytes(15))
                assignment = assignment_of(module.bytes());
            if (!module.is_bytes(3))
                continue;
            std::int64_t computation = 0;
            const std::size_t first = all.size();
            for (WireReader fields(module.bytes()); fields.next() && !cancel.stop_requested();)
                if (fields.is_bytes(2) && !fields.cut())
                    all.push_back(instruction_of(fields.bytes(), allowance));
                else if (fields.is_number(5))
                    computation = fields.integer();
            for (std::size_t i = first; i < all.size(); ++i)
                if (collective_of(all[i].instruction.opcode).collective != HloCollective::none)
                    collective_of_computation[computation] = i;
        }
    }
    NumberMap<std::int64_t, std::size_t> by_id;
    for (std::size_t i = 0; i < all.size(); ++i)
        by_id.emplace(all[i].id, i);
    for (RawInstruction& raw : all) {
        if (cancel.stop_requested())
            return;
        HloInstruction& instruction = raw.instruction;
        Opcode opcode = collective_of(instruction.opcode);
        const RawInstruction* collective = &raw;
        // What is started may be a computation of its own, with the collective in it.
        if (instruction.opcode == "async-start" || instruction.opcode == "async-done")
            for (const std::int64_t called : raw.called_computations)
                if (const auto found = collective_of_computation.find(called); found != collective_of_computation.end())
                    collective = &all[found->second];
        if (collective != &raw)
            opcode.collective = collective_of(collective->instruction.opcode).collective;
        instruction.collective = opcode.collective;
        instruction.is_start = opcode.is_start;
        instruction.is_done = opcode.is_done;
        for (const std::int64_t id : raw.operand_ids)
            if (const auto operand = by_id.find(id); operand != by_id.end())
                instruction.operands.push_back(all[operand->second].instruction.result);
        instruction.flops = flops_of(raw);
        if (instruction.collective != HloCollective::none && !instruction.is_done &&
            instruction.collective != HloCollective::send && instruction.collective != HloCollective::recv)
            instruction.groups = groups_of(instruction.collective, *collective, assignment, allowance);
    }
    for (RawInstruction& raw : all)
        instructions_.emplace(raw.name, std::move(raw.instruction));
}

const HloInstruction* HloModule::find(std::string_view name) const {
    const auto found = instructions_.find(name);
    return found == instructions_.end() ? nullptr : &found->second;
}

} // namespace rankscope
