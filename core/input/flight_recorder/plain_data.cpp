// SPDX-License-Identifier: GPL-3.0-or-later
// Plain data, and how JSON becomes such.
#include "core/input/flight_recorder/plain_data.h"

#include <algorithm>
#include <array>
#include <limits>

#include <nlohmann/json.hpp>

namespace rankscope {
namespace {

using Kind = PlainValue::Kind;

/// Puts together what nlohmann's parser meets, which does not recurse either.
class PlainBuilder {
public:
    explicit PlainBuilder(PlainData& data) : data_(data) {}
    [[nodiscard]] const Message& problem() const { return problem_; }

    bool null() { return put(PlainData::none()); }
    bool boolean(bool value) { return put(PlainData::boolean(value)); }
    bool number_integer(std::int64_t value) { return put(PlainData::number(value)); }
    bool number_unsigned(std::uint64_t value) {
        return value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
                   ? put(PlainData::number(static_cast<std::int64_t>(value)))
                   : put(PlainData::real(static_cast<double>(value)));
    }
    bool number_float(double value, const std::string&) { return put(PlainData::real(value)); }
    bool string(std::string& value) { return put(data_.copy(value)); }
    bool binary(nlohmann::json::binary_t&) { return false; }
    bool start_object(std::size_t) { return open(Kind::dict); }
    bool key(std::string& value) {
        keys_.back() = data_.copy(value);
        return true;
    }
    bool end_object() { return close(); }
    bool start_array(std::size_t) { return open(Kind::list); }
    bool end_array() { return close(); }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) {
        problem_ = "not JSON at byte %1"_text(position);
        return false;
    }

private:
    bool put(const PlainValue& value) {
        if (open_.empty()) {
            data_.set_root(value);
            return true;
        }
        const PlainValue& into = open_.back();
        const std::array<PlainValue, 2> pair{keys_.back(), value};
        const std::span<const PlainValue> both(pair);
        if (data_.append(into, into.kind == Kind::dict ? both : both.subspan(1)))
            return true;
        problem_ = "more than %1 values"_text(data_.limits().values);
        return false;
    }
    bool open(Kind kind) {
        const PlainValue value = data_.container(kind);
        if (!put(value))
            return false;
        if (open_.size() >= data_.limits().depth) {
            problem_ = "nested deeper than %1"_text(data_.limits().depth);
            return false;
        }
        open_.push_back(value);
        keys_.emplace_back();
        return true;
    }
    bool close() {
        open_.pop_back();
        keys_.pop_back();
        return true;
    }

    PlainData& data_;
    std::vector<PlainValue> open_;
    std::vector<PlainValue> keys_; ///< the last of each that is open
    Message problem_;
};

} // namespace

std::span<const PlainValue> PlainData::items(const PlainValue& value) const {
    if (value.kind != Kind::list && value.kind != Kind::dict)
        return {};
    const Container& container = containers_[value.container];
    return std::span(items_).subspan(container.begin, container.size);
}

const PlainValue* PlainData::find(const PlainValue& dict, std::string_view key) const {
    if (dict.kind != Kind::dict)
        return nullptr;
    const auto pairs = items(dict);
    const PlainValue* found = nullptr;
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
        if (pairs[i].kind == Kind::text && text(pairs[i]) == key)
            found = &pairs[i + 1]; // the last one counts, as in Python
    return found;
}

std::optional<std::int64_t> PlainData::integer(const PlainValue& value) {
    if (value.kind == Kind::integer)
        return value.integer;
    constexpr double kExact = 9007199254740992; // 2^53
    if (value.kind == Kind::real && value.real >= -kExact && value.real <= kExact)
        return static_cast<std::int64_t>(value.real);
    return std::nullopt;
}

PlainValue PlainData::boolean(bool value) {
    PlainValue made;
    made.kind = Kind::boolean;
    made.integer = value ? 1 : 0;
    return made;
}

PlainValue PlainData::number(std::int64_t value) {
    PlainValue made;
    made.kind = Kind::integer;
    made.integer = value;
    return made;
}

PlainValue PlainData::real(double value) {
    PlainValue made;
    made.kind = Kind::real;
    made.real = value;
    return made;
}

PlainValue PlainData::view(std::string_view characters) {
    PlainValue made;
    made.kind = Kind::text;
    made.length = static_cast<std::uint32_t>(std::min<std::size_t>(characters.size(), UINT32_MAX));
    made.text = characters.data();
    return made;
}

PlainValue PlainData::copy(std::string_view characters) { return view(copies_.emplace_back(characters)); }

PlainValue PlainData::container(PlainValue::Kind kind) {
    PlainValue made;
    made.kind = kind;
    made.container = containers_.size();
    containers_.emplace_back();
    return made;
}

void PlainData::release(const PlainValue& value) {
    Container& container = containers_[value.container];
    if (container.capacity > 0 && container.begin + container.capacity == items_.size()) {
        items_.resize(container.begin);
        used_ -= container.capacity;
    }
    container = {};
}

void PlainData::clear(const PlainLimits& limits) {
    limits_ = limits;
    root_ = {};
    used_ = 0;
    items_.clear();
    containers_.clear();
    copies_.clear();
}

std::size_t PlainData::memory_bytes() const {
    return items_.capacity() * sizeof(PlainValue) + containers_.capacity() * sizeof(Container);
}

bool PlainData::append(const PlainValue& value, std::span<const PlainValue> more) {
    Container& container = containers_[value.container];
    const std::size_t size = container.size + more.size();
    if (container.capacity == 0) { // most containers are filled once
        if (!count(more.size()))
            return false;
        container = {items_.size(), size, size};
        items_.insert(items_.end(), more.begin(), more.end());
        return true;
    }
    if (size > container.capacity) {
        if (container.begin + container.capacity == items_.size()) {
            if (!count(size - container.capacity))
                return false;
            container.capacity = size; // the last one grows where it is
        } else {
            // Doubled when it moves, so that what is appended one by one is not copied each time.
            const std::size_t capacity = 2 * size;
            if (!count(capacity))
                return false;
            const std::size_t begin = items_.size();
            items_.resize(begin + capacity);
            std::copy_n(items_.begin() + static_cast<std::ptrdiff_t>(container.begin), container.size,
                        items_.begin() + static_cast<std::ptrdiff_t>(begin));
            container.begin = begin;
            container.capacity = capacity;
        }
        items_.resize(container.begin + container.capacity);
    }
    std::ranges::copy(more, items_.begin() + static_cast<std::ptrdiff_t>(container.begin + container.size));
    container.size = size;
    return true;
}

Result<PlainData> parse_plain_json(std::string_view text, const PlainLimits& limits) {
    if (text.size() > limits.bytes)
        return input_error("larger than %1 bytes"_text(limits.bytes));
    PlainData data(limits);
    PlainBuilder builder(data);
    if (!nlohmann::json::sax_parse(text, &builder))
        return input_error(builder.problem().empty() ? "not JSON"_text() : builder.problem());
    return data;
}

} // namespace rankscope
