// SPDX-License-Identifier: GPL-3.0-or-later
// Protocol Buffers as bytes on the wire, read field by field without their schema's classes: what is asked for is
// looked at, the rest is passed over by its length. Nothing is trusted: a field that reaches beyond its message is cut,
// and one that cannot be is damage, which ends that message only.
// Format: https://protobuf.dev/programming-guides/encoding/
#pragma once
#include <bit>
#include <cstdint>
#include <string_view>

namespace rankscope {

class WireReader {
public:
    explicit WireReader(std::string_view message) : rest_(message) {}

    /// The next field; false at the end of the message or at damage.
    bool next() {
        if (rest_.empty() || damaged_)
            return false;
        std::uint64_t tag = 0;
        if (!read_varint(tag) || tag >> 3 == 0 || tag >> 3 > kMostFields)
            return fail();
        field_ = static_cast<std::uint32_t>(tag >> 3);
        kind_ = static_cast<std::uint32_t>(tag & 7);
        cut_ = false;
        number_ = 0;
        bytes_ = {};
        switch (kind_) {
        case kVarint: return read_varint(number_) || fail();
        case kFixed64: return read_fixed(8) || fail();
        case kFixed32: return read_fixed(4) || fail();
        case kBytes: {
            std::uint64_t size = 0;
            if (!read_varint(size))
                return fail();
            cut_ = size > rest_.size();
            bytes_ = rest_.substr(0, cut_ ? rest_.size() : static_cast<std::size_t>(size));
            rest_.remove_prefix(bytes_.size());
            damaged_ = cut_;
            return true;
        }
        default: return fail();
        }
    }

    [[nodiscard]] std::uint32_t field() const { return field_; }
    /// Whether it is that field, with a number (varint or fixed) or with bytes.
    [[nodiscard]] bool is_number(std::uint32_t field) const { return field_ == field && kind_ != kBytes; }
    [[nodiscard]] bool is_bytes(std::uint32_t field) const { return field_ == field && kind_ == kBytes; }
    [[nodiscard]] std::int64_t integer() const { return static_cast<std::int64_t>(number_); }
    [[nodiscard]] double real() const {
        return kind_ == kFixed32 ? std::bit_cast<float>(static_cast<std::uint32_t>(number_))
                                 : std::bit_cast<double>(number_);
    }
    /// A text, or a message in this one. Of a field that was cut, what is there.
    [[nodiscard]] std::string_view bytes() const { return bytes_; }
    /// The field reaches beyond the end of its message; it is the last one.
    [[nodiscard]] bool cut() const { return cut_; }
    /// The message ended in the middle of a field, or at one that no message has.
    [[nodiscard]] bool damaged() const { return damaged_; }

private:
    static constexpr std::uint32_t kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;
    static constexpr std::uint64_t kMostFields = (1u << 29) - 1;

    bool fail() {
        damaged_ = true;
        return false;
    }
    bool read_varint(std::uint64_t& value) {
        value = 0;
        for (std::size_t i = 0; i < rest_.size() && i < 10; ++i) {
            const auto byte = static_cast<unsigned char>(rest_[i]);
            value |= static_cast<std::uint64_t>(byte & 0x7F) << (7 * i);
            if (byte < 0x80) {
                rest_.remove_prefix(i + 1);
                return true;
            }
        }
        return false;
    }
    bool read_fixed(std::size_t width) {
        if (rest_.size() < width)
            return false;
        for (std::size_t i = 0; i < width; ++i)
            number_ |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[i])) << (8 * i);
        rest_.remove_prefix(width);
        return true;
    }

    std::string_view rest_;
    std::string_view bytes_;
    std::uint64_t number_ = 0;
    std::uint32_t field_ = 0;
    std::uint32_t kind_ = 0;
    bool cut_ = false;
    bool damaged_ = false;
};

/// Calls visit(number) for the values of a repeated number, packed or not. False: the packed ones are damaged.
template <typename Visit>
bool for_each_number(const WireReader& field, Visit visit) {
    if (!field.is_bytes(field.field())) {
        visit(field.integer());
        return true;
    }
    std::string_view rest = field.bytes();
    while (!rest.empty()) {
        std::uint64_t value = 0;
        std::size_t i = 0;
        for (;; ++i) {
            if (i == rest.size() || i == 10)
                return false;
            const auto byte = static_cast<unsigned char>(rest[i]);
            value |= static_cast<std::uint64_t>(byte & 0x7F) << (7 * i);
            if (byte < 0x80)
                break;
        }
        rest.remove_prefix(i + 1);
        visit(static_cast<std::int64_t>(value));
    }
    return !field.cut();
}

} // namespace rankscope
