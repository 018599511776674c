// SPDX-License-Identifier: GPL-3.0-or-later
// Digests and cache files, with right checksums whatever the fuzzer did to them: what the reader accepts, all metrics
// and findings must bear. The input is such a file; its header says which of the two it is.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "core/analysis/findings/findings.h"
#include "core/input/digest/trace_file.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/section_mutation.h"

using namespace rankscope;

namespace {

std::shared_ptr<const Run> run_of_cache(const std::filesystem::path& path) {
    auto run = std::make_shared<Run>();
    run->names = std::make_shared<StringTable>();
    run->names->intern("something that moves all ids");
    const auto file = read_trace_file(path, TraceFileKind::cache, run->names);
    if (!file)
        return nullptr;
    run->path = path;
    run->ranks.push_back(file->trace);
    run->world_size = 1;
    run->span = file->trace->span;
    return run;
}

std::shared_ptr<const Run> run_of_digest(const std::filesystem::path& folder) {
    const auto run = load_run(folder);
    return run ? *run : nullptr;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const FuzzFolder folder;
    std::string file(fuzz_text(data, size));
    renew_checksums(file);
    const bool cache = purpose_of(file) == static_cast<std::uint32_t>(TraceFileKind::cache);
    const auto path = folder.write("rank0.digest", file);
    (void)peek_trace_file(path, TraceFileKind::digest);
    const std::shared_ptr<const Run> run = cache ? run_of_cache(path) : run_of_digest(folder.path());
    if (!run)
        return 0;
    const RunAnalysis analysis(run, {});
    (void)compute_metrics(analysis);
    (void)analysis.findings();
    return 0;
}

#ifdef RANKSCOPE_FUZZER
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

/// Mostly one section; now and then the bytes of the file, for header and table.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
    const std::string_view file = fuzz_text(data, size);
    auto sections = sections_in(file);
    if (seed % 16 == 0 || !sections || sections->empty())
        return LLVMFuzzerMutate(data, size, max_size);
    FuzzSection& section = (*sections)[seed / 64 % sections->size()];
    const std::size_t plain_size = section.plain.size();
    section.plain.resize(plain_size + 64);
    section.plain.resize(
        LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(section.plain.data()), plain_size, section.plain.size()));
    section.settle(seed / 16 % 4 != 0);
    const std::string changed = file_of(file, *sections);
    if (changed.size() > max_size)
        return LLVMFuzzerMutate(data, size, max_size);
    std::copy(changed.begin(), changed.end(), data);
    return changed.size();
}
#endif
