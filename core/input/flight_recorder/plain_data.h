// SPDX-License-Identifier: GPL-3.0-or-later
// Plain data as a pickle or a JSON text holds them: lists, dicts, texts, numbers. Values may occur in several places,
// even within themselves: whoever walks over them counts its steps.
#pragma once
#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/notice.h"

namespace rankscope {

struct PlainValue {
    enum class Kind : std::uint8_t { none, boolean, integer, real, text, list, dict };
    Kind kind = Kind::none;
    std::uint32_t length = 0; ///< of a text
    union {
        std::int64_t integer = 0; ///< also of a boolean
        double real;
        const char* text;
        std::uint64_t container; ///< its number in the PlainData
    };
};

/// What reading untrusted data may take.
struct PlainLimits {
    std::size_t bytes = std::size_t{1} << 30;  ///< of the text
    std::size_t values = std::size_t{1} << 26; ///< on the stack, in containers and in the memo together
    std::size_t depth = 256;                   ///< of containers in containers, as they are written
};

/// The values of one document. Texts lie in the document itself, which must outlive it, or in here.
class PlainData {
public:
    explicit PlainData(const PlainLimits& limits = {}) : limits_(limits) {}
    PlainData(PlainData&&) = default;
    PlainData& operator=(PlainData&&) = default;

    [[nodiscard]] const PlainValue& root() const { return root_; }
    void set_root(PlainValue value) { root_ = value; }

    /// Elements of a list; keys and values in turn of a dict; empty for all else.
    [[nodiscard]] std::span<const PlainValue> items(const PlainValue& value) const;
    /// What the dict holds under the key; nullptr without.
    [[nodiscard]] const PlainValue* find(const PlainValue& dict, std::string_view key) const;
    [[nodiscard]] static std::string_view text(const PlainValue& value) {
        return value.kind == PlainValue::Kind::text ? std::string_view(value.text, value.length) : std::string_view();
    }
    [[nodiscard]] static std::optional<std::int64_t> integer(const PlainValue& value);
    [[nodiscard]] std::size_t value_count() const { return used_; }

    static PlainValue none() { return {}; }
    static PlainValue boolean(bool value);
    static PlainValue number(std::int64_t value);
    static PlainValue real(double value);
    /// The characters must outlive the data.
    static PlainValue view(std::string_view characters);
    /// Keeps a copy.
    PlainValue copy(std::string_view characters);
    PlainValue container(PlainValue::Kind kind);
    /// Forgets all values, not the memory they took.
    void clear(const PlainLimits& limits);
    [[nodiscard]] std::size_t memory_bytes() const;
    /// value: a list or dict. False: more values than the limit allows.
    [[nodiscard]] bool append(const PlainValue& value, std::span<const PlainValue> more);
    /// Forgets what a container holds. The memory comes back where it was filled last.
    void release(const PlainValue& container);
    /// Counts values that lie elsewhere; false beyond the limit.
    [[nodiscard]] bool count(std::size_t values) { return (used_ += values) <= limits_.values; }
    [[nodiscard]] const PlainLimits& limits() const { return limits_; }

private:
    struct Container {
        std::size_t begin = 0;
        std::size_t size = 0;
        std::size_t capacity = 0;
    };
    PlainLimits limits_;
    PlainValue root_;
    std::size_t used_ = 0;
    std::vector<PlainValue> items_;
    std::vector<Container> containers_;
    std::list<std::string> copies_;
};

/// JSON of the same kinds of values. Error: not JSON, or beyond the limits.
Result<PlainData> parse_plain_json(std::string_view text, const PlainLimits& limits = {});

} // namespace rankscope
