// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the search box.
#include "core/analysis/search/event_query.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include <re2/re2.h>

#include "core/base/text_match.h"

namespace rankscope {
namespace {

/// Thrown only inside this file. at: byte in the query.
struct Problem {
    std::size_t at;
    Message message;
};

template <typename Value>
struct Word {
    std::string_view word;
    Value value;
};

constexpr std::array<Word<KernelClass>, 8> kClasses{{{"compute", KernelClass::compute},
                                                     {"communication", KernelClass::communication},
                                                     {"memcpy", KernelClass::memory_copy},
                                                     {"memset", KernelClass::memory_set},
                                                     {"comm", KernelClass::communication},
                                                     {"comp", KernelClass::compute},
                                                     {"copy", KernelClass::memory_copy},
                                                     {"set", KernelClass::memory_set}}};
constexpr std::size_t kClassesShown = 4; // the others are short for them

constexpr std::array<Word<std::pair<EventKind, EventKind>>, 13> kKinds{
    {{"kernel", {EventKind::kernel, EventKind::kernel}},
     {"memcpy", {EventKind::memcpy, EventKind::memcpy}},
     {"memset", {EventKind::memset, EventKind::memset}},
     {"operator", {EventKind::cpu_op, EventKind::cpu_op}},
     {"annotation", {EventKind::annotation, EventKind::annotation}},
     {"gpu_annotation", {EventKind::gpu_annotation, EventKind::gpu_annotation}},
     {"runtime", {EventKind::runtime, EventKind::runtime}},
     {"driver", {EventKind::driver, EventKind::driver}},
     {"launch", {EventKind::runtime, EventKind::driver}},
     {"python", {EventKind::python, EventKind::python}},
     {"sync", {EventKind::gpu_sync, EventKind::gpu_sync}},
     {"graph", {EventKind::graph_launch, EventKind::captured_scope}},
     {"other", {EventKind::overhead, EventKind::other}}}};

constexpr std::array<Word<ArgKey>, 9> kArgs{{{"collective", ArgKey::collective},
                                             {"group", ArgKey::group},
                                             {"dtype", ArgKey::dtype},
                                             {"bytes", ArgKey::bytes},
                                             {"elements", ArgKey::elements},
                                             {"ranks", ArgKey::ranks},
                                             {"seq", ArgKey::seq},
                                             {"src", ArgKey::source},
                                             {"dst", ArgKey::destination}}};

constexpr std::array<Word<double>, 5> kTimeUnits{{{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
constexpr std::array<Word<double>, 8> kByteUnits{{{"", 1},
                                                  {"b", 1},
                                                  {"kb", 1e3},
                                                  {"mb", 1e6},
                                                  {"gb", 1e9},
                                                  {"kib", 1024},
                                                  {"mib", 1024.0 * 1024},
                                                  {"gib", 1024.0 * 1024 * 1024}}};

template <typename Table>
std::string words_of(const Table& table, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += (i == 0 ? "" : ", ") + std::string(table[i].word);
    return text;
}

template <typename Table>
auto find_word(const Table& table, std::string_view word) {
    return std::ranges::find(
        table, word, [](const auto& entry) { return entry.word; });
}

/// A number and the unit behind it, as a whole number of the smallest unit.
template <typename Units>
std::int64_t number_with_unit(std::string_view text, std::size_t at, const Units& units, const Message& example) {
    double number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string unit = lower_case({parsed.ptr, static_cast<std::size_t>(text.data() + text.size() - parsed.ptr)});
    const auto known = find_word(units, unit);
    const bool fits = parsed.ec == std::errc() && known != units.end() && std::isfinite(number) &&
                      std::abs(number * known->value) < 9e18;
    if (!fits)
        throw Problem{at, "\"%1\" is not %2"_text(std::string(text), example)};
    return std::llround(number * known->value);
}

std::int64_t whole_number(std::string_view text, std::size_t at) {
    std::int64_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
        throw Problem{at, "\"%1\" is not a whole number"_text(std::string(text))};
    return number;
}

/// One of < <= = >= > at the front, taken off the text. ":" and "=" both say equal.
std::optional<Comparison> take_comparison(std::string_view& text) {
    constexpr std::array<std::pair<std::string_view, Comparison>, 6> kSigns{{{"<=", Comparison::at_most},
                                                                             {">=", Comparison::at_least},
                                                                             {"<", Comparison::less},
                                                                             {">", Comparison::more},
                                                                             {"=", Comparison::equal},
                                                                             {":", Comparison::equal}}};
    for (const auto& [sign, comparison] : kSigns)
        if (text.starts_with(sign)) {
            text.remove_prefix(sign.size());
            return comparison;
        }
    return std::nullopt;
}

std::vector<std::pair<std::int64_t, std::int64_t>> rank_ranges(std::string_view text, std::size_t at) {
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    while (true) {
        const std::string_view item = text.substr(0, text.find(','));
        const std::size_t dash = item.find('-');
        const std::int64_t first = whole_number(item.substr(0, dash), at);
        const std::int64_t last =
            dash == std::string_view::npos ? first : whole_number(item.substr(dash + 1), at + dash + 1);
        if (last < first)
            throw Problem{at, "\"%1\" ends before it starts"_text(std::string(item))};
        ranges.emplace_back(first, last);
        if (item.size() == text.size())
            return ranges;
        text.remove_prefix(item.size() + 1);
        at += item.size() + 1;
    }
}

template <typename Table>
auto named(const Table& table, std::string_view word, std::size_t at, std::string_view what, std::size_t shown) {
    const auto found = find_word(table, lower_case(word));
    if (found == table.end())
        throw Problem{
            at, "unknown %1 \"%2\" (known: %3)"_text(std::string(what), std::string(word), words_of(table, shown))};
    return found->value;
}

OfKind kinds_between(EventKind first, EventKind last) {
    OfKind of;
    for (auto k = static_cast<int>(first); k <= static_cast<int>(last); ++k)
        of.kinds.push_back(static_cast<EventKind>(k));
    return of;
}

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    EventQuery parse() {
        EventQuery query;
        for (skip_spaces(); at_ < text_.size(); skip_spaces())
            query.terms.push_back(term());
        return query;
    }

private:
    void skip_spaces() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
            ++at_;
    }

    QueryTerm term() {
        QueryTerm term;
        if (text_[at_] == '-' && at_ + 1 < text_.size() && text_[at_ + 1] != ' ') {
            term.negated = true;
            ++at_;
        }
        if (text_[at_] == '/') {
            term.what = expression();
            return term;
        }
        const std::size_t begin = at_;
        const std::string text = word();
        term.what = text_[begin] == '"' ? Term(NameContains{lower_case(text)}) : keyed(text, begin);
        return term;
    }

    NameMatches expression() {
        const std::size_t begin = at_++;
        std::string pattern;
        for (; at_ < text_.size() && text_[at_] != '/'; ++at_) {
            if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == '/')
                ++at_; // "\/" is a slash
            else if (text_[at_] == '\\' && at_ + 1 < text_.size())
                pattern += text_[at_++];
            pattern += text_[at_];
        }
        if (at_ == text_.size())
            throw Problem{begin, "the regular expression has no closing /"_text};
        ++at_;
        if (pattern.empty())
            throw Problem{begin, "the regular expression is empty"_text};
        RE2::Options options;
        options.set_log_errors(false);
        auto compiled = std::make_shared<const RE2>(pattern, options);
        if (!compiled->ok())
            throw Problem{begin, "the regular expression does not hold together: %1"_text(compiled->error())};
        return {std::move(compiled)};
    }

    /// Up to the next space; quotes keep spaces and go, wherever they stand.
    std::string word() {
        std::string text;
        while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '\t') {
            if (text_[at_] != '"') {
                text += text_[at_++];
                continue;
            }
            const std::size_t closing = text_.find('"', at_ + 1);
            if (closing == std::string_view::npos)
                throw Problem{at_, "the quotation has no closing %1"_text("\"")};
            text += text_.substr(at_ + 1, closing - at_ - 1);
            at_ = closing + 1;
        }
        if (text.empty())
            throw Problem{at_, "nothing to search for"_text};
        return text;
    }

    using Term = decltype(QueryTerm::what);

    /// "key:value" or "dur>1ms" when the key is known; any other word is looked for in names, "at::native" too.
    static Term keyed(std::string_view text, std::size_t at) {
        const std::size_t end = text.find_first_of(":<>=");
        const std::string key = lower_case(text.substr(0, end));
        if (end == std::string_view::npos || text.substr(end).starts_with("::"))
            return NameContains{lower_case(text)};
        std::string_view value = text.substr(end);
        if (key == "dur")
            return duration(value, at + end);
        const bool known =
            key == "class" || key == "kind" || key == "rank" || key == "lane" || key == "stream" || key == "arg";
        if (!known)
            return NameContains{lower_case(text)};
        if (!value.starts_with(':'))
            throw Problem{at + end, "%1 takes a colon, as in %1:..."_text(key)};
        value.remove_prefix(1);
        const std::size_t value_at = at + end + 1;
        if (value.empty())
            throw Problem{value_at, "%1: what follows is missing"_text(key)};
        if (key == "class")
            return OfClass{named(kClasses, value, value_at, "class", kClassesShown)};
        if (key == "kind") {
            const auto [first, last] = named(kKinds, value, value_at, "kind", kKinds.size());
            return kinds_between(first, last);
        }
        if (key == "rank")
            return OfRank{rank_ranges(value, value_at)};
        if (key == "stream")
            return OnStream{whole_number(value, value_at)};
        if (key == "lane")
            return InLane{lower_case(value)};
        return argument(value, value_at);
    }

    static Lasts duration(std::string_view value, std::size_t at) {
        const std::size_t length = value.size();
        const std::optional<Comparison> how = take_comparison(value);
        at += length - value.size();
        if (!how || value.empty())
            throw Problem{at, "dur takes a comparison and a time, as in dur>1ms"_text};
        return {*how, number_with_unit(value, at, kTimeUnits, "a time with its unit, as 1ms or 20us"_text)};
    }

    static HasArg argument(std::string_view text, std::size_t at) {
        const std::size_t end = std::min(text.size(), text.find_first_of("<>="));
        HasArg arg{named(kArgs, text.substr(0, end), at, "argument", kArgs.size()), {}, Comparison::equal, 0};
        std::string_view value = text.substr(end);
        const std::optional<Comparison> how = take_comparison(value);
        at += text.size() - value.size();
        if (!how || value.empty())
            throw Problem{at, "an argument takes a value, as in arg:group=mesh_dp or arg:bytes>1MB"_text};
        arg.how = *how;
        const bool is_text = arg.key == ArgKey::collective || arg.key == ArgKey::group || arg.key == ArgKey::dtype;
        if (is_text && arg.how != Comparison::equal)
            throw Problem{at, "%1 is text: compare it with ="_text(std::string(text.substr(0, end)))};
        if (is_text)
            arg.lower = lower_case(value);
        else if (arg.key == ArgKey::bytes)
            arg.number = number_with_unit(value, at, kByteUnits, "a size, as 4096 or 1MB"_text);
        else
            arg.number = whole_number(value, at);
        return arg;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

/// A person counts characters, from 1.
std::size_t character_at(std::string_view text, std::size_t byte) {
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    return 1 + static_cast<std::size_t>(std::ranges::count_if(text.substr(0, byte), begins));
}

} // namespace

bool compare(std::int64_t value, Comparison how, std::int64_t with) {
    switch (how) {
    case Comparison::less: return value < with;
    case Comparison::at_most: return value <= with;
    case Comparison::equal: return value == with;
    case Comparison::at_least: return value >= with;
    case Comparison::more: return value > with;
    }
    return false;
}

Result<EventQuery> parse_event_query(std::string_view text) {
    try {
        return Parser(text).parse();
    } catch (const Problem& problem) {
        return tl::unexpected<Error>(
            Error{Error::Code::usage, "character %1: %2"_text(character_at(text, problem.at), problem.message)});
    }
}

} // namespace rankscope
