// SPDX-License-Identifier: GPL-3.0-or-later
// rankscope_core_texts SOURCE FILE: writes what core and the program say in the window as a source file that lupdate
// reads (scripts/translations): words of core's tables, and the literals of sentences ("..."_text,
// core/base/message.h).
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include <QRegularExpression>
#include <nlohmann/json.hpp>

#include "widgets/core_texts.h"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sourcesOf(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h")
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

/// Literals beside each other are one text, and the last has the ending.
void writeLiterals(const fs::path& source, std::ostream& file) {
    static const QRegularExpression literals(
        QStringLiteral(R"re(((?:"(?:[^"\\\n]|\\.)*"\s*)+)(?<=[^"]")_(text|many)\b)re"));
    std::ifstream stream(source);
    QString text = QString::fromStdString({std::istreambuf_iterator<char>(stream), {}});
    text.remove(QRegularExpression(QStringLiteral("^\\s*//.*$"), QRegularExpression::MultilineOption));
    for (const auto& match : literals.globalMatch(text)) {
        const bool plural = match.captured(2) == QStringLiteral("many");
        file << (plural ? "QT_TRANSLATE_N_NOOP" : "QT_TRANSLATE_NOOP") << "(\"Core\", "
             << match.captured(1).toStdString() << ");\n";
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: rankscope_core_texts SOURCE FILE\n";
        return 2;
    }
    std::ofstream file(argv[2]);
    for (const std::string& text : rankscope::coreTexts())
        file << "QT_TRANSLATE_NOOP(\"Core\", " << nlohmann::json(text).dump() << ");\n";
    for (const char* folder : {"core", "app"})
        for (const fs::path& source : sourcesOf(fs::path(argv[1]) / folder))
            writeLiterals(source, file);
    file.close();
    return file ? 0 : 1;
}
