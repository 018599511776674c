// SPDX-License-Identifier: GPL-3.0-or-later
// A problem found in the data: counted, shown to the user, never silent. Only "nothing to show at all" is an error.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace rankscope {

/// code: stable snake_case word for programs; message: one sentence that says what it means for the numbers;
/// file: the input it concerns, as given by the user (may be empty); count: how often it was met.
struct Notice {
    std::string code;
    std::string message;
    std::string file;
    std::int64_t count = 1;

    friend bool operator==(const Notice&, const Notice&) = default;
};

using Notices = std::vector<Notice>;

/// Adds a notice, or raises the count of the one with the same code, file and message.
void add_notice(Notices& notices, Notice notice);

/// Why something could not be done at all, in one line: what, which file, what to do.
struct Error {
    enum class Code { usage, input, output, cancelled };
    Code code = Code::input;
    std::string message;
};

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> input_error(std::string message) {
    return tl::unexpected<Error>(Error{Error::Code::input, std::move(message)});
}

} // namespace rankscope
