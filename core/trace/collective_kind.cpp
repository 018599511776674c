// SPDX-License-Identifier: GPL-3.0-or-later
// Collective kinds by one ordered table of words.
#include "core/trace/collective_kind.h"

#include <algorithm>
#include <array>

#include "core/base/text_match.h"

namespace rankscope {
namespace {

struct KindWord {
    CollectiveKind kind;
    std::string_view word; ///< in the lower-cased name without underscores and hyphens
};

/// First match wins: "reducescatter" before "scatter" before "reduce".
constexpr KindWord kKindWords[] = {
    {CollectiveKind::all_reduce, "allreduce"},
    {CollectiveKind::all_reduce, "crossdevicereduce"},
    {CollectiveKind::all_reduce, "quickreduce"},
    {CollectiveKind::reduce_scatter, "reducescatter"},
    {CollectiveKind::all_gather, "allgather"},
    {CollectiveKind::all_to_all, "alltoall"},
    {CollectiveKind::all_to_all, "deepep"},
    {CollectiveKind::all_to_all, "dpsk::ep"}, // DeepEP as DeepSeek names it
    {CollectiveKind::all_to_all, "a2a"},      // pplx, TensorRT-LLM
    {CollectiveKind::broadcast, "broadcast"},
    {CollectiveKind::barrier, "barrier"},
    {CollectiveKind::send_recv, "sendrecv"},
    {CollectiveKind::send_recv, "collectivepermute"}, // XLA
    {CollectiveKind::scatter, "scatter"},
    {CollectiveKind::gather, "gather"},
    {CollectiveKind::reduce, "reduce"},
    {CollectiveKind::send, "send"},
    {CollectiveKind::recv, "recv"},
};

} // namespace

std::string_view collective_kind_word(CollectiveKind kind) {
    constexpr std::array<std::string_view, kCollectiveKindCount> kWords{
        "AllReduce", "AllGather", "ReduceScatter", "AllToAll", "Broadcast", "Reduce", "Gather",
        "Scatter",   "SendRecv",  "Send",          "Recv",     "Barrier",   "Other"};
    return kWords[static_cast<std::size_t>(kind)];
}

CollectiveKind collective_kind(std::string_view name) {
    std::string plain = lower_case(name.substr(0, name.find('(')));
    std::erase_if(plain, [](char c) { return c == '_' || c == '-'; }); // XLA: "all-gather.1"
    for (const KindWord& entry : kKindWords)
        if (contains(plain, entry.word))
            return entry.kind;
    return CollectiveKind::other;
}

CollectiveKind collective_kind_of(const RankTrace& rank, EventIndex event) {
    if (const CollectiveArgs* args = rank.collective_of(event)) {
        const CollectiveKind kind = collective_kind(rank.names->view(args->collective));
        if (kind != CollectiveKind::other)
            return kind;
    }
    return collective_kind(rank.event_name(event));
}

bool is_message(CollectiveKind kind) {
    return kind == CollectiveKind::send || kind == CollectiveKind::recv || kind == CollectiveKind::send_recv;
}

int dtype_bytes(std::string_view dtype) {
    using namespace std::string_view_literals;
    constexpr std::pair<std::string_view, int> kSizes[] = {
        {"Float"sv, 4},  {"Int"sv, 4},  {"Long"sv, 8}, {"BFloat16"sv, 2}, {"Half"sv, 2},
        {"Double"sv, 8}, {"Byte"sv, 1}, {"Char"sv, 1}, {"Bool"sv, 1},     {"Short"sv, 2}};
    for (const auto& [name, bytes] : kSizes)
        if (dtype == name)
            return bytes;
    return dtype.starts_with("Float8") ? 1 : 0;
}

} // namespace rankscope
