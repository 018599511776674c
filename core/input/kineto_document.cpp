// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/kineto_document.h"

#include <utility>

#include <fmt/format.h>

#include "core/input/json_text.h"

namespace rankscope {
namespace {

constexpr std::size_t kFillBytes = 64 * 1024;
/// Large enough to make the work per block dwarf the hand-over, small enough to stay in the cache.
constexpr std::size_t kBlockBytes = 1 << 20;
constexpr std::size_t kLargestEvent = 512u << 20;
constexpr int kEnd = -1;

bool is_blank(int c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

} // namespace

bool KinetoDocument::fill() {
    buffer_offset_ += buffer_.size();
    position_ = 0;
    if (buffer_offset_ >= limit_) {
        buffer_.clear();
        return false;
    }
    buffer_.resize(kFillBytes);
    buffer_.resize(source_->read(buffer_));
    return !buffer_.empty();
}

int KinetoDocument::peek() {
    if (position_ == buffer_.size() && !fill())
        return kEnd;
    return static_cast<unsigned char>(buffer_[position_]);
}

void KinetoDocument::skip_blanks() {
    while (is_blank(peek()))
        ++position_;
}

void KinetoDocument::note_damage(std::string what) {
    if (damage_.empty())
        damage_ = source_->damage().empty() ? std::move(what) : source_->damage();
}

/// A string with its quotes still escaped, without the quotes; empty at the end of the text.
std::optional<std::string> KinetoDocument::read_string() {
    if (peek() != '"')
        return {};
    ++position_;
    std::string text;
    for (int c = peek(); c != kEnd; c = peek()) {
        ++position_;
        if (c == '"')
            return text;
        text.push_back(static_cast<char>(c));
        if (c == '\\' && peek() != kEnd)
            text.push_back(buffer_[position_++]);
    }
    return {};
}

/// Copies one JSON value, told by brackets and strings alone.
bool KinetoDocument::read_value(std::string& text) {
    int depth = 0;
    skip_blanks();
    for (int c = peek(); c != kEnd; c = peek()) {
        if (c == '"') {
            const auto inside = read_string();
            if (!inside)
                return false;
            text += '"' + *inside + '"';
        } else if (depth == 0 && (c == ',' || c == '}' || c == ']')) {
            return !text.empty();
        } else {
            depth += c == '{' || c == '[';
            depth -= c == '}' || c == ']';
            text.push_back(static_cast<char>(c));
            ++position_;
        }
        if (depth == 0 && (text.back() == '"' || text.back() == '}' || text.back() == ']'))
            return true;
    }
    return false;
}

/// Reads "key": value pairs up to traceEvents (true: standing behind its bracket) or the end of the object (false).
bool KinetoDocument::read_members() {
    for (;;) {
        skip_blanks();
        while (peek() == ',') {
            ++position_;
            skip_blanks();
        }
        if (peek() == '}')
            return false;
        const auto key = read_string();
        skip_blanks();
        if (!key || peek() != ':') {
            note_damage("the file ends early");
            return false;
        }
        ++position_;
        skip_blanks();
        if (*key == "traceEvents" && peek() == '[' && !array_closed_) {
            ++position_;
            return true;
        }
        std::string value;
        if (!read_value(value)) {
            note_damage("the file ends early");
            return false;
        }
        header_[unescaped(*key)] = std::string(trimmed(value));
    }
}

KinetoDocument::Start KinetoDocument::start(std::uint64_t max_bytes) {
    limit_ = max_bytes;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    peek();
    if (std::string_view(buffer_).starts_with(kByteOrderMark))
        position_ = kByteOrderMark.size();
    skip_blanks();
    const int first = peek();
    if (first != '{' && first != '[')
        return Start::not_json;
    ++position_;
    in_object_ = first == '{';
    return !in_object_ || read_members() ? Start::events : Start::no_events;
}

std::optional<KinetoDocument::Block> KinetoDocument::next_block() {
    if (array_closed_)
        return {};
    Block block;
    TextBuffer& text = block.bracketed;
    text.push_back('[');
    text.append(std::exchange(carry_, {}));
    // What start() has read beyond the bracket comes first.
    std::string ahead = buffer_.substr(position_);
    buffer_offset_ += position_;
    position_ = 0;
    buffer_.clear();

    std::size_t cut = 0;
    while (cut == 0 && !array_closed_) {
        std::size_t got = ahead.size();
        if (got > 0)
            text.append(std::exchange(ahead, {}));
        else
            got = source_->append_to(text, kBlockBytes);
        const std::size_t known = text.size() - got;
        buffer_offset_ += got;
        block.offset = buffer_offset_ - text.size();
        if (got == 0) {
            note_damage("the file ends early");
            array_closed_ = true;
            return {};
        }
        const ArrayScanner::Found found = scanner_.scan({text.data() + known, got});
        if (found.elements_end > 0)
            cut = known + found.elements_end;
        if (found.array_closed) {
            array_closed_ = true;
            buffer_ = text.view().substr(known + found.closed_at + 1);
            buffer_offset_ -= buffer_.size();
        } else if (cut > 0) {
            carry_ = text.view().substr(cut);
        } else if (text.size() > kLargestEvent) {
            note_damage(fmt::format("an event is larger than {} MB", kLargestEvent >> 20));
            array_closed_ = true;
            return {};
        }
    }
    if (cut == 0)
        return {};
    text.cut(cut);
    const std::span<char> all{text.data(), text.size()};
    for (std::size_t i = text.view().find('[') + 1; i < all.size() && (is_blank(all[i]) || all[i] == ','); ++i)
        all[i] = ' ';
    text.push_back(']');
    block.consumed = source_->consumed();
    return block;
}

void KinetoDocument::finish() {
    limit_ = buffer_offset_ + buffer_.size() + kHeaderLimit;
    if (in_object_ && damage_.empty())
        read_members();
    if (!source_->damage().empty())
        damage_ = source_->damage();
}

} // namespace rankscope
