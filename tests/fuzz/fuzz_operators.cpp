// SPDX-License-Identifier: GPL-3.0-or-later
// Work of operators: the first line is the name, the bytes behind it choose sizes, types and values of the inputs.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "core/analysis/operators/operator_work.h"

using namespace rankscope;

namespace {

constexpr std::array<std::string_view, 13> kTypes{
    "float",  "c10::BFloat16", "c10::Half", "int",        "long int",    "c10::Float8_e4m3fn", "unsigned char",
    "Scalar", "bool",          "",          "TensorList", "signed char", "ScalarList"};
constexpr std::array<std::int64_t, 15> kSizes{0, 1, 2, 3, 4, 8, 16, 32, 64, 128, 512, 1024, 4096, -1, INT64_MAX};
constexpr std::array<std::string_view, 17> kValues{"",     "1",          "2",         "0",   "-1",
                                                   "True", "False",      "[1, 1]",    "[0]", "[]",
                                                   "0.5",  "1.",         "[2, 2, 2]", "[",   "9223372036854775807",
                                                   "fp8",  "[[1,2],[3]]"};
constexpr std::size_t kMostInputs = 20;
constexpr std::size_t kMostDimensions = 6;

/// One byte after the other; zero behind the last.
struct Choices {
    std::string_view bytes;

    std::size_t next(std::size_t count) {
        const auto choice = bytes.empty() ? 0U : static_cast<unsigned char>(bytes.front());
        bytes = bytes.substr(std::min<std::size_t>(1, bytes.size()));
        return choice % count;
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t line = std::min(text.find('\n'), text.size());
    const std::string_view name = text.substr(0, line);
    if (!has_performance_model(name))
        return 0;
    Choices choices{text.substr(std::min(line + 1, size))};
    std::string dims;
    std::string types;
    std::string values;
    const std::size_t inputs = choices.next(kMostInputs);
    for (std::size_t i = 0; i < inputs; ++i) {
        const std::string_view comma = i == 0 ? "" : ", ";
        std::string input;
        const std::size_t dimensions = choices.next(kMostDimensions);
        for (std::size_t d = 0; d < dimensions; ++d)
            (input += d == 0 ? "" : ", ") += std::to_string(kSizes[choices.next(kSizes.size())]);
        ((dims += comma) += "[" + input) += "]";
        (((types += comma) += '"') += kTypes[choices.next(kTypes.size())]) += '"';
        (((values += comma) += '"') += kValues[choices.next(kValues.size())]) += '"';
    }
    const auto shapes = OperatorShapes::parse("[" + dims + "]", "[" + types + "]", "[" + values + "]");
    if (!shapes)
        return 0;
    const auto work = operator_work(name, *shapes);
    if (work && !(work->flops >= 0 && work->bytes >= 0)) { // NaN as well
        std::cerr << name << " [" << dims << "] [" << types << "] [" << values << "]: " << work->flops << " FLOPs, "
                  << work->bytes << " bytes\n";
        std::abort();
    }
    AttendedTokens attended;
    attended.context_q = static_cast<double>(kSizes[choices.next(12)]);
    attended.generation_q = static_cast<double>(kSizes[choices.next(12)]);
    attended.generation_qk = attended.context_qk = attended.context_q * 64;
    (void)paged_attention_work(name, *shapes, attended);
    return 0;
}
