// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/name_filter.h"

#include <memory>

#include <re2/re2.h>

namespace rankscope {

Result<NameFilter> name_filter(const std::string& expression) {
    const auto compiled = std::make_shared<const re2::RE2>(expression, re2::RE2::Quiet);
    if (!compiled->ok())
        return tl::unexpected<Error>(Error{Error::Code::usage, compiled->error()});
    return NameFilter([compiled](std::string_view name) {
        return re2::RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), *compiled);
    });
}

} // namespace rankscope
