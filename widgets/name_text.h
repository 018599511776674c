// SPDX-License-Identifier: GPL-3.0-or-later
// Names of a trace as one line of a table, a label or a tooltip shows them.
#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include <QString>
#include <QStringList>

namespace rankscope {

/// One line, and not a whole screen of it. Plain text: escape it where tags are understood.
QString nameText(std::string_view name);
/// The same of a kernel: what tells it apart comes first (core/trace/short_name.h). The whole name is for hovering and
/// copying.
QString shortNameText(std::string_view name);
/// A text that does not fit: its start, what is around `place`, and its end, as much of each as fits.
QString elidedAround(const QString& text, qsizetype place, const std::function<bool(const QString&)>& fits);
/// Of each text, where it first differs from the one most like it from the start on; 0: from no other.
std::vector<int> placesOfDifference(const QStringList& texts);

} // namespace rankscope
