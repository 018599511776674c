// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/message.h"

#include <iterator>

namespace rankscope {

Message::Message(std::string english, std::vector<Message> arguments)
    : kind_(Kind::text), text_(std::move(english)), parts_(std::move(arguments)) {}

Message::Message(std::int64_t count, std::string of_one, std::string of_many, std::vector<Message> arguments)
    : kind_(Kind::text), text_(std::move(of_many)), of_one_(std::move(of_one)), count_(count),
      parts_(std::move(arguments)) {}

Message Message::word(std::string_view english) {
    return english.empty() ? Message() : Message(std::string(english), std::vector<Message>());
}

Message& Message::operator+=(Message clause) {
    if (clause.empty())
        return *this;
    if (empty())
        return *this = std::move(clause);
    if (kind_ != Kind::clauses) {
        Message first = std::exchange(*this, Message());
        parts_.push_back(std::move(first));
    }
    parts_.push_back(std::move(clause));
    return *this;
}

Message& Message::operator+=(char mark) { return *this += Message(std::string(1, mark)); }

Message Message::as_sentence() const {
    Message sentence;
    sentence.kind_ = Kind::sentence;
    sentence.parts_.push_back(*this);
    return sentence;
}

namespace {

/// a to z, and letters of Latin-1 as UTF-8 has them: à to þ but the division sign.
void capitalise(std::string& text) {
    if (text.empty())
        return;
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    else if (text.size() > 1 && text[0] == '\xC3' && text[1] >= '\xA0' && text[1] <= '\xBE' && text[1] != '\xB7')
        text[1] = static_cast<char>(text[1] - 0x20);
}

} // namespace

std::string Message::in(const Translate& language) const {
    if (kind_ == Kind::as_it_is)
        return text_;
    std::string text;
    if (kind_ == Kind::sentence) {
        text = parts_.front().in(language);
        capitalise(text);
        return text.ends_with('.') ? text : text + '.';
    }
    if (kind_ == Kind::clauses) {
        for (const Message& clause : parts_)
            text += clause.in(language);
        return text;
    }
    std::string pattern = language ? language(text_, count_) : std::string();
    if (pattern.empty())
        pattern = count_ == 1 ? of_one_ : text_;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
        const auto place = static_cast<std::size_t>(next - '1');
        if (pattern[i] == '%' && next >= '1' && next <= '9' && place < parts_.size()) {
            text += parts_[place].in(language);
            ++i;
        } else {
            text += pattern[i];
        }
    }
    return text;
}

Message Message::with_given(const std::function<std::string(const std::string&)>& change) const {
    Message changed = *this;
    if (kind_ == Kind::as_it_is)
        changed.text_ = change(text_);
    for (Message& part : changed.parts_)
        part = part.with_given(change);
    return changed;
}

std::vector<std::string> Message::arguments() const {
    return text().empty() ? std::vector<std::string>() : rankscope::english(parts_);
}

std::string english(const Message& message) { return message.in({}); }

std::vector<std::string> english(std::span<const Message> messages) {
    std::vector<std::string> texts;
    std::ranges::transform(messages, std::back_inserter(texts), [](const Message& one) { return english(one); });
    return texts;
}

} // namespace rankscope
