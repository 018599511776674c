// SPDX-License-Identifier: GPL-3.0-or-later
// What a compiled XLA program (an HloProto in the metadata plane) says of its instructions: shapes, arithmetic,
// collectives and who takes part in them. Fields: openxla/xla, xla/service/hlo.proto, xla/xla_data.proto.
#pragma once
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/seeded_hash.h"
#include "core/trace/collective.h"

namespace rankscope {

/// An array; a tuple has its parts.
struct HloShape {
    int element_type = 0; ///< xla::PrimitiveType
    std::vector<std::int64_t> dims;
    std::vector<HloShape> parts;
    std::int64_t elements = 0; ///< of a tuple those of all parts together; kUnknown where it is no plausible count
};
/// "bf16", "f32" …, as HLO text has it; empty for what is no array.
std::string_view hlo_type_word(int element_type);
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
    std::string_view op_name;                              ///< of the framework: "jit(step)/transformer/dot_general"
    std::vector<std::shared_ptr<const HloShape>> operands; ///< results of other instructions
    std::shared_ptr<const HloShape> result;
    std::int64_t flops = kUnknown; ///< of a dot or convolution: 2 for each multiplication and addition
    HloCollective collective = HloCollective::none;
    bool is_start = false; ///< "all-reduce-start": its kernel is the collective
    bool is_done = false;  ///< "all-reduce-done": waits for it
    /// Device ids that take part together, one list a group; empty where the program does not say.
    std::vector<std::vector<int>> groups;
};

/// How many device ids may be made of all programs of a file together: a few bytes may stand for a million of them.
struct HloAllowance {
    explicit HloAllowance(std::size_t file_bytes) : ids(kIds + kIdsAByte * file_bytes) {}
    /// False: they are too many.
    bool take(std::size_t more) {
        if (more > ids)
            return false;
        ids -= more;
        return true;
    }
    static constexpr std::size_t kIds = 1u << 22;
    static constexpr std::size_t kIdsAByte = 8;
    std::size_t ids;
};

/// Instructions of all computations by their names, which are unique in a module. Views of the bytes, which must
/// outlive it; what is damaged is left out.
class HloModule {
public:
    explicit HloModule(std::string_view hlo_proto);
    /// A collective that needs more than what is left of the allowance has no groups. Ends early when asked to stop.
    HloModule(std::string_view hlo_proto, HloAllowance& allowance, const std::stop_token& cancel = {});
    [[nodiscard]] const HloInstruction* find(std::string_view name) const;
    [[nodiscard]] std::size_t size() const { return instructions_.size(); }

private:
    TextMap<std::string_view, HloInstruction> instructions_;
};

} // namespace rankscope
