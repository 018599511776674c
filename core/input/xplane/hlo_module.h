// SPDX-License-Identifier: GPL-3.0-or-later
// What a compiled XLA program (an HloProto in the metadata plane) says of its instructions: shapes, arithmetic,
// collectives and who takes part in them. Fields: openxla/xla, xla/service/hlo.proto, xla/xla_data.proto.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/trace/collective.h"

namespace rankscope {

/// An array; a tuple has its parts.
struct HloShape {
    int element_type = 0; ///< xla::PrimitiveType
    std::vector<std::int64_t> dims;
    std::vector<HloShape> parts;
};
/// "bf16", "f32" …, as HLO text has it; empty for what is no array.
std::string_view hlo_type_word(int element_type);
/// The number of elements, of a tuple all together; kUnknown where it is no plausible count.
std::int64_t element_count(const HloShape& shape);

enum class HloCollective : std::uint8_t {
    none,
    all_reduce,
    all_gather,
    reduce_scatter,
    all_to_all,
    permute,
    broadcast,
    send,
    recv
};

struct HloInstruction {
    std::string_view opcode;
    std::string_view op_name; ///< of the framework: "jit(step)/transformer/dot_general"
    std::vector<HloShape> operands;
    HloShape result;
    std::int64_t flops = kUnknown; ///< of a dot or convolution: 2 for each multiplication and addition
    HloCollective collective = HloCollective::none;
    bool is_start = false; ///< "all-reduce-start": its kernel is the collective
    bool is_done = false;  ///< "all-reduce-done": waits for it
    /// Device ids that take part together, one list a group; empty where the program does not say.
    std::vector<std::vector<int>> groups;
};

/// Instructions of all computations by their names, which are unique in a module. Views of the bytes, which must
/// outlive it; what is damaged is left out.
class HloModule {
public:
    explicit HloModule(std::string_view hlo_proto);
    [[nodiscard]] const HloInstruction* find(std::string_view name) const;
    [[nodiscard]] std::size_t size() const { return instructions_.size(); }

private:
    std::unordered_map<std::string_view, HloInstruction> instructions_;
};

} // namespace rankscope
