// SPDX-License-Identifier: GPL-3.0-or-later
// Names of a trace as one line of a table, a label or a tooltip shows them.
#pragma once
#include <string_view>

#include <QString>

namespace rankscope {

/// One line, and not a whole screen of it. Plain text: escape it where tags are understood.
QString nameText(std::string_view name);
/// The same of a kernel: what tells it apart comes first (core/trace/short_name.h). The whole name is for hovering and
/// copying.
QString shortNameText(std::string_view name);

} // namespace rankscope
