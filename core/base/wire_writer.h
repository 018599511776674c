// SPDX-License-Identifier: GPL-3.0-or-later
// Writes Protocol Buffers field by field.
#pragma once
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace rankscope {

class WireWriter {
public:
    WireWriter& number(std::uint32_t field, std::int64_t value) {
        varint(std::uint64_t{field} << 3);
        varint(static_cast<std::uint64_t>(value));
        return *this;
    }
    WireWriter& fixed(std::uint32_t field, std::uint64_t bits) {
        varint(std::uint64_t{field} << 3 | 1);
        for (int i = 0; i < 8; ++i)
            bytes_.push_back(static_cast<char>(bits >> (8 * i)));
        return *this;
    }
    WireWriter& real(std::uint32_t field, double value) { return fixed(field, std::bit_cast<std::uint64_t>(value)); }
    WireWriter& bytes(std::uint32_t field, std::string_view value) {
        varint(std::uint64_t{field} << 3 | 2);
        varint(value.size());
        bytes_ += value;
        return *this;
    }
    WireWriter& message(std::uint32_t field, const WireWriter& value) { return bytes(field, value.text()); }
    /// The fields of another message.
    WireWriter& append(const WireWriter& fields) {
        bytes_ += fields.bytes_;
        return *this;
    }
    /// Repeated numbers, packed as proto3 has them.
    WireWriter& packed(std::uint32_t field, std::initializer_list<std::int64_t> values) {
        WireWriter list;
        for (const std::int64_t value : values)
            list.varint(static_cast<std::uint64_t>(value));
        return message(field, list);
    }
    [[nodiscard]] const std::string& text() const { return bytes_; }
    void clear() { bytes_.clear(); }

private:
    void varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            bytes_.push_back(static_cast<char>(value | 0x80));
        bytes_.push_back(static_cast<char>(value));
    }
    std::string bytes_;
};

} // namespace rankscope
