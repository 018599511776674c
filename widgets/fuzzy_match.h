// SPDX-License-Identifier: GPL-3.0-or-later
// How well a text matches what somebody typed in a hurry.
#pragma once
#include <optional>

#include <QStringView>

namespace rankscope {

/// Every word of `wanted` must stand in the text, as it is or as letters in this order ("exm": "Export metrics"); case
/// does not matter. More is better: beginnings of words before their middle, letters together before letters apart,
/// short texts before long ones. Nothing: no match. An empty `wanted` matches everything alike.
std::optional<int> fuzzyScore(QStringView wanted, QStringView text);

} // namespace rankscope
