// SPDX-License-Identifier: GPL-3.0-or-later
// A real trace cut at 2 000 places: what is recovered grows with the length, and is what a reader that looks at one
// character after the other and keeps every object that is whole would find.
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/input/kineto/kineto_reader.h"
#include "tests/support/test_program.h"

namespace rankscope::truncation_test {

namespace fs = std::filesystem;

namespace {

constexpr int kCuts = 2000;

std::string file_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

fs::path first_file(const fs::path& folder) {
    const std::vector<fs::path> files(fs::directory_iterator(folder), {});
    return *std::ranges::min_element(files);
}

/// Offsets just behind each whole object of traceEvents that is a complete event.
std::vector<std::size_t> event_ends(const std::string& text) {
    std::vector<std::size_t> ends;
    std::size_t at = text.find('[', text.find("\"traceEvents\"")) + 1;
    std::size_t begin = 0;
    bool in_string = false;
    for (int depth = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (in_string) {
            at += c == '\\' ? 1 : 0;
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (depth++ == 0)
                begin = at;
        } else if ((c == '}' || c == ']') && --depth < 0) {
            break; // the array's own end
        } else if ((c == '}' || c == ']') && depth == 0) {
            const auto event = nlohmann::json::parse(text.substr(begin, at + 1 - begin));
            if (event.value("ph", "") == "X" && event.contains("ts") && event.contains("dur"))
                ends.push_back(at + 1);
        }
    }
    return ends;
}

} // namespace

class TestTruncation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPrefixGivesItsWholeEvents() {
        const fs::path folder = fs::path(RANKSCOPE_SHARED_DIR) / "traces/dlrm_v100_8rank";
        if (!fs::is_directory(folder))
            QSKIP("skipped: no shared traces");
        const std::string text = file_text(first_file(folder));
        const std::vector<std::size_t> ends = event_ends(text);
        QVERIFY(ends.size() > 1000);

        QTemporaryDir scratch;
        const fs::path cut_file = fs::path(scratch.path().toStdString()) / "rank0_trace.json";
        std::ofstream(cut_file, std::ios::binary) << text;
        std::size_t last = ends.size();
        // From the end, so that each cut only shortens the file.
        for (int i = 0; i <= kCuts; ++i) {
            const std::size_t length = text.size() - text.size() * static_cast<std::size_t>(i) / kCuts;
            fs::resize_file(cut_file, length);
            const auto expected =
                static_cast<std::size_t>(std::ranges::count_if(ends, [&](std::size_t end) { return end <= length; }));
            const auto rank = read_kineto(cut_file, std::make_shared<StringTable>(), {});
            const std::size_t found = rank ? (*rank)->events.size() : 0;
            QVERIFY2(found == expected,
                     fmt::format("{} of {} events in the first {} bytes", found, expected, length).c_str());
            QVERIFY(found <= last);
            last = found;
            if (rank && i > 0)
                QVERIFY(std::ranges::any_of((*rank)->notices,
                                            [](const Notice& notice) { return notice.code == "truncated_file"; }));
        }
        QCOMPARE(last, std::size_t(0));
    }
};

RANKSCOPE_TEST(TestTruncation)

} // namespace rankscope::truncation_test

#include "test_truncation.moc"
