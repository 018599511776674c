// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for libFuzzer where a fuzzer is only replayed: every file of the folders given, whole and cut at up to 32
// places.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kCuts = 32;

std::size_t replay(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::vector<char> text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    for (std::size_t cut = 0; cut <= kCuts; ++cut) {
        // A copy of its own size: a sanitizer then sees a read beyond the end.
        const std::vector<std::uint8_t> part(bytes.begin(),
                                             bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() * cut / kCuts));
        LLVMFuzzerTestOneInput(part.data(), part.size());
    }
    return kCuts + 1;
}

} // namespace

int main(int count, char** arguments) {
    std::size_t runs = 0;
    for (int i = 1; i < count; ++i)
        for (const auto& entry : std::filesystem::directory_iterator(arguments[i]))
            if (entry.is_regular_file())
                runs += replay(entry.path());
    std::printf("%zu inputs replayed\n", runs);
    return runs > 0 ? 0 : 1; // an empty corpus tests nothing
}
