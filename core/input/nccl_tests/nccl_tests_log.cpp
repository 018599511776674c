// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/nccl_tests/nccl_tests_log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "core/base/text_match.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

/// Words of a line, without what a launcher put before it.
std::vector<std::string_view> words_of_line(std::string_view line) {
    if (const std::size_t prefix = line.find("<stdout>:"); prefix != std::string_view::npos)
        line.remove_prefix(prefix + std::string_view("<stdout>:").size());
    std::vector<std::string_view> words;
    std::size_t at = 0;
    while ((at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos) {
        const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    // srun --label: "0:"
    if (!words.empty() && words[0].size() > 1 && words[0].ends_with(':') &&
        std::ranges::all_of(words[0].substr(0, words[0].size() - 1), is_digit))
        words.erase(words.begin());
    return words;
}

template <typename Number>
std::optional<Number> number_of(std::string_view word) {
    Number number{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc{} && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

/// NaN for what is no time or bandwidth.
double measured(std::string_view word) {
    const auto number = number_of<double>(word);
    return number && *number >= 0 && *number < 1e15 ? *number : std::numeric_limits<double>::quiet_NaN();
}

std::optional<CollectiveKind> kind_of_test(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, CollectiveKind>, 11> kTests{
        {{"all_reduce", CollectiveKind::all_reduce},
         {"all_gather", CollectiveKind::all_gather},
         {"reduce_scatter", CollectiveKind::reduce_scatter},
         {"alltoall", CollectiveKind::all_to_all},
         {"all_to_all", CollectiveKind::all_to_all},
         {"broadcast", CollectiveKind::broadcast},
         {"sendrecv", CollectiveKind::send_recv},
         {"send_recv", CollectiveKind::send_recv},
         {"scatter", CollectiveKind::scatter},
         {"gather", CollectiveKind::gather},
         {"reduce", CollectiveKind::reduce}}};
    for (const auto& [word, kind] : kTests)
        if (contains(text, word))
            return kind;
    return std::nullopt;
}

/// size count type ... time algbw busbw #wrong time algbw busbw #wrong
struct TestRow {
    NcclTestPoint point;
    std::string datatype;
};
std::optional<TestRow> row_of(const std::vector<std::string_view>& words) {
    constexpr std::size_t kMeasures = 8;
    if (words.size() < 3 + kMeasures)
        return std::nullopt;
    const auto bytes = number_of<std::int64_t>(words[0]);
    if (!bytes || *bytes < 0 || !number_of<std::int64_t>(words[1]) || number_of<double>(words[2]))
        return std::nullopt;
    const auto of = std::span(words).last(kMeasures);
    TestRow row;
    row.point = {*bytes, measured(of[0]), measured(of[2]), measured(of[4]), measured(of[6])};
    row.datatype = words[2];
    return row;
}

class TestLog {
public:
    explicit TestLog(std::string_view file_name) : of_file_(kind_of_test(lower_case(std::string(file_name)))) {}

    void take_line(std::string_view line) {
        const auto words = words_of_line(line);
        if (words.empty())
            return;
        if (const auto row = row_of(words)) {
            rows_[row->point.bytes] = row->point;
            datatype_ = row->datatype;
            return;
        }
        const auto test = std::ranges::find_if(words, [](std::string_view word) { return contains(word, "_perf"); });
        if (test != words.end())
            take_test(kind_of_test(test->substr(test->find_last_of('/') + 1)));
        if (words.size() > 3 && words[0] == "#" && words[1] == "Rank")
            if (const auto rank = number_of<int>(words[2]); rank && *rank >= 0 && *rank < kMostRanks)
                listed_ = std::max(listed_, *rank + 1);
        if (words.size() > 2 && words[0] == "#" && words[1] == "size" && words[2] == "count")
            end_table();
    }
    std::vector<NcclTestCurve> curves() {
        end_table();
        return std::move(curves_);
    }
    [[nodiscard]] bool had_rows() const { return had_rows_; }

private:
    /// The name stands before the table, and in newer versions behind it too.
    void take_test(std::optional<CollectiveKind> kind) {
        if (!kind)
            return;
        if (kind_ && *kind != *kind_) {
            end_table();
            listed_ = 0;
        }
        kind_ = kind;
    }
    void end_table() {
        if (rows_.empty())
            return;
        had_rows_ = true;
        const auto kind = kind_ ? kind_ : of_file_;
        NcclTestCurve curve;
        curve.kind = kind.value_or(CollectiveKind::other);
        curve.ranks = listed_;
        curve.datatype = datatype_;
        for (const auto& [bytes, point] : rows_)
            curve.points.push_back(point);
        if (kind)
            curves_.push_back(std::move(curve));
        rows_.clear();
    }

    std::optional<CollectiveKind> of_file_;
    std::optional<CollectiveKind> kind_;
    std::map<std::int64_t, NcclTestPoint> rows_;
    std::string datatype_;
    int listed_ = 0;
    bool had_rows_ = false;
    std::vector<NcclTestCurve> curves_;
};

} // namespace

bool begins_as_nccl_tests(std::string_view text) {
    return contains(text, "algbw") && contains(text, "busbw") && contains(text, "redop");
}

Result<std::vector<NcclTestCurve>> parse_nccl_tests(std::string_view text, std::string_view file_name) {
    TestLog log(file_name);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        log.take_line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    auto curves = log.curves();
    if (!curves.empty())
        return curves;
    return input_error(log.had_rows() ? "neither the log nor its name says which collective was measured"_text()
                                      : "it has no row of sizes and bandwidths"_text());
}

} // namespace rankscope
