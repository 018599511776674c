// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/kineto/torn_events.h"

#include <algorithm>

namespace rankscope {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kFirstLines = 1024; // the phase of an event stands within so many characters of its start
constexpr std::string_view kPhase = "\"ph\":";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::size_t behind_blanks(std::string_view text, std::size_t at) {
    while (at < text.size() && is_space(text[at]))
        ++at;
    return at;
}

/// "  {", then the line of the phase: the same one or the next.
bool starts_event(std::string_view text, std::size_t line) {
    text = text.substr(0, std::min(text.size(), line + kFirstLines));
    while (line < text.size() && (text[line] == ' ' || text[line] == '\t'))
        ++line;
    if (line >= text.size() || text[line] != '{')
        return false;
    const std::size_t key = behind_blanks(text, line + 1);
    return key < text.size() && text[key] == '"' && text.substr(key, text.find('\n', key) - key).find(kPhase) != kNone;
}

/// Of the line that the character stands in; kNone: too far before it.
std::size_t start_of_line(std::string_view text, std::size_t at) {
    const std::size_t from = at - std::min(at, kFirstLines);
    const std::size_t feed = text.substr(from, at - from).rfind('\n');
    return feed == kNone ? kNone : from + feed + 1;
}

/// The start of its line.
std::size_t last_event_start(std::string_view text) {
    constexpr int kMostTries = 64; // of a text without such lines
    std::size_t at = text.size();
    for (int i = 0; i < kMostTries && at > 0; ++i) {
        at = text.rfind(kPhase, at - 1);
        if (at == kNone)
            return kNone;
        const std::size_t line = start_of_line(text, at);
        if (line == kNone)
            continue;
        if (starts_event(text, line))
            return line;
        const std::size_t before = start_of_line(text, line - 1);
        if (before != kNone && starts_event(text, before))
            return before;
    }
    return kNone;
}

std::size_t next_event_start(std::string_view text, std::size_t from) {
    for (std::size_t feed = text.find('\n', from); feed != kNone; feed = text.find('\n', feed + 1))
        if (starts_event(text, feed + 1))
            return feed + 1;
    return kNone;
}

/// What follows the events is another key, the end of the file, or another document.
bool ends_array(std::string_view text, std::size_t at) {
    if (text[at] != ']')
        return false;
    const std::size_t next = behind_blanks(text, at + 1);
    if (next == text.size() || (text[next] != ',' && text[next] != '}'))
        return next == text.size();
    const std::size_t second = behind_blanks(text, next + 1);
    return second == text.size() || (text[next] == ',' ? text[second] == '"' : text[second] == '{');
}

} // namespace

bool is_torn(std::string_view text, std::size_t last_characters, const ArrayScanner& scanner,
             std::optional<std::size_t> closed_at) {
    if (closed_at && !ends_array(text, *closed_at) && next_event_start(text, *closed_at) != kNone)
        return true;
    text = text.substr(0, closed_at ? *closed_at + 1 : text.size());
    const std::size_t before = text.size() - std::min(text.size(), last_characters + 2 * kFirstLines);
    text.remove_prefix(before);
    const std::size_t start = last_event_start(text);
    if (start == kNone)
        return false;
    ArrayScanner anew;
    const ArrayScanner::Found found = anew.scan(text.substr(start));
    if (closed_at)
        return !found.array_closed || before + start + found.closed_at != *closed_at;
    return found.array_closed || anew.state() != scanner.state();
}

std::optional<Salvaged> salvage(std::span<char> text) {
    const std::string_view view(text.data(), text.size());
    std::size_t next = next_event_start(view, 0);
    if (next == kNone)
        return {};
    Salvaged result;
    for (std::size_t begin = 0;; begin = next, next = next_event_start(view, begin)) {
        const bool last = next == kNone;
        const std::string_view part = view.substr(begin, last ? kNone : next - begin);
        ArrayScanner scanner;
        const ArrayScanner::Found found = scanner.scan(part);
        const bool ends =
            found.array_closed && part[found.closed_at] == ']' && (last || ends_array(view, begin + found.closed_at));
        const bool whole = !found.array_closed && scanner.state() == ArrayScanner::State();
        if (ends || whole || (last && !found.array_closed)) {
            result.rest = begin;
            result.elements += found.elements;
            if (found.elements_end > 0)
                result.end = begin + found.elements_end;
        } else {
            std::ranges::fill(text.subspan(begin, part.size()), ' ');
            ++result.lost;
            scanner = {};
        }
        if (ends)
            result.closed_at = begin + found.closed_at;
        if (ends || last) {
            result.scanner = scanner;
            return result;
        }
    }
}

std::optional<std::size_t> closing_line(std::string_view text) {
    std::size_t first = 0;
    for (std::size_t feed = text.find('\n'); feed != kNone;
         feed = text.find('\n', first)) { // once for many blank lines
        first = behind_blanks(text, feed + 1);
        if (first < text.size() && text[first] == ']' && ends_array(text, first))
            return first;
    }
    return {};
}

} // namespace rankscope
