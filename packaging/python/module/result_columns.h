// SPDX-License-Identifier: GPL-3.0-or-later
// The result of a query, column by column, for NumPy. Knows nothing of Python.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/query/query.h"

namespace rankscope::python {

/// A column takes the narrowest of these kinds that holds all of its values. `mixed` are texts and numbers.
enum class ResultKind : std::uint8_t { nothing, integer, real, text, mixed };

/// Values in order of the rows. NULL is 0 in integers, NaN in reals and -1 in codes.
class ResultColumn {
public:
    explicit ResultColumn(std::string column) : name(std::move(column)) {}
    void add(const QueryValue& value);

    std::string name;
    ResultKind kind = ResultKind::nothing;
    std::size_t rows = 0;
    std::vector<std::int64_t> integers;
    std::vector<double> reals;
    std::vector<std::int32_t> codes;   ///< places in texts
    std::vector<std::string> texts;    ///< each once
    std::vector<QueryValue> values;    ///< of a mixed column
    std::vector<std::uint8_t> missing; ///< 1: NULL; empty: none is NULL. Of integers only

private:
    void add_null();
    void add_integer(std::int64_t value);
    void add_real(double value);
    void add_text(std::string_view value);
    void become(ResultKind wanted);
    [[nodiscard]] QueryValue value_at(std::size_t row) const;
    std::int32_t code_of(std::string_view text);

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> code_of_text_;
};

class ResultColumns : public QuerySink {
public:
    void columns(std::span<const std::string> names) override;
    bool row(std::span<const QueryValue> values) override;

    std::vector<ResultColumn> result;
};

} // namespace rankscope::python
