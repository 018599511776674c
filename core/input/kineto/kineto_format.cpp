// SPDX-License-Identifier: GPL-3.0-or-later
// Kineto JSON among the formats.
#include <filesystem>
#include <memory>
#include <optional>

#include "core/input/kineto/kineto_reader.h"

namespace rankscope {
namespace {

bool is_kineto_name(std::string_view name) {
    // Results and logs that inference and gating benchmarks leave beside the traces.
    if (name.ends_with(".latency.json") || name.starts_with("gate_logs"))
        return false;
    return is_json_name(name) || name.ends_with(".gz") || name.ends_with(".zst");
}

Result<std::optional<FilePeek>> peek_kineto_file(const FileStart& file) {
    const auto peeked = peek_kineto(file);
    if (!peeked)
        return tl::unexpected(peeked.error());
    if (peeked->kind != KinetoPeek::Kind::kineto)
        return std::nullopt;
    FilePeek peek;
    peek.rank = peeked->rank;
    peek.world_size = peeked->world_size;
    if (!peeked->process.empty())
        peek.processes = {peeked->process};
    peek.start = peeked->start;
    peek.merged_by = peeked->merged_by;
    return peek;
}

Result<RankTraces> read_kineto_file(const std::filesystem::path& path, const std::shared_ptr<StringTable>& names,
                                    const ReadOptions& options) {
    auto rank = read_kineto(path, names, options);
    if (!rank)
        return tl::unexpected(rank.error());
    return RankTraces{std::move(*rank)};
}

} // namespace

TraceFormat kineto_format();
TraceFormat kineto_format() {
    return {TraceSource::kineto, "Kineto traces", is_kineto_name, peek_kineto_file, read_kineto_file};
}

} // namespace rankscope
