// SPDX-License-Identifier: GPL-3.0-or-later
// The man page, docs/metrics.md, docs/notices.md and the shells' completions, made of the tables in the code, so
// that they cannot fall behind.
#pragma once
#include <string>
#include <string_view>

namespace rankscope {

/// rankscope(1): the page's text with @VERSION@, @OPTIONS@ and @METRICS@ filled in.
std::string man_page(std::string page);
/// docs/metrics.md: every built-in metric with its definition.
std::string metrics_page();
/// docs/notices.md: every notice, by how much it matters.
std::string notices_page();
/// docs/finding-kinds.md: every finding, with what to do.
std::string finding_kinds_page();
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

} // namespace rankscope
