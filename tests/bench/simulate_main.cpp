// SPDX-License-Identifier: GPL-3.0-or-later
// rankscope_simulate: writes a simulated run of any size.
#include <charconv>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/demo/run_simulator.h"

using namespace rankscope;

namespace {

constexpr const char* kUsage =
    "usage: rankscope_simulate --output DIR [--pp N] [--dp N] [--tp N] [--microbatches N] [--layers N] [--steps N]\n"
    "    [--cpu-detail N] [--seed N] [--jitter F] [--slow-rank RANK:FACTOR:CAUSE] [--offset RANK:NS] [--gzip] [--amd]\n"
    "    [--stacks]   (CAUSE: slower_kernels, host_bound, late_data)\n";

template <typename Number>
bool read_number(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

bool read_slow_rank(std::string_view text, SlowRank& slow) {
    const std::size_t first = text.find(':');
    const std::size_t second = first == std::string_view::npos ? first : text.find(':', first + 1);
    if (second == std::string_view::npos)
        return false;
    for (const SlowCause cause : {SlowCause::slower_kernels, SlowCause::host_bound, SlowCause::late_data}) {
        if (slow_cause_word(cause) == text.substr(second + 1)) {
            slow.cause = cause;
            return read_number(text.substr(0, first), slow.rank) &&
                   read_number(text.substr(first + 1, second - first - 1), slow.factor);
        }
    }
    return false;
}

bool read_offset(std::string_view text, std::vector<TimeNs>& offsets) {
    const std::size_t colon = text.find(':');
    std::uint16_t rank = 0;
    TimeNs offset = 0;
    if (colon == std::string_view::npos || !read_number(text.substr(0, colon), rank) ||
        !read_number(text.substr(colon + 1), offset))
        return false;
    offsets.resize(std::max<std::size_t>(offsets.size(), rank + std::size_t{1}), 0);
    offsets[rank] = offset;
    return true;
}

/// The options of the command line, or nothing when it makes no sense.
std::optional<SimulatorOptions> read_arguments(int count, char** arguments, std::string& folder) {
    SimulatorOptions options;
    const std::map<std::string_view, std::function<void()>> flags = {
        {"--gzip", [&] { options.compression = Compression::gzip; }},
        {"--amd", [&] { options.vendor = GpuVendor::amd; }},
        {"--stacks", [&] { options.python_stacks = true; }},
    };
    using Reader = std::function<bool(std::string_view)>;
    const auto number_into = [](auto& target) -> Reader {
        return [&target](std::string_view text) { return read_number(text, target); };
    };
    const std::map<std::string_view, Reader> values = {
        {"--output",
         [&](std::string_view text) {
             folder = text;
             return !text.empty();
         }},
        {"--pp", number_into(options.pp)},
        {"--dp", number_into(options.dp)},
        {"--tp", number_into(options.tp)},
        {"--microbatches", number_into(options.microbatches)},
        {"--layers", number_into(options.layers)},
        {"--steps", number_into(options.steps)},
        {"--cpu-detail", number_into(options.cpu_detail)},
        {"--seed", number_into(options.seed)},
        {"--jitter", number_into(options.jitter)},
        {"--slow-rank", [&](std::string_view text) { return read_slow_rank(text, options.slow); }},
        {"--offset", [&](std::string_view text) { return read_offset(text, options.clock_offsets); }},
    };
    for (int i = 1; i < count; ++i) {
        const std::string_view name = arguments[i];
        if (const auto flag = flags.find(name); flag != flags.end()) {
            flag->second();
            continue;
        }
        const auto value = values.find(name);
        if (value == values.end() || i + 1 == count || !value->second(arguments[i + 1])) {
            fmt::print(stderr, "rankscope_simulate: cannot use {}\n", name);
            return std::nullopt;
        }
        ++i;
    }
    if (folder.empty())
        return std::nullopt;
    return options;
}

} // namespace

int main(int count, char** arguments) {
    std::string folder;
    const std::optional<SimulatorOptions> options = read_arguments(count, arguments, folder);
    if (!options) {
        fmt::print(stderr, "{}", kUsage);
        return 2;
    }
    const auto begin = std::chrono::steady_clock::now();
    const Result<RunTruth> truth = write_run(*options, folder);
    if (!truth) {
        fmt::print(stderr, "rankscope_simulate: {}\n", english(truth.error().message));
        return 1;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double megabytes = static_cast<double>(truth->bytes_written) / 1e6;
    fmt::print("{} ranks, {} events, {:.1f} MB of trace text in {:.2f} s ({:.0f} MB/s)\n", options->world_size(),
               truth->events_written, megabytes, seconds, megabytes / seconds);
    return 0;
}
