// SPDX-License-Identifier: GPL-3.0-or-later
// The rank that the name of a file or of its folders speaks of. Most numbers in names are no ranks: process ids, times,
// versions, and the ranks of LoRA's matrices are not.
#pragma once
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rankscope {

/// The number behind a word, which may be parted from it by '-', '_', '=' or a bracket: "rank-3" and "rank[3]" -> 3.
/// The last place counts. The rank of an adapter's matrices ("lora_rank8", "rank16_alpha32") is none.
std::optional<int> number_behind(std::string_view text, std::string_view word);

/// The rank a path speaks of ("rank3_trace.json", "rank-3/trace.json", "worker3.…pt.trace.json",
/// "kineto_trace_3.json"): by its file name, else by the nearest folder's. processes: ids of those in the file, which
/// are no ranks.
std::optional<int> rank_in_path(const std::filesystem::path& path, std::span<const std::string> processes = {});

/// The same where a word says that it is a rank's ("rank", "worker", "kineto_trace"); a number alone does not.
std::optional<int> rank_told_in_path(const std::filesystem::path& path, std::span<const std::string> processes = {});

/// Of the file's name alone.
std::optional<int> rank_told_in_name(const std::filesystem::path& path, std::span<const std::string> processes = {});

/// What wrote the file, as PyTorch names it: "HOST_PID" of "HOST_PID.TIME.pt.trace.json". Empty: it has another name.
/// Files of one name are recorded by one process, one after the other.
std::string recorder_in_name(const std::filesystem::path& path);

/// The parts that names of one kind differ in: "node0/dp1_rank3.json" -> node, 0, /, dp, 1, _, rank, 3, ....
std::vector<std::string> name_parts(std::string_view path);

/// Whether a folder is named after an instance of a service that prefills, or that decodes: "prefill", "decode-1".
bool names_an_instance(std::string_view folder);

} // namespace rankscope
