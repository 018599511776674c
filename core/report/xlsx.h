// SPDX-License-Identifier: GPL-3.0-or-later
// Sheets as an Office Open XML workbook.
#pragma once
#include <filesystem>
#include <span>

#include "core/base/notice.h"
#include "core/report/sheet.h"

namespace rankscope {

/// Writes the file whole or not at all. Every sheet is a table with filters and a frozen header. Text is only ever
/// written as text, so no cell is a formula. Of more rows than a sheet can hold the last say how many are missing. Same
/// sheets: same bytes.
Result<void> write_workbook(const std::filesystem::path& path, std::span<const Sheet> sheets);

} // namespace rankscope
