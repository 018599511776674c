// SPDX-License-Identifier: GPL-3.0-or-later
// A sentence of the program's own: an English text with places, and what belongs there. Files get it in English, the
// window in its language.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rankscope {

/// The text in another language, with the same places; empty: none is known. count: which of the plural forms.
using Translate = std::function<std::string(const std::string& english, std::optional<std::int64_t> count)>;

class Message {
public:
    Message() = default;
    /// The same in all languages: a name from the trace, a number with its unit.
    Message(std::string as_it_is)
        : kind_(as_it_is.empty() ? Kind::clauses : Kind::as_it_is), text_(std::move(as_it_is)) {}
    template <std::integral Number>
    requires(!std::same_as<Number, bool> && !std::same_as<Number, char>) Message(Number number)
        : Message(std::to_string(number)) {}
    /// A word of one of core's tables (compute_kind_word() ...); coreTexts() hands them to translators.
    static Message word(std::string_view english);
    /// english: with places %1 to %9. Made by "..."_text; of_one: the English for a count of 1.
    Message(std::string english, std::vector<Message> arguments);
    Message(std::int64_t count, std::string of_one, std::string of_many, std::vector<Message> arguments);

    /// Another sentence or clause, one after the other.
    Message& operator+=(Message clause);
    Message& operator+=(char mark);
    Message& operator+=(const std::string& as_it_is) { return *this += Message(as_it_is); }
    /// With a capital at the start and a full stop at the end.
    [[nodiscard]] Message as_sentence() const;
    [[nodiscard]] bool empty() const { return kind_ == Kind::clauses && parts_.empty(); }
    [[nodiscard]] std::string in(const Translate& language) const;
    /// The first of several clauses, or all.
    [[nodiscard]] Message first_clause() const { return kind_ == Kind::clauses && !empty() ? parts_.front() : *this; }
    /// The English text with its places; empty where it is none, but clauses, a plural or what is not translated.
    [[nodiscard]] std::string_view text() const { return kind_ == Kind::text && !count_ ? text_ : std::string_view(); }
    /// The same with what is not translated changed: paths, for example.
    [[nodiscard]] Message with_given(const std::function<std::string(const std::string&)>& change) const;
    /// What belongs in the places of text(), in English.
    [[nodiscard]] std::vector<std::string> arguments() const;

    friend bool operator==(const Message&, const Message&) = default;

private:
    enum class Kind : unsigned char { clauses, as_it_is, text, sentence };
    Kind kind_ = Kind::clauses;
    std::string text_;
    std::string of_one_;
    std::optional<std::int64_t> count_;
    std::vector<Message> parts_; ///< clauses, arguments, or what the sentence is
};

std::string english(const Message& message);
std::vector<std::string> english(std::span<const Message> messages);

/// What a literal of a text is made into.
template <std::size_t Size>
struct TextLiteral {
    char text[Size] = {};
    consteval TextLiteral(const char (&literal)[Size]) { std::copy_n(literal, Size, text); }
};

/// How many arguments a text takes; it does not compile where a number of its places is left out.
template <std::size_t Size>
consteval std::size_t places_of(const char (&text)[Size]) {
    bool used[10] = {};
    std::size_t most = 0;
    for (std::size_t i = 0; i + 1 < Size; ++i)
        if (text[i] == '%' && text[i + 1] >= '1' && text[i + 1] <= '9') {
            const auto place = static_cast<std::size_t>(text[i + 1] - '0');
            used[place] = true;
            most = std::max(most, place);
        }
    for (std::size_t place = 1; place <= most; ++place)
        if (!used[place])
            throw "a place is missing";
    return most;
}

template <std::size_t Places>
struct Text {
    const char* english;
    template <typename... Given>
    Message operator()(Given&&... given) const {
        static_assert(sizeof...(Given) == Places, "an argument for each place");
        return {std::string(english), std::vector<Message>{Message(std::forward<Given>(given))...}};
    }
    operator Message() const requires(Places == 0) { return (*this)(); }
};
template <std::size_t Places>
struct TextOfOne {
    const char* english;
};
template <std::size_t Places>
struct TextOfMany {
    const char* english;
};

/// Of a count: "the file of %1"_one, "the files of %1"_many. Other languages have other forms than these two.
template <std::size_t Places>
struct CountedText {
    std::int64_t count;
    const char* of_one;
    const char* of_many;
    template <typename... Given>
    Message operator()(Given&&... given) const {
        static_assert(sizeof...(Given) == Places, "an argument for each place");
        return {count, of_one, of_many, std::vector<Message>{Message(std::forward<Given>(given))...}};
    }
};
template <std::integral Count, std::size_t InOne, std::size_t Places>
CountedText<Places> plural(Count count, TextOfOne<InOne> one, TextOfMany<Places> many) {
    static_assert(InOne <= Places);
    return {static_cast<std::int64_t>(count), one.english, many.english};
}

/// "Rank %1 is late"_text(3). rankscope_core_texts finds the literals by these endings and hands them to translators.
template <TextLiteral Literal>
consteval auto operator""_text() {
    return Text<places_of(Literal.text)>{Literal.text};
}
template <TextLiteral Literal>
consteval auto operator""_one() {
    return TextOfOne<places_of(Literal.text)>{Literal.text};
}
template <TextLiteral Literal>
consteval auto operator""_many() {
    return TextOfMany<places_of(Literal.text)>{Literal.text};
}

} // namespace rankscope
