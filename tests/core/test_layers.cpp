// SPDX-License-Identifier: GPL-3.0-or-later
// Folders include only what stands below them in the list of docs/architecture.md.
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/test_program.h"

namespace rankscope::layers_test {

namespace fs = std::filesystem;

namespace {

const fs::path kSource = RANKSCOPE_SOURCE_DIR;

/// The folders in the block after "<!-- layers -->", from the ground up.
std::vector<std::string> documented_layers() {
    std::ifstream file(kSource / "docs/architecture.md");
    std::vector<std::string> layers;
    std::string line;
    while (std::getline(file, line) && line != "<!-- layers -->") {
    }
    std::getline(file, line); // the fence
    while (std::getline(file, line) && !line.starts_with("```"))
        layers.push_back(line.substr(0, line.find(' ')));
    return layers;
}

/// A folder is its own layer where the list names it, else part of its parent's.
std::string layer_of(const std::vector<std::string>& layers, fs::path folder) {
    while (!folder.empty() && std::ranges::find(layers, folder.generic_string()) == layers.end())
        folder = folder.parent_path();
    return folder.generic_string();
}

struct Include {
    std::string from;
    std::string to;
    bool operator<(const Include& other) const { return std::tie(from, to) < std::tie(other.from, other.to); }
};

/// What a line includes of this project; empty for every other line.
std::string own_include(const std::string& line) {
    constexpr std::string_view kBegin = "#include \"";
    if (!line.starts_with(kBegin))
        return {};
    const std::string name = line.substr(kBegin.size(), line.find('"', kBegin.size()) - kBegin.size());
    const std::string root = name.substr(0, name.find('/'));
    return root == "app" || root == "core" || root == "widgets" || root == "tests" ? name : std::string();
}

/// Layers that include each other, with one example of each.
std::map<Include, std::string> includes_between(const std::vector<std::string>& layers) {
    std::map<Include, std::string> result;
    for (const char* root : {"app", "core", "widgets"})
        for (const auto& entry : fs::recursive_directory_iterator(kSource / root)) {
            const fs::path name = fs::relative(entry.path(), kSource);
            if (name.extension() != ".h" && name.extension() != ".cpp")
                continue;
            const std::string from = layer_of(layers, name.parent_path());
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);) {
                const fs::path included = own_include(line);
                if (included.empty())
                    continue;
                const std::string to = layer_of(layers, included.parent_path());
                if (included.parent_path() != "core") // generated
                    result.emplace(Include{from, to.empty() ? included.generic_string() : to},
                                   name.generic_string() + " includes " + included.generic_string());
            }
        }
    return result;
}

} // namespace

class TestLayers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFolderIsInTheList() {
        const std::vector<std::string> layers = documented_layers();
        QVERIFY(layers.size() > 20);
        for (const std::string& layer : layers)
            QVERIFY2(fs::is_directory(kSource / layer), layer.c_str());
        for (const char* root : {"app", "core"})
            for (const auto& entry : fs::recursive_directory_iterator(kSource / root))
                if (entry.path().extension() == ".cpp") {
                    const std::string folder = fs::relative(entry.path().parent_path(), kSource).generic_string();
                    QVERIFY2(std::ranges::find(layers, folder) != layers.end(), folder.c_str());
                }
    }

    void noFolderIncludesOneAboveIt() {
        const std::vector<std::string> layers = documented_layers();
        const auto place = [&](const std::string& layer) { return std::ranges::find(layers, layer) - layers.begin(); };
        std::map<std::string, std::set<std::string>> graph;
        for (const auto& [include, example] : includes_between(layers)) {
            QVERIFY2(place(include.to) <= place(include.from), example.c_str());
            if (include.to != include.from)
                graph[include.from].insert(include.to);
        }
        for (const auto& [from, to] : graph) {
            QStringList names;
            for (const std::string& name : to)
                names << QString::fromStdString(name);
            qInfo("%s -> %s", from.c_str(), qPrintable(names.join(u", ")));
        }
    }

    /// Analyses see a run, not files; readers know no analysis.
    void readersAndAnalysesKnowNothingOfEachOther() {
        for (const auto& [include, example] : includes_between(documented_layers())) {
            const bool analysis_reads =
                include.from.starts_with("core/analysis") && include.to.starts_with("core/input");
            const bool input_analyses =
                include.from.starts_with("core/input") && include.to.starts_with("core/analysis");
            QVERIFY2(!analysis_reads && !input_analyses, example.c_str());
        }
    }
};

RANKSCOPE_TEST(TestLayers)

} // namespace rankscope::layers_test

#include "test_layers.moc"
