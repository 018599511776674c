// SPDX-License-Identifier: GPL-3.0-or-later
// rankscope_pages: writes the man page and the shells' completions while building; by hand, docs/metrics.md,
// docs/notices.md and docs/finding-kinds.md.
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "app/command/option_pages.h"

using namespace rankscope;

namespace {

bool write(const std::string& path, const std::string& content) {
    std::ofstream out(path, std::ios::binary);
    if ((out << content).flush())
        return true;
    fmt::print(stderr, "rankscope_pages: cannot write {}\n", path);
    return false;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        fmt::print(stderr, "usage: rankscope_pages PAGE.1.in FOLDER | metrics|notices|findings FILE.md\n");
        return 2;
    }
    if (std::string_view(arguments[1]) == "metrics")
        return write(arguments[2], metrics_page()) ? 0 : 1;
    if (std::string_view(arguments[1]) == "notices")
        return write(arguments[2], notices_page()) ? 0 : 1;
    if (std::string_view(arguments[1]) == "findings")
        return write(arguments[2], finding_kinds_page()) ? 0 : 1;
    std::ifstream page(arguments[1]);
    const std::string text{std::istreambuf_iterator<char>(page), {}};
    if (text.empty()) {
        fmt::print(stderr, "rankscope_pages: cannot read {}\n", arguments[1]);
        return 1;
    }
    const std::string folder = std::string(arguments[2]) + "/";
    const bool written =
        write(folder + "rankscope.1", man_page(text)) && write(folder + "rankscope.bash", bash_completion()) &&
        write(folder + "_rankscope", zsh_completion()) && write(folder + "rankscope.fish", fish_completion());
    return written ? 0 : 1;
}
