// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/find/what_it_is.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text_match.h"
#include "core/input/bytes/byte_source.h"
#include "core/input/bytes/sqlite_file.h"
#include "core/input/kineto/kineto_reader.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

std::string first_bytes(ByteSource& source) {
    constexpr std::size_t kEnough = 256 * 1024;
    std::string text(kEnough, '\0');
    std::size_t filled = 0;
    while (filled < text.size()) {
        const std::size_t got = source.read({text.data() + filled, text.size() - filled});
        if (got == 0)
            break;
        filled += got;
    }
    text.resize(filled);
    return text;
}

/// Of nvidia-smi, its dmon, DCGM's exporter or amd-smi.
bool is_log_of_gpus(std::string_view text) {
    using namespace std::string_view_literals;
    static constexpr std::array kWords{"utilization.gpu"sv, "clocks.current."sv, "DCGM_FI_DEV_"sv, "gtemp mtemp"sv,
                                       ",gfx_activity,"sv};
    return contains_any(text.substr(0, 4096), kWords);
}

bool is_json_of_snapshot(std::string_view text) {
    return contains(text, "device_traces") && contains(text, "segments");
}

Message what_database(const fs::path& path) {
    const auto file = SqliteFile::open(path);
    const SqliteTable* kernels = file ? file->table("A") : nullptr;
    if (kernels != nullptr && kernels->has("KernelName"))
        return "it is a database of rocprofiler v1, which holds no times; record with rocprofv3 --output-format rocpd"_text;
    if (contains(lower_case(path.filename().string()), "ascend_pytorch_profiler") ||
        (file && file->table("RANK_DEVICE_MAP") != nullptr))
        return "it is a database of torch_npu (Ascend), which is not read; open it in MindStudio Insight"_text;
    if (file && file->table("CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL") != nullptr)
        return "it is a database of nvprof, which is not read; record the run with nsys"_text;
    return "it is a database of another program"_text;
}

/// Empty: not known.
Message what_by_content(const fs::path& path, std::string_view text) {
    const std::string name = lower_case(path.filename().string());
    if (text.starts_with("SQLite format 3"))
        return what_database(path);
    if (text.starts_with("version https://git-lfs.github.com/spec/"))
        return "it is a pointer of Git LFS; fetch the file itself with git lfs pull"_text;
    if (is_json_of_snapshot(text))
        return "it is a memory snapshot of PyTorch as JSON; write it with torch.cuda.memory._dump_snapshot"_text;
    if (is_log_of_gpus(text))
        return "it is a log of GPUs; put it into the folder of the traces, and open that"_text();
    if (contains(text, "NVRM: Xid (") || contains(text, "PCIe Bus Error: severity="))
        return "it is a log of a kernel; put it into the folder of the traces, and open that"_text();
    if (contains(name, "memory_timeline") && (text.starts_with("[[") || text.starts_with("<")))
        return "it is a memory timeline of PyTorch, which holds no GPU work; open the trace that it was made of"_text;
    if (text.starts_with("PK\x03\x04"))
        return contains(text, "data.pkl")
                   ? "it is a checkpoint of PyTorch; open the traces that the profiler wrote"_text
                   : "it is a ZIP archive; unpack it and open what is in it"_text;
    if (name.ends_with(".et"))
        return "it is a Chakra graph, which holds no measured times; open the Kineto trace that it was made of"_text;
    if (name.ends_with(".ncu-rep"))
        return "it is a report of Nsight Compute on single kernels; record the run with nsys"_text;
    if (contains(name, "tfevents"))
        return "it is a log of TensorBoard; open the traces of the profiler, in plugins/profile beside it"_text;
    if (contains(text, "speedscope.app/file-format-schema"))
        return "it is a profile for speedscope, which holds no GPU work; record a trace with torch.profiler"_text;
    return {};
}

/// What a profiler's file is that holds a trace in a format that is not read, and what to open instead; empty: none.
Message unread_recording(const fs::path& path) {
    const std::string name = lower_case(path.filename().string());
    if (const bool is_arrow = name.ends_with(".arrow"); is_arrow || name.ends_with(".parquet"))
        return "%1 is an export of Nsight Systems in %2, which is not read: make another from the report with "
               "nsys export --type sqlite --output report.sqlite report.nsys-rep, and open that"_text(
                   path.string(), is_arrow ? "Arrow" : "Parquet");
    if (name.ends_with(".ntff") || name.ends_with(".neff") || name == "ntrace.pb")
        return "%1 is of AWS Neuron's profiler, which is not read: open it in Neuron Explorer"_text(path.string());
    const fs::path unpacked = name.ends_with(".gz") || name.ends_with(".zst") ? fs::path(name).stem() : fs::path(name);
    if (unpacked.extension() == ".pftrace" || unpacked.extension() == ".perfetto-trace")
        return "%1 is a trace for Perfetto, which is not read: open the run that it was exported from, or record with "
               "rocprofv3 --output-format rocpd, and open the .db"_text(path.string());
    const bool is_table = name.ends_with(".csv");
    if (!is_table && !name.ends_with(".json"))
        return {};
    std::ifstream file(path, std::ios::binary);
    std::string beginning(256, '\0');
    file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    if (is_table)
        return beginning.starts_with("\"Kind\",") || beginning.starts_with("\"Index\",\"KernelName\"") ||
                       beginning.starts_with("\"Name\",\"Calls\",\"TotalDurationNs\"")
                   ? "%1 is a table of AMD's rocprof, which is not read: record with rocprofv3 --output-format rocpd, "
                     "and "
                     "open the .db"_text(path.string())
                   : Message{};
    return contains(beginning, "\"rocprofiler-sdk-tool\"")
               ? "%1 is rocprofv3's own JSON, which is not read: record with rocprofv3 --output-format rocpd, and open "
                 "the .db"_text(path.string())
               : Message{};
}

/// Sorted by path; no more than a folder of traces has.
std::vector<fs::path> files_under(const fs::path& folder) {
    constexpr std::size_t kMostLookedAt = 1000;
    std::error_code error;
    std::vector<fs::path> files;
    for (fs::recursive_directory_iterator entry(folder, error), end;
         !error && entry != end && files.size() < kMostLookedAt; entry.increment(error))
        if (entry->is_regular_file(error))
            files.push_back(entry->path());
    std::ranges::sort(files);
    return files;
}

/// Why it is no trace; empty: nothing in it tells.
Message what_it_tells(const fs::path& path, ByteSource& source) {
    return source.file_bytes() > 0 ? what_by_content(path, first_bytes(source)) : "the file is empty"_text();
}

Message no_trace(const fs::path& path, const Message& why) { return "%1 is no trace: %2"_text(path.string(), why); }

} // namespace

Message unread_recordings(const fs::path& folder) {
    // rocprofv3 writes into a folder for each host, nsys a Parquet export into a folder beside the report.
    for (const fs::path& file : files_under(folder))
        if (Message why = unread_recording(file); !why.empty())
            return why;
    return {};
}

Message what_is_there_instead(const fs::path& folder) {
    constexpr std::size_t kMostOpened = 20;
    std::vector<fs::path> files = files_under(folder);
    files.resize(std::min(files.size(), kMostOpened));
    for (const fs::path& file : files)
        if (const auto source = open_byte_source(file); source && ((*source)->file_bytes() > 0 || files.size() == 1))
            if (const Message why = what_it_tells(file, **source); !why.empty())
                return no_trace(file, why);
    return {};
}

Message what_it_is_instead(const fs::path& path) {
    const auto source = open_byte_source(path);
    if (!source)
        return source.error().message;
    if (Message recording = unread_recording(path); !recording.empty())
        return recording;
    Message why = what_it_tells(path, **source);
    if (why.empty()) {
        const auto peek = peek_kineto(path);
        const bool json = contains(lower_case(path.filename().string()), ".json");
        why = !json                                                         ? "it is of no known format"_text
              : peek && peek->kind == KinetoPeek::Kind::json_without_events ? "it has no traceEvents"_text
                                                                            : "it is not JSON"_text;
    }
    return no_trace(path, why);
}

} // namespace rankscope
