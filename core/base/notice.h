// SPDX-License-Identifier: GPL-3.0-or-later
// A problem found in the data: counted, shown to the user, never silent. Only "nothing to show at all" is an error.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/base/message.h"
#include "core/base/notice_kinds.h"

namespace rankscope {

/// A row of kNoticeKinds. Made of a word that is not in the table, it does not compile.
class NoticeCode {
public:
    consteval NoticeCode(const char* word) : row_(row_of(word)) { // implicit: notices are written {"code", ...}
        if (row_ == kNoticeKinds.size())
            throw "this code is not in notice_kinds.h";
    }
    /// Of a word that was read from a file; nothing where this version does not know it.
    static std::optional<NoticeCode> of(std::string_view word) {
        const std::size_t row = row_of(word);
        return row == kNoticeKinds.size() ? std::nullopt : std::optional(NoticeCode(row));
    }
    [[nodiscard]] const NoticeKind& kind() const { return kNoticeKinds[row_]; }
    [[nodiscard]] std::string_view word() const { return kind().code; }
    friend bool operator==(NoticeCode, NoticeCode) = default;
    friend bool operator==(NoticeCode code, std::string_view word) { return code.word() == word; }
    friend bool operator==(NoticeCode code, const char* word) { return code.word() == word; }

private:
    explicit constexpr NoticeCode(std::size_t row) : row_(row) {}
    static constexpr std::size_t row_of(std::string_view word) {
        std::size_t row = 0;
        while (row < kNoticeKinds.size() && kNoticeKinds[row].code != word)
            ++row;
        return row;
    }
    std::size_t row_;
};

/// message: one sentence that says what it means for the numbers; file: the input it concerns, as given by the user
/// (may be empty); count: how often it was met.
struct Notice {
    NoticeCode code = "of_newer_version";
    Message message;
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
    Message message;
};

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> input_error(Message message) {
    return tl::unexpected<Error>(Error{Error::Code::input, std::move(message)});
}

} // namespace rankscope
