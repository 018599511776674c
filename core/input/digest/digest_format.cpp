// SPDX-License-Identifier: GPL-3.0-or-later
// Digests (docs/large-runs.md) among the formats.
#include <filesystem>
#include <memory>
#include <optional>

#include "core/input/digest/trace_file.h"
#include "core/input/format/memory_limit.h"
#include "core/input/format/trace_format.h"

namespace rankscope {
namespace {

bool is_digest_name(std::string_view name) { return name.ends_with(".digest"); }

Result<std::optional<FilePeek>> peek_digest_file(const FileStart& file) {
    const std::filesystem::path& path = file.path();
    if (!is_section_file(path))
        return std::nullopt;
    const auto peeked = peek_trace_file(path, TraceFileKind::digest);
    if (!peeked)
        return tl::unexpected(peeked.error());
    FilePeek result;
    if (peeked->rank >= 0)
        result.rank = peeked->rank;
    if (peeked->world_size > 0)
        result.world_size = peeked->world_size;
    return result;
}

Result<RankTraces> read_digest_file(const std::filesystem::path& path, const std::shared_ptr<StringTable>& names,
                                    const ReadOptions& options) {
    auto file = read_trace_file(path, TraceFileKind::digest, names);
    if (!file)
        return tl::unexpected(file.error());
    if (options.memory_bytes > 0 && file->trace->memory_bytes() > options.memory_bytes)
        return beyond_memory(path, options.memory_bytes, "%1 events"_text(file->trace->events.size()));
    if (options.on_bytes) {
        std::error_code error;
        const auto bytes = std::filesystem::file_size(path, error);
        options.on_bytes(error ? 0 : bytes);
    }
    return RankTraces{std::move(file->trace)};
}

} // namespace

TraceFormat digest_format();
TraceFormat digest_format() {
    return {TraceSource::digest, "digests", is_digest_name, peek_digest_file, read_digest_file};
}

} // namespace rankscope
