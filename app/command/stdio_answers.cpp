// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command/stdio_answers.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"

namespace rankscope {
namespace {

std::size_t size_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace).size(); }

constexpr std::size_t kForCut = 200; ///< bytes that "cut" may take
constexpr std::size_t kRoom = kMostOfAnAnswer - kForCut;

/// The list or text that takes most of an answer.
struct Longest {
    Json* value = nullptr;
    std::string path;
    std::size_t bytes = 0;
};

void find_longest(Json& value, const std::string& path, Longest& longest) {
    constexpr std::size_t kShortText = 200;
    const bool is_long = (value.is_array() && value.size() > 1) ||
                         (value.is_string() && value.get_ref<const std::string&>().size() > kShortText);
    if (is_long)
        if (const std::size_t bytes = size_of(value); bytes > longest.bytes)
            longest = {&value, path, bytes};
    // A list of lists is one list: its rows are cut before what is in them.
    if (value.is_object() || (value.is_array() && !is_long))
        for (auto& [key, part] : value.items())
            find_longest(part, path.empty() ? key : path + '.' + key, longest);
}

} // namespace

Json capped(Json answer) {
    Json cut = Json::object();
    while (size_of(answer) > kRoom) {
        Longest longest;
        find_longest(answer, {}, longest);
        if (longest.value == nullptr)
            break;
        Json& value = *longest.value;
        if (value.is_array()) {
            cut.emplace(longest.path, value.size()); // stays as it was first
            value.erase(value.begin() + static_cast<std::ptrdiff_t>(value.size() / 2), value.end());
        } else {
            const auto& text = value.get_ref<const std::string&>();
            value = shortened(text, text.size() / 2);
        }
    }
    if (!cut.empty())
        answer["cut"].update(cut);
    return answer;
}

Json paged(Json answer, const char* key, std::size_t page) {
    Json list = std::exchange(answer[key], Json::array());
    constexpr std::size_t kForPages = 60;
    constexpr std::size_t kLeast = 2'000; // where the rest leaves less, that is cut
    const std::size_t rest = size_of(answer) + kForPages;
    const std::size_t room = rest + kLeast < kRoom ? kRoom - rest : kLeast;
    std::vector<std::size_t> firsts{0}; // of each page
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::size_t own = size_of(list[i]) + 1;
        if (bytes > 0 && bytes + own > room) {
            firsts.push_back(i);
            bytes = 0;
        }
        bytes += own;
    }
    if (page >= firsts.size())
        throw ToolProblem(fmt::format("there is no page {}; the last one is {}", page, firsts.size() - 1));
    const std::size_t end = page + 1 < firsts.size() ? firsts[page + 1] : list.size();
    for (std::size_t i = firsts[page]; i < end; ++i)
        answer[key].push_back(std::move(list[i]));
    if (firsts.size() > 1) {
        answer["page"] = page;
        answer["pages"] = firsts.size();
    }
    return capped(std::move(answer));
}

std::string in_words_of_tools(std::string sentence) {
    constexpr auto kWords = std::to_array<std::pair<std::string_view, std::string_view>>(
        {{"see rankscope --list-metrics", "explain with topic \"metrics\" lists them"},
         {"--profile-mode", "open with profile_mode"},
         {"--iterations", "iterations of open"},
         {"--what-if", "the tool what_if with"},
         {"--by ", "by "},
         {"--rank-by ", "rank_by "},
         {"--memory", "the option of this server"}});
    for (const auto& [option, words] : kWords)
        for (std::size_t at = 0; (at = sentence.find(option, at)) != std::string::npos; at += words.size())
            sentence.replace(at, option.size(), words);
    return sentence;
}

} // namespace rankscope
