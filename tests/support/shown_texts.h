// SPDX-License-Identifier: GPL-3.0-or-later
// Everything a window says: what its widgets hold, and what they paint.
#pragma once
#include <QString>
#include <QWidget>

#include <functional>

namespace rankscope::test {

/// Calls found with each text and where it is ("QPushButton tooltip"): labels, buttons, headings and the first cells of
/// tables, lists, actions, tooltips, placeholders, accessible names, titles, and what visible widgets paint.
void eachShownText(QWidget& window, const std::function<void(const QString& text, const QString& where)>& found);

} // namespace rankscope::test
