// SPDX-License-Identifier: GPL-3.0-or-later
// rankscope_core_texts FILE: writes what core's texts in the window are as a source file that lupdate reads
// (scripts/translations).
#include <fstream>
#include <iostream>

#include <nlohmann/json.hpp>

#include "widgets/core_texts.h"

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: rankscope_core_texts FILE\n";
        return 2;
    }
    std::ofstream file(argv[1]);
    for (const std::string& text : rankscope::coreTexts())
        file << "QT_TRANSLATE_NOOP(\"Core\", " << nlohmann::json(text).dump() << ");\n";
    file.close();
    return file ? 0 : 1;
}
