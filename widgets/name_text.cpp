// SPDX-License-Identifier: GPL-3.0-or-later
// Names of a trace as one line.
#include "widgets/name_text.h"

#include <algorithm>

#include "core/trace/short_name.h"

namespace rankscope {

QString nameText(std::string_view name) {
    constexpr std::size_t kMost = 400;
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(std::min(name.size(), kMost))).simplified();
}

QString shortNameText(std::string_view name) { return nameText(short_name(name)); }

} // namespace rankscope
