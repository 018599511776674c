// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/nsys/nsys_rep.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "core/base/temporary_folder.h"
#include "core/base/user_folders.h"
#include "core/base/whole_file.h"
#include "core/input/bytes/child_process.h"
#include "core/input/nsys/nsys_reader.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

bool is_report_name(std::string_view name) { return name.ends_with(".nsys-rep") || name.ends_with(".qdrep"); }

Result<std::optional<FilePeek>> peek_report_file(const FileStart& start) {
    const fs::path& path = start.path();
    constexpr std::string_view kMagic = "NVIDIA Tegra Profiler Report";
    std::array<char, 256> beginning{};
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return input_error("%1 cannot be opened"_text(path.string()));
    file.read(beginning.data(), beginning.size());
    const std::string_view text(beginning.data(), static_cast<std::size_t>(file.gcount()));
    const bool is_report =
        text.find(kMagic) != std::string_view::npos || (is_report_name(path.filename().string()) && !text.empty());
    return is_report ? std::optional<FilePeek>(FilePeek{}) : std::nullopt;
}

/// Single quotes around what a shell would take apart, so that the command can be pasted.
std::string shell_word(const std::string& word) {
    const bool plain =
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=,@%") ==
        std::string::npos;
    if (plain && !word.empty())
        return word;
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::vector<std::string> export_arguments(const fs::path& report, const fs::path& target) {
    return {"export", "--type",   "sqlite",        "--force-overwrite",
            "true",   "--output", target.string(), fs::absolute(report).string()};
}

/// The last line that says something.
std::string last_words(const std::string& output) {
    std::string last;
    std::size_t at = 0;
    while (at < output.size()) {
        const std::size_t end = std::min(output.find_first_of("\r\n", at), output.size());
        const std::string line = output.substr(at, end - at);
        if (line.find_first_not_of(" \t.") != std::string::npos)
            last = line;
        at = end + 1;
    }
    return last.empty() ? "it said nothing" : last;
}

/// "Processing 100 events: [====  42%" -> 42.
std::optional<int> percent_in(std::string_view text) {
    const std::size_t sign = text.rfind('%');
    if (sign == std::string_view::npos || sign == 0)
        return {};
    std::size_t begin = sign;
    while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9')
        --begin;
    int percent = 0;
    const auto [end, error] = std::from_chars(text.data() + begin, text.data() + sign, percent);
    return error == std::errc{} && percent <= 100 ? std::optional(percent) : std::nullopt;
}

/// The same in every process.
std::uint64_t lasting_hash(std::string_view text) {
    std::uint64_t hash = text.size();
    const auto mix = [&](std::uint64_t word) {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 32;
    };
    std::uint64_t word = 0;
    while (text.size() >= 8) {
        std::memcpy(&word, text.data(), 8);
        mix(word);
        text.remove_prefix(8);
    }
    word = 0;
    if (!text.empty())
        std::memcpy(&word, text.data(), text.size());
    mix(word);
    return hash;
}

/// What goes into the name of the cached export: another file, or the same one changed, is another export.
std::string identity_of(const fs::path& report) {
    std::error_code error;
    const auto size = fs::file_size(report, error);
    const auto age = fs::last_write_time(report, error).time_since_epoch().count();
    const std::string key = fmt::format("{}\n{}\n{}", fs::weakly_canonical(report, error).string(), size, age);
    return fmt::format("{:016x}{:016x}", lasting_hash(key), lasting_hash(key + "\nrankscope"));
}

/// Where the export is written, in a folder that only this process knows. Without a cache it stays there while it is
/// read.
Result<fs::path> exported(const fs::path& nsys, const fs::path& report, const TemporaryFolder& folder,
                          const ReadOptions& options) {
    std::error_code error;
    if (folder.path().empty())
        return input_error("%1 cannot be exported: no folder can be made for the export"_text(report.string()));
    const fs::path target = folder.path() / "export.sqlite";
    const std::uint64_t bytes = fs::file_size(report, error);
    std::uint64_t reported = 0;
    // The export is taken for three quarters of the work.
    const auto progress = [&](std::string_view text) {
        const auto percent = percent_in(text);
        const std::uint64_t reached = bytes / 100 * static_cast<std::uint64_t>(percent.value_or(0)) * 3 / 4;
        if (options.on_bytes && reached > reported) {
            options.on_bytes(reached - reported);
            reported = reached;
        }
    };
    const auto ran = run_program(nsys, export_arguments(report, target), options.cancel, progress);
    if (!ran)
        return tl::unexpected(ran.error());
    if (ran->exit_code != 0 || !fs::is_regular_file(fs::symlink_status(target, error)))
        return input_error("%1 cannot export %2 (exit code %3): %4"_text(nsys.string(), report.string(), ran->exit_code,
                                                                         last_words(ran->output)));
    return target;
}

/// Exports beside the copy that is kept, and renames: whoever looks finds a whole export or none.
Result<void> make_export(const fs::path& nsys, const fs::path& report, const fs::path& target,
                         const ReadOptions& options) {
    std::error_code error;
    fs::create_directories(target.parent_path(), error);
    if (error)
        return input_error("%1 cannot be exported: the cache folder %2 cannot be created: %3"_text(
            report.string(), target.parent_path().string(), error.message()));
    const TemporaryFolder folder(target.parent_path(), "unfinished");
    const auto made = exported(nsys, report, folder, options);
    if (!made)
        return tl::unexpected<Error>(made.error());
    if (const auto kept = replace_file(*made, target); !kept)
        return input_error("the export of %1 cannot be kept: %2"_text(report.string(), kept.error().message));
    return {};
}

} // namespace

fs::path find_nsys() {
    if (const fs::path found = find_on_path("nsys"); !found.empty())
        return found;
    // /opt/nvidia/nsight-systems/2025.5.2/bin/nsys, /opt/nvidia/nsight-systems-cli/…,
    // /opt/nvidia/nsight-systems-2024.1/bin/nsys
    std::vector<fs::path> candidates;
    std::error_code error;
    for (const auto& product : fs::directory_iterator("/opt/nvidia", error)) {
        if (!product.path().filename().string().starts_with("nsight-systems"))
            continue;
        candidates.push_back(product.path() / "bin" / "nsys");
        std::error_code unreadable;
        for (const auto& version : fs::directory_iterator(product.path(), unreadable))
            candidates.push_back(version.path() / "bin" / "nsys");
    }
    std::erase_if(candidates, [](const fs::path& path) { return ::access(path.c_str(), X_OK) != 0; });
    return candidates.empty() ? fs::path{} : *std::ranges::max_element(candidates);
}

std::optional<fs::path> fresh_export_of(const fs::path& report) {
    fs::path sibling = report;
    sibling.replace_extension(".sqlite");
    std::error_code error;
    const auto export_time = fs::last_write_time(sibling, error);
    if (error)
        return {};
    const auto report_time = fs::last_write_time(report, error);
    return !error && export_time >= report_time ? std::optional(sibling) : std::nullopt;
}

fs::path cached_export_of(const fs::path& report) {
    const fs::path cache = user_cache_folder();
    return cache.empty() ? fs::path() : cache / "nsys" / (identity_of(report) + ".sqlite");
}

Result<RankTraces> read_nsys_report_file(const fs::path& report, const std::shared_ptr<StringTable>& names,
                                         const ReadOptions& options) {
    if (const auto sibling = fresh_export_of(report))
        return read_nsys_export(*sibling, names, options);
    const fs::path cached = cached_export_of(report);
    std::optional<TemporaryFolder> own;
    fs::path read = cached;
    if (std::error_code error; cached.empty() || !fs::exists(cached, error)) {
        const fs::path nsys = find_nsys();
        if (nsys.empty()) {
            fs::path beside = report;
            beside.replace_extension(".sqlite");
            return input_error(
                "%1 needs nsys, which is not installed here: run `nsys export --type sqlite --force-overwrite true "
                "--output %2 %3` where it is, and open the folder again"_text(
                    report.string(), shell_word(beside.string()), shell_word(report.string())));
        }
        if (cached.empty()) {
            const auto made = exported(nsys, report, own.emplace("rankscope-nsys"), options);
            if (!made)
                return tl::unexpected<Error>(made.error());
            read = *made;
        } else if (auto made = make_export(nsys, report, cached, options); !made) {
            return tl::unexpected(made.error());
        }
    }
    return read_nsys_export(read, names, options, report);
}

TraceFormat nsys_rep_format();
TraceFormat nsys_rep_format() {
    return {TraceSource::nsys, "reports of Nsight Systems", is_report_name, peek_report_file, read_nsys_report_file};
}

} // namespace rankscope
