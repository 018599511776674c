// SPDX-License-Identifier: GPL-3.0-or-later
// What every file that is no trace must keep to: workload cards, TOML, serving results, gating logs, the user's
// metrics, settings, sessions. Whoever reads such a file reads it by these functions. A file beyond the bounds is
// refused as a whole, with the reason, before anything is made of it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/base/notice.h"

namespace YAML {
class Node;
}

namespace rankscope {

/// Far more than people write. All together keep what is made of a file below 64 MB.
struct ConfigBounds {
    std::uint64_t bytes = 512u << 10;
    std::size_t nodes = 20'000; ///< values, names and lists; of YAML with all aliases written out
    int depth = 32;             ///< lists and tables inside each other, or dots in a name
};

/// "512 KB", "16 MB"
std::string bound_text(std::uint64_t bytes);

/// The content of a regular file of at most so many bytes. A FIFO, a device or a socket is refused without waiting for
/// it; a file that grows meanwhile is not followed.
Result<std::string> read_bounded_file(const std::filesystem::path& path,
                                      std::uint64_t most_bytes = ConfigBounds().bytes);

/// YAML::Load within the bounds. Throws YAML::Exception where the text is no YAML, as YAML::Load does.
Result<YAML::Node> load_bounded_yaml(const std::string& text, const ConfigBounds& bounds = {});

/// Why the text must not be given to a parser of TOML, which would recurse; nothing when it may.
Message toml_excess(std::string_view text, const ConfigBounds& bounds = {});

/// One JSON document within the bounds, as Python writes it too (python_json.h); a discarded value where the text is
/// none.
Result<nlohmann::json> parse_bounded_json(std::string_view text, const ConfigBounds& bounds = {});

} // namespace rankscope
