// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/find/rank_in_name.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/text_match.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

bool is_separator(char c) { return c == '-' || c == '_' || c == '.' || c == ' ' || c == '='; }

std::string_view without_separators_behind(std::string_view text) {
    while (!text.empty() && is_separator(text.back()))
        text.remove_suffix(1);
    return text;
}

/// Where a word of the text is a method of low-rank adapters: "qlora-7b", but not "exploration"; npos: nowhere.
std::size_t place_of_adapter(std::string_view text) {
    static constexpr std::array<std::string_view, 7> words{"dora", "loha",    "lokr",    "galore",
                                                           "peft", "adapter", "adapters"};
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::size_t end = at;
        while (end < text.size() && is_letter(text[end]))
            ++end;
        const std::string_view word = text.substr(at, end - at);
        if (word.starts_with("lora") || word.ends_with("lora") || std::ranges::find(words, word) != words.end())
            return at;
        at = end;
    }
    return std::string_view::npos;
}

/// Where "rank16_alpha32" tells the scale of an adapter's matrices; npos: nowhere. "alpha" alone may be a host.
std::size_t place_of_scale(std::string_view text) {
    static constexpr std::string_view word = "alpha";
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        if (at + word.size() < text.size() && is_digit(text[at + word.size()]))
            return at;
    return std::string_view::npos;
}

/// Right behind "low-rank8" and the like.
bool is_of_a_matrix(std::string_view before) {
    before = without_separators_behind(before);
    return before.ends_with("low") || before.ends_with("svd") || before.ends_with("matrix");
}

/// Which place behind "rank" tells the rank of an adapter's matrices, as the whole part of the path says; npos: none.
/// It is the first one behind the adapter's name ("lora_alpha32_rank16-rank0"), else the last one before it, and the
/// other way around beside a scale. places: ascending.
std::size_t adapter_rank(std::string_view text, std::span<const std::size_t> places) {
    const std::size_t name = place_of_adapter(text);
    const std::size_t at = name != std::string_view::npos ? name : place_of_scale(text);
    if (at == std::string_view::npos || places.empty())
        return std::string_view::npos;
    const auto behind = std::ranges::lower_bound(places, at);
    const bool is_behind = behind != places.end() && (at == name || behind == places.begin());
    return is_behind ? *behind : *std::prev(behind);
}

bool is_process(std::string_view number, std::span<const std::string> processes) {
    return std::ranges::find(processes, number) != processes.end();
}

std::optional<int> number_in(std::string_view digits, int most) {
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc{} && number <= most ? std::optional(number) : std::nullopt;
}

/// The digits behind a word at this place; empty: none.
std::string_view digits_behind(std::string_view text, std::size_t at, std::string_view word) {
    std::size_t begin = at + word.size();
    if (begin < text.size() && is_separator(text[begin]) && text[begin] != '.')
        ++begin;
    if (begin < text.size() && (text[begin] == '[' || text[begin] == '('))
        ++begin;
    std::size_t end = begin;
    while (end < text.size() && is_digit(text[end]))
        ++end;
    return text.substr(begin, end - begin);
}

std::optional<int> number_after(std::string_view text, std::string_view word, std::span<const std::string> processes) {
    std::vector<std::size_t> places;
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        if (!digits_behind(text, at, word).empty())
            places.push_back(at);
    const std::size_t of_adapter = word == "rank" ? adapter_rank(text, places) : std::string_view::npos;
    std::optional<int> found;
    // Whoever writes "rank1" means a rank, though a container has a process 1 as well.
    const bool may_be_process = word != "rank";
    for (const std::size_t at : places) {
        const std::string_view digits = digits_behind(text, at, word);
        if (at == of_adapter || (may_be_process && is_process(digits, processes)) || is_of_a_matrix(text.substr(0, at)))
            continue;
        if (const auto number = number_in(digits, kMostRanks))
            found = number;
    }
    return found;
}

std::optional<int> told_in(const std::string& name, std::span<const std::string> processes) {
    for (const std::string_view word : {"rank", "worker", "kineto_trace"})
        if (const auto rank = number_after(name, word, processes))
            return rank;
    // SGLang: "1757517000.12-TP-10.trace.json.gz", its tensor parallelism alone. With "-TP-2-DP-1-PP-0" a number
    // of one dimension is no rank.
    for (const std::string_view other : {"-dp-", "-pp-", "-ep-"})
        if (name.find(other) != std::string::npos)
            return {};
    return number_after(name, "-tp-", processes);
}

/// Whether digits with this before them are more likely the last part of something else.
bool belongs_to_more(std::string_view before) {
    if (before.empty())
        return false;
    // A version or a time with its fraction (0.0.4), one of several reports of a process (4711.1), a day (2025-09-10).
    const char separator = before.back();
    const std::string_view left = before.substr(0, before.size() - 1);
    if (separator == '.' && !left.empty() && is_digit(left.back()))
        return true;
    const auto ends_with_digits = [&](std::string_view text, std::size_t count) {
        return text.size() >= count &&
               std::ranges::all_of(text.substr(text.size() - count), [](char c) { return is_digit(c); });
    };
    if (ends_with_digits(left, 2) && left.size() > 2 && left[left.size() - 3] == separator &&
        ends_with_digits(left.substr(0, left.size() - 3), 2))
        return true;
    // Behind "rank" it is one that was not taken for one: of an adapter.
    static constexpr std::array<std::string_view, 3> words{"process", "pid", "rank"};
    return std::ranges::any_of(words, [&](std::string_view word) { return left.ends_with(word); });
}

/// "trace_3.json": a number, not too large to be one of ranks, right before the ending.
std::optional<int> number_at_end(const std::string& name, std::span<const std::string> processes) {
    std::size_t ending = std::string::npos;
    for (const std::string_view word : {".json", ".sqlite", ".nsys-rep", ".txt", ".csv", ".log", ".pickle", ".pkl"})
        ending = std::min(ending, name.find(word));
    if (ending == std::string::npos || name.find(".pt.trace") != std::string::npos)
        return {};
    std::size_t first = ending;
    while (first > 0 && is_digit(name[first - 1]))
        --first;
    // Process ids mostly start beyond it, and jobs that are larger name their ranks with a word.
    constexpr int kLargestRank = 1023;
    const std::string_view digits = std::string_view(name).substr(first, ending - first);
    const std::string_view before = std::string_view(name).substr(0, first);
    const bool parted = before.empty() || before.back() == '_' || before.back() == '-' || before.back() == '.';
    if (digits.empty() || !parted || belongs_to_more(before) || is_process(digits, processes))
        return {};
    return number_in(digits, kLargestRank);
}

/// Of the nearest folder that tells one.
std::optional<int> rank_in_folders(const fs::path& path, std::span<const std::string> processes) {
    std::optional<int> rank;
    for (const fs::path& part : path.parent_path())
        if (const auto number = number_after(lower_case(part.string()), "rank", processes))
            rank = number;
    return rank;
}

} // namespace

std::optional<int> number_behind(std::string_view text, std::string_view word) { return number_after(text, word, {}); }

std::optional<int> rank_told_in_name(const fs::path& path, std::span<const std::string> processes) {
    return told_in(lower_case(path.filename().string()), processes);
}

std::optional<int> rank_in_path(const fs::path& path, std::span<const std::string> processes) {
    const std::string name = lower_case(path.filename().string());
    if (const auto rank = told_in(name, processes))
        return rank;
    if (const auto rank = number_at_end(name, processes))
        return rank;
    return rank_in_folders(path, processes);
}

std::optional<int> rank_told_in_path(const fs::path& path, std::span<const std::string> processes) {
    const auto rank = rank_told_in_name(path, processes);
    return rank ? rank : rank_in_folders(path, processes);
}

std::string recorder_in_name(const fs::path& path) {
    const std::string name = path.filename().string();
    const std::size_t ending = name.find(".pt.trace.json");
    if (ending == std::string::npos)
        return {};
    std::size_t first = ending;
    while (first > 0 && is_digit(name[first - 1]))
        --first;
    constexpr std::size_t kDigitsOfATime = 10;
    if (ending - first < kDigitsOfATime || first == 0 || name[first - 1] != '.')
        return {};
    return (path.parent_path() / name.substr(0, first - 1)).string();
}

std::vector<std::string> name_parts(std::string_view path) {
    const auto kind = [](char c) { return is_digit(c) ? 0 : c == '/' || is_separator(c) ? 1 : 2; };
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < path.size(); ++i)
        if (i > 0 && kind(path[i]) == kind(path[i - 1]) && kind(path[i]) != 1)
            parts.back().push_back(path[i]);
        else
            parts.emplace_back(1, path[i]);
    return parts;
}

bool names_an_instance(std::string_view folder) {
    const std::string name = lower_case(folder);
    return name.starts_with("prefill") || name.starts_with("decode");
}

} // namespace rankscope
