// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/load/trace_cache.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <tuple>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/temporary_folder.h"
#include "core/base/user_folders.h"
#include "core/input/bytes/file_stamp.h"
#include "core/input/bytes/inflate_points.h"
#include "core/input/bytes/state_text.h"
#include "core/input/digest/trace_file.h"
#include "core/version.h"

namespace rankscope {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEnding = ".trace";

/// One thread that works off what is given to it.
class Background {
public:
    static Background& instance() {
        static Background background;
        return background;
    }
    ~Background() { finish(); }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    void add(std::function<void()> work) {
        const std::lock_guard lock(mutex_);
        queue_.push_back(std::move(work));
        try {
            if (!thread_.joinable())
                thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
        } catch (const std::system_error&) { // no thread to be had: it is not kept
            queue_.clear();
        }
        changed_.notify_all();
    }
    /// Waits until nothing is left; the thread ends.
    void finish() {
        std::jthread ending;
        {
            const std::lock_guard lock(mutex_);
            ending = std::move(thread_);
        }
        ending.request_stop(); // what is queued is done first
        if (ending.joinable())
            ending.join();
    }

private:
    Background() = default;
    void run(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, stop, [this] { return !queue_.empty(); });
            if (queue_.empty())
                return;
            const auto work = std::move(queue_.front());
            queue_.pop_front();
            lock.unlock();
            try {
                work();
            } catch (const std::bad_alloc&) { // what is not kept is read from its source the next time
            }
            lock.lock();
        }
    }
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<std::function<void()>> queue_;
    std::jthread thread_;
};

} // namespace

TraceCache::TraceCache(fs::path folder, std::uint64_t max_bytes) : folder_(std::move(folder)), max_bytes_(max_bytes) {}

fs::path TraceCache::default_folder() {
    const fs::path cache = user_cache_folder();
    return cache.empty() ? cache : cache / "traces";
}

std::string TraceCache::key_of(const RankFile& file) const {
    const auto stamp = stamp_of(file.path);
    if (!stamp || stamp->bytes < kLeastCachedBytes || folder_.empty() || file.format == nullptr ||
        file.format->source == TraceSource::digest)
        return {};
    // Another build may read otherwise.
    static const auto program = stamp_of("/proc/self/exe");
    std::string key = fmt::format("{}\n{}\n", kVersion, file.format->title) +
                      (program ? described(*program) : std::string()) + described(*stamp);
    if (!file.execution_trace.empty()) {
        const auto companion = stamp_of(file.execution_trace);
        if (!companion)
            return {};
        key += described(*companion);
    }
    for (const fs::path& capture : file.graph_captures) {
        const auto companion = stamp_of(capture);
        if (!companion)
            return {};
        key += described(*companion);
    }
    return key;
}

fs::path TraceCache::path_of(const std::string& key, std::size_t part) const {
    return folder_ / fmt::format("{}-{}{}", hashed(key), part, kEnding);
}

std::optional<RankTraces> TraceCache::find(const std::string& key, const fs::path& file_now,
                                           const std::shared_ptr<StringTable>& names) const {
    if (key.empty())
        return {};
    RankTraces ranks;
    // The key of a part says how many there are.
    for (std::size_t part = 0, count = 1; part < count; ++part) {
        const fs::path path = path_of(key, part);
        std::error_code error;
        if (!fs::exists(path, error))
            return {};
        auto file = read_trace_file(path, TraceFileKind::cache, names);
        const auto number_at = file ? file->key.rfind('#') : std::string::npos;
        if (!file || number_at == std::string::npos || file->key.compare(0, number_at, key) != 0) {
            fs::remove(path, error);
            return {};
        }
        count = std::strtoul(file->key.c_str() + number_at + 1, nullptr, 10);
        ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0); // used just now
        // The same file may have been given otherwise: relative, through a link.
        for (Notice& notice : file->trace->notices)
            if (notice.file == file->trace->file)
                notice.file = file_now.string();
        file->trace->file = file_now;
        file->trace->locator.points = std::make_shared<const InflatePoints>(); // filled when events are looked up
        ranks.push_back(std::move(file->trace));
    }
    return ranks;
}

Result<void> TraceCache::keep(const std::string& key, const RankTraces& ranks) const {
    if (key.empty())
        return {};
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error)
        return tl::unexpected<Error>(
            Error{Error::Code::output, "cannot create %1: %2"_text(folder_.string(), error.message())});
    fs::permissions(folder_, fs::perms::owner_all, error);
    for (std::size_t part = 0; part < ranks.size(); ++part)
        if (auto done = write_trace_file(path_of(key, part), *ranks[part], TraceFileKind::cache,
                                         fmt::format("{}#{}", key, ranks.size()));
            !done)
            return done;
    make_room();
    return {};
}

void TraceCache::keep_later(const std::string& key, RankTraces ranks) const {
    if (!key.empty())
        // A copy that cannot be written costs time later, nothing else.
        Background::instance().add(
            [cache = *this, key, ranks = std::move(ranks)] { std::ignore = cache.keep(key, ranks); });
}

namespace {

/// Of whatever lies in the folder. A directory_iterator of libstdc++ ends the program where there is no memory for the
/// next name; this throws.
std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    struct Close {
        void operator()(DIR* folder) const { ::closedir(folder); }
    };
    const std::unique_ptr<DIR, Close> open(::opendir(folder.c_str()));
    while (const dirent* const entry = open ? ::readdir(open.get()) : nullptr)
        names.emplace_back(entry->d_name);
    return names;
}

} // namespace

void TraceCache::make_room() const {
    struct Copy {
        fs::path path;
        std::uint64_t bytes = 0;
        fs::file_time_type used;
    };
    std::vector<Copy> copies;
    std::uint64_t total = 0;
    std::error_code error;
    for (const std::string& name : names_in(folder_)) {
        std::error_code gone;
        Copy copy{folder_ / name, 0, {}};
        copy.bytes = fs::file_size(copy.path, gone);
        copy.used = gone ? fs::file_time_type() : fs::last_write_time(copy.path, gone);
        if (gone)
            continue;
        // What a killed program left half-written.
        const bool stale =
            copy.path.extension() == ".part" && fs::file_time_type::clock::now() - copy.used > std::chrono::hours(1);
        if (stale)
            fs::remove(copy.path, gone);
        else if (copy.path.extension() == kEnding)
            total += copies.emplace_back(copy).bytes;
    }
    std::ranges::sort(copies, {}, &Copy::used);
    for (const Copy& copy : copies) {
        if (total <= max_bytes_)
            return;
        if (fs::remove(copy.path, error))
            total -= copy.bytes;
    }
}

void finish_cache_writes() { Background::instance().finish(); }

Result<std::shared_ptr<const RankTrace>> moved_to_disk(const std::shared_ptr<const RankTrace>& trace,
                                                       const std::shared_ptr<StringTable>& names) {
    // Folders for temporary files often lie in memory.
    std::error_code error;
    fs::path folder = TraceCache::default_folder();
    std::optional<TemporaryFolder> own; // in a folder that anybody writes to, names must not be known before
    if (folder.empty() || (fs::create_directories(folder, error), error))
        folder = own.emplace("rankscope").path();
    if (folder.empty())
        return input_error("there is no folder for temporary files"_text);
    static std::atomic<unsigned> number = 0;
    const fs::path path = folder / fmt::format("rankscope-{}-{}{}", ::getpid(), number++, kEnding);
    if (const auto written = write_trace_file(path, *trace, TraceFileKind::cache); !written)
        return tl::unexpected(written.error());
    auto mapped = read_trace_file(path, TraceFileKind::cache, names, SectionReader::Access::mapped);
    fs::remove(path, error); // it lives as long as it is mapped, and nobody else can cut it off
    if (!mapped)
        return tl::unexpected(mapped.error());
    return std::shared_ptr<const RankTrace>(std::move(mapped->trace));
}

void release_cpu_events(const RankTrace& trace) {
    const auto release = [&](const auto& column) {
        if (column.heap_bytes() > 0 || column.size() <= trace.events.gpu_count)
            return;
        static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        const auto begin =
            (reinterpret_cast<std::uintptr_t>(column.data() + trace.events.gpu_count) + page - 1) / page * page;
        const auto end = reinterpret_cast<std::uintptr_t>(column.end()) / page * page;
        if (begin < end) // pages of a read-only mapping come back from the file
            ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED); // NOLINT
    };
    release(trace.events.start);
    release(trace.events.duration);
    release(trace.events.kind);
    release(trace.events.ordinal);
    release(trace.events.link);
}

} // namespace rankscope
