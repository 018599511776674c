// SPDX-License-Identifier: GPL-3.0-or-later
// rankscope_pages: writes the man page and the shells' completions while building.
#include <fstream>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "app/option_pages.h"

using namespace rankscope;

int main(int count, char** arguments) {
    if (count != 3) {
        fmt::print(stderr, "usage: rankscope_pages PAGE.1.in FOLDER\n");
        return 2;
    }
    std::ifstream page(arguments[1]);
    const std::string text{std::istreambuf_iterator<char>(page), {}};
    if (text.empty()) {
        fmt::print(stderr, "rankscope_pages: cannot read {}\n", arguments[1]);
        return 1;
    }
    const std::string folder = arguments[2];
    const std::map<std::string, std::string> files{{"rankscope.1", man_page(text)},
                                                   {"rankscope.bash", bash_completion()},
                                                   {"_rankscope", zsh_completion()},
                                                   {"rankscope.fish", fish_completion()}};
    for (const auto& [name, content] : files) {
        std::ofstream out(folder + "/" + name, std::ios::binary);
        if (!(out << content).flush()) {
            fmt::print(stderr, "rankscope_pages: cannot write {}/{}\n", folder, name);
            return 1;
        }
    }
    return 0;
}
