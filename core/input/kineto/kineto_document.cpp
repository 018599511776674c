// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/kineto/kineto_document.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/input/kineto/json_text.h"
#include "core/input/kineto/torn_events.h"

namespace rankscope {
namespace {

constexpr std::size_t kFillBytes = 64 * 1024;
constexpr std::size_t kLeastFillBytes = 512;
constexpr std::size_t kRoomInFront = 4096; // of a piece
constexpr int kEnd = -1;

bool is_blank(int c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

} // namespace

void KinetoDocument::keep_to(std::uint64_t memory_bytes) {
    // An event is held about four times: as it grows, and while it is parsed.
    if (memory_bytes > 0)
        largest_event_ = std::clamp<std::uint64_t>(memory_bytes / 4, piece_bytes_, largest_event_);
}

bool KinetoDocument::fill() {
    buffer_offset_ += buffer_.size();
    position_ = 0;
    if (buffer_offset_ >= limit_) {
        buffer_.clear();
        return false;
    }
    const std::uint64_t left = source_->is_compressed()
                                   ? kFillBytes
                                   : source_->file_bytes() - std::min(source_->file_bytes(), source_->consumed());
    buffer_.resize(std::clamp<std::uint64_t>(left, kLeastFillBytes, kFillBytes));
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

void KinetoDocument::note_damage(const Message& what, const Message& of_source) {
    if (damage_.empty())
        damage_ = of_source.empty() ? what : of_source;
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

/// Behind a key or value whose quotes do not match: recorders write each key on a line of its own.
bool KinetoDocument::to_next_line() {
    for (int c = peek(); c != kEnd; c = peek()) {
        ++position_;
        if (c == '\n')
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
        if ((!key || peek() != ':') && to_next_line()) {
            ++torn_;
            continue;
        }
        if (!key || peek() != ':') {
            note_damage("the file ends early"_text, source_->damage());
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
            note_damage("the file ends early"_text, source_->damage());
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
    if (in_object_ && !read_members())
        return Start::no_events;
    ahead_ = buffer_.substr(position_);
    buffer_offset_ += position_;
    position_ = 0;
    buffer_.clear();
    carry_.push_back('[');
    return Start::events;
}

std::optional<KinetoDocument::Piece> KinetoDocument::next_piece(TextBuffer memory) {
    if (at_end_ || array_closed_)
        return {};
    Piece piece;
    piece.text = std::move(memory);
    piece.text.cut(0);
    const std::span<char> all = piece.text.grow(kRoomInFront + (ahead_.empty() ? piece_bytes_ : ahead_.size()));
    std::ranges::fill(all.first(kRoomInFront), ' ');
    const std::span<char> fresh = all.subspan(kRoomInFront);
    if (ahead_.empty())
        piece.text.cut(kRoomInFront + source_->read(fresh));
    else
        std::ranges::copy(std::exchange(ahead_, {}), fresh.begin());
    piece.consumed = source_->consumed();
    piece.damage = source_->damage();
    at_end_ = piece.text.size() == kRoomInFront;
    return piece;
}

/// behind: what of the text follows the bracket that ends them.
void KinetoDocument::end_events(std::string_view behind) {
    buffer_ = behind;
    buffer_offset_ -= buffer_.size();
    array_closed_ = true;
}

std::optional<KinetoDocument::Block> KinetoDocument::cut(Piece piece) {
    const std::size_t got = piece.text.size() - kRoomInFront;
    if (array_closed_) { // read before that was known
        buffer_ += piece.text.view().substr(kRoomInFront);
        return {};
    }
    buffer_offset_ += got;
    if (const auto close = got == 0 && in_object_ ? closing_line(carry_.view()) : std::nullopt) {
        ++torn_;
        end_events(carry_.view().substr(*close + 1));
        return {};
    }
    if (got == 0) {
        cut_off_ = scalars_in(carry_.view().substr(carry_.view().find('[') + 1)) > 0 ? 1 : 0;
        note_damage("the file ends early"_text, piece.damage);
        array_closed_ = true;
        return {};
    }
    const ArrayScanner::Found found = scanner_.scan({piece.text.data() + kRoomInFront, got});
    TextBuffer text;
    if (carry_.size() <= kRoomInFront) {
        std::ranges::copy(carry_.view(), piece.text.data() + kRoomInFront - carry_.size());
        text = std::move(piece.text);
    } else {
        text = std::move(carry_);
        text.append(piece.text.view().substr(kRoomInFront));
    }
    const std::uint64_t offset = buffer_offset_ - text.size();
    const std::size_t known = text.size() - got;
    const std::size_t first = text.view().find('[') + 1;
    std::size_t end = found.elements_end > 0 ? known + found.elements_end : 0;
    std::uint32_t elements = found.elements;
    auto closed_at = found.array_closed ? std::optional(known + found.closed_at) : std::nullopt;
    std::size_t rest = 0; // of a text without a whole element
    bool salvaged = false;
    if (is_torn(text.view(), got, scanner_, closed_at)) {
        if (const auto left = salvage({text.data() + first, text.size() - first})) {
            salvaged = true;
            torn_ += left->lost;
            scanner_ = left->scanner;
            elements = left->elements;
            end = left->end > 0 ? first + left->end : 0;
            rest = first + left->rest;
            closed_at = left->closed_at ? std::optional(first + *left->closed_at) : std::nullopt;
        }
    }
    if (closed_at) {
        const std::size_t last = std::max(end, first);
        trailing_scalars_ = scalars_in(text.view().substr(last, *closed_at - last));
        end_events(text.view().substr(*closed_at + 1));
    } else if (end > 0 || rest > 0) {
        carry_ = {};
        carry_.push_back('[');
        carry_.append(text.view().substr(std::max(end, rest)));
    } else if (text.size() > largest_event_) {
        cut_off_ = 1;
        note_damage("an event is larger than %1 MB"_text(largest_event_ >> 20), piece.damage);
        array_closed_ = true;
    } else {
        carry_ = std::move(text);
        return {};
    }
    if (end == 0)
        return {};
    text.cut(end);
    const std::span<char> all{text.data(), text.size()};
    for (std::size_t i = first; i < all.size() && (is_blank(all[i]) || all[i] == ','); ++i)
        all[i] = ' ';
    text.push_back(']');
    return Block{std::move(text), elements, offset, salvaged};
}

void KinetoDocument::finish() {
    limit_ = buffer_offset_ + buffer_.size() + kHeaderLimit;
    if (in_object_ && damage_.empty() && !read_members() && peek() == '}') {
        ++position_;
        skip_blanks();
        followed_ = peek() == '{';
    }
    if (!source_->damage().empty())
        damage_ = source_->damage();
}

} // namespace rankscope
