// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/load/nccl_tests_logs.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/text_match.h"
#include "core/input/find/config_files.h"
#include "core/input/nccl_tests/nccl_tests_log.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// With NCCL_DEBUG=INFO of many ranks the table comes late.
constexpr std::size_t kBeginningOfTests = std::size_t{1} << 20;
constexpr std::size_t kMostOfTests = std::size_t{64} << 20;

bool may_be_nccl_tests(const fs::path& path) {
    using namespace std::string_view_literals;
    static constexpr std::array kEndings{".txt"sv, ".log"sv, ".out"sv};
    return is_one_of(lower_case(path.extension().string()), kEndings);
}

} // namespace

void join_nccl_tests(const fs::path& path, Run& run) {
    constexpr std::size_t kMostFiles = 1000;
    std::vector<fs::path> files = files_beside(path, may_be_nccl_tests);
    files.resize(std::min(files.size(), kMostFiles));
    for (const fs::path& file : files) {
        if (!begins_as_nccl_tests(beginning_of_file(file, kBeginningOfTests)))
            continue;
        auto curves = parse_nccl_tests(beginning_of_file(file, kMostOfTests), file.filename().string());
        if (!curves) {
            add_notice(run.notices, {"nccl_tests_broken", curves.error().message, file.string(), 1});
            continue;
        }
        std::int64_t points = 0;
        for (NcclTestCurve& curve : *curves) {
            curve.file = file;
            points += std::ssize(curve.points);
            run.nccl_tests.push_back(std::move(curve));
        }
        add_notice(run.notices,
                   {"nccl_tests", "nccl-tests: %1 sizes are shown as a reference"_text(points), file.string(), 1});
    }
}

} // namespace rankscope
