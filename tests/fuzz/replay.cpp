// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for libFuzzer where a fuzzer is only replayed: every file of the folders given, whole and cut at up to 32
// places. As in scripts/fuzz, an execution over 1 s of processor time or 256 MB is a finding.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <sys/resource.h>

#include "tests/support/sanitized.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kCuts = 32;
constexpr double kMostSeconds = 1;
constexpr long kMostKilobytes = 256L * 1024;

struct Used {
    double seconds = 0;
    long kilobytes = 0;
};

/// So far.
Used used() {
    rusage all{};
    getrusage(RUSAGE_SELF, &all);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return {seconds(all.ru_utime) + seconds(all.ru_stime), all.ru_maxrss};
}

bool beyond_budget(const Used& before, const Used& after) {
    return !rankscope::test::kSanitized &&
           (after.seconds - before.seconds > kMostSeconds || after.kilobytes - before.kilobytes > kMostKilobytes);
}

std::size_t replay(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::vector<char> text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    for (std::size_t cut = 0; cut <= kCuts; ++cut) {
        // A copy of its own size: a sanitizer then sees a read beyond the end.
        const std::vector<std::uint8_t> part(bytes.begin(),
                                             bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() * cut / kCuts));
        const Used before = used();
        LLVMFuzzerTestOneInput(part.data(), part.size());
        if (const Used after = used(); beyond_budget(before, after)) {
            std::printf("%s, the first %zu bytes: %.2f s and %ld MB more, the budget is 1 s and 256 MB\n", file.c_str(),
                        part.size(), after.seconds - before.seconds, (after.kilobytes - before.kilobytes) / 1024);
            return 0;
        }
    }
    return kCuts + 1;
}

} // namespace

int main(int count, char** arguments) {
    std::size_t runs = 0;
    bool within_budget = true;
    for (int i = 1; i < count; ++i)
        for (const auto& entry : std::filesystem::directory_iterator(arguments[i]))
            if (entry.is_regular_file()) {
                const std::size_t more = replay(entry.path());
                within_budget &= more > 0;
                runs += more;
            }
    std::printf("%zu inputs replayed\n", runs);
    return runs > 0 && within_budget ? 0 : 1; // an empty corpus tests nothing
}
