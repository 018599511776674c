// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/remote_server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include "core/base/temporary_folder.h"
#include "core/base/worker_threads.h"
#include "core/input/bytes/input_file.h"
#include "core/input/bytes/state_text.h"
#include "core/input/digest/trace_file.h"
#include "core/input/find/config_files.h"
#include "core/input/find/find_runs.h"
#include "core/input/find/run_choices.h"
#include "core/input/find/run_folder.h"
#include "core/input/load/full_trace.h"
#include "core/input/load/hardware_logs.h"
#include "core/input/load/memory_budget.h"
#include "core/remote/make_digests.h"
#include "core/remote/remote_path.h"
#include "core/remote/remote_protocol.h"
#include "core/version.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// Of the configuration beside a run; larger files are none.
constexpr std::uint64_t kLargestConfig = 16u << 20;
constexpr std::uint64_t kMostConfig = 64u << 20;

/// Lines as they come, until the other side has gone.
class Requests {
public:
    Requests(int input, std::stop_source& gone)
        : thread_([this, input, &gone](const std::stop_token& finished) { read(input, gone, finished); }) {}
    /// Nothing: there are no more.
    std::optional<std::string> next() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !lines_.empty() || ended_; });
        if (lines_.empty())
            return {};
        std::string line = std::move(lines_.front());
        lines_.pop_front();
        return line;
    }

private:
    void read(int input, std::stop_source& gone, const std::stop_token& finished) {
        std::string line;
        std::array<char, 4096> buffer{};
        while (!finished.stop_requested() && !gone.stop_requested() && line.size() <= kLongestRemoteLine) {
            pollfd ready{input, POLLIN, 0};
            if (::poll(&ready, 1, 100) <= 0)
                continue;
            const ssize_t got = ::read(input, buffer.data(), buffer.size());
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0)
                break;
            line.append(buffer.data(), static_cast<std::size_t>(got));
            for (std::size_t end = line.find('\n'); end != std::string::npos; end = line.find('\n')) {
                const std::lock_guard lock(mutex_);
                lines_.push_back(line.substr(0, end));
                line.erase(0, end + 1);
                changed_.notify_all();
            }
        }
        gone.request_stop(); // nobody waits for what is being made
        const std::lock_guard lock(mutex_);
        ended_ = true;
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> lines_;
    bool ended_ = false;
    std::jthread thread_; // last: it uses what is above
};

/// What is said, whole things at a time from any thread. Says that it is still there when nothing else was said.
class Answers {
public:
    Answers(int output, std::stop_source& gone)
        : output_(output), gone_(gone), ticker_([this](const std::stop_token& finished) { tick(finished); }) {}

    [[nodiscard]] std::unique_lock<std::mutex> turn() { return std::unique_lock(mutex_); }
    /// Within a turn.
    void put(std::string_view text) {
        said_ = true;
        while (!text.empty() && !gone_.stop_requested()) {
            const ssize_t put = ::write(output_, text.data(), text.size());
            if (put < 0 && errno == EINTR)
                continue;
            if (put <= 0) {
                gone_.request_stop();
                return;
            }
            text.remove_prefix(static_cast<std::size_t>(put));
        }
    }
    void say(std::string_view text) {
        const auto lock = turn();
        put(text);
    }

private:
    void tick(const std::stop_token& finished) {
        std::unique_lock lock(mutex_);
        while (!finished.stop_requested()) {
            wake_.wait_for(lock, finished, std::chrono::seconds(kRemoteTickSeconds), [] { return false; });
            if (!said_ && !finished.stop_requested())
                put("tick\n");
            said_ = false;
        }
    }

    int output_;
    std::stop_source& gone_;
    std::mutex mutex_;
    bool said_ = false;
    std::condition_variable_any wake_;
    std::jthread ticker_;
};

/// "/~/runs" is below the home folder.
fs::path path_here(const std::string& path) {
    const char* home = std::getenv("HOME");
    if (home != nullptr && *home == '/' && (path == "/~" || path.starts_with("/~/")))
        return fs::path(std::string(home) + path.substr(2));
    return path;
}

/// YAML lies about everywhere; only what speaks of a workload, or of the mesh of an operation timeline, travels.
bool concerns_the_run(const fs::path& file) {
    const std::string ending = file.extension().string();
    if ((ending != ".yaml" && ending != ".yml") || file.filename().string().starts_with("meta"))
        return true;
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return text.find("workload") != std::string::npos;
}

std::string error_line(std::string_view message) { return fmt::format("error {}\n", escaped_word(message)); }

class Session {
public:
    Session(Requests& requests, Answers& answers, std::stop_source& gone, int jobs, fs::path temporary)
        : requests_(requests), answers_(answers), gone_(gone), arena_(worker_threads(jobs)),
          temporary_(std::move(temporary)) {}

    void answer_all() {
        answers_.say(hello_line());
        while (const auto line = requests_.next()) {
            if (gone_.stop_requested())
                return;
            try {
                answer(words_of(*line));
            } catch (const std::bad_alloc&) {
                answers_.say(error_line("not enough memory"));
            }
        }
    }

private:
    struct Item {
        RemoteItem told;
        fs::path path;
        std::size_t file = 0; ///< in files_.ranks, of a digest
    };

    void answer(const std::vector<std::string_view>& words) {
        if (words[0] == "run" && words.size() == 4)
            return run(words);
        if (words[0] == "get")
            return get(words);
        if ((words[0] == "file" && words.size() == 5) || (words[0] == "text" && words.size() == 6))
            return part_of_trace(words);
        if (words[0] == "runs" && words.size() == 2)
            return runs(words[1]);
        answers_.say(error_line("a request that this rankscope does not know"));
    }

    void run(const std::vector<std::string_view>& words) {
        const auto mode = number_of(words[1]);
        const auto path = unescaped_word(words[3]);
        if (!mode || *mode > static_cast<std::uint64_t>(ProfileMode::memory_snapshot) || !path)
            return answers_.say(error_line("a request that this rankscope does not know"));
        items_.clear();
        const fs::path here = path_here(*path);
        auto files = arena_.execute([&] { return find_run_files(here, static_cast<ProfileMode>(*mode)); });
        if (!files)
            return answers_.say(error_line(english(files.error().message)));
        files_ = std::move(*files);
        const std::string listing = list(here).text();
        if (hashed(listing) == words[2])
            return answers_.say("same\n");
        answers_.say(fmt::format("listing {}\n", listing.size()) + listing);
    }

    RemoteListing list(const fs::path& run) {
        std::error_code error;
        const bool folder = fs::is_directory(run, error);
        RemoteListing listing;
        listing.sources = files_.sources;
        listing.notices = files_.notices;
        std::set<std::string> names;
        const auto name_of = [&](const fs::path& file) {
            std::string name = folder ? file.lexically_relative(run).string() : file.filename().string();
            if (!is_safe_below(name))
                name = file.filename().string();
            if (!is_safe_below(name)) // a name that no screen can show
                name = hashed(name) + file.extension().string();
            return names.insert(name).second ? name : std::string();
        };
        const auto add = [&](RemoteItem told, const fs::path& path, std::size_t file) {
            if (told.name.empty())
                return;
            listing.items.push_back(told);
            items_.push_back({std::move(told), path, file});
        };
        for (std::size_t i = 0; i < files_.ranks.size(); ++i) {
            const RankFile& file = files_.ranks[i];
            const bool digest = has_digests(file.format->source);
            std::string key = state_of(file.path);
            if (digest) {
                key += fmt::format("{}\n{}\n", kVersion, state_of("/proc/self/exe"));
                key += file.execution_trace.empty() ? "" : state_of(file.execution_trace);
                for (const fs::path& capture : file.graph_captures)
                    key += state_of(capture);
            }
            add({digest ? RemoteItem::Kind::digest : RemoteItem::Kind::file, hashed(key), file.bytes,
                 name_of(file.path)},
                file.path, i);
        }
        listing.single = !folder && !items_.empty() && items_.front().told.kind == RemoteItem::Kind::file;
        std::uint64_t config = 0;
        std::vector<fs::path> beside = config_files(run);
        std::ranges::move(hardware_logs(run), std::back_inserter(beside));
        for (const fs::path& file : beside) {
            const auto stamp = stamp_of(file);
            if (!stamp || stamp->bytes > kLargestConfig || config + stamp->bytes > kMostConfig ||
                !concerns_the_run(file))
                continue;
            config += stamp->bytes;
            add({RemoteItem::Kind::config, hashed(described(*stamp)), stamp->bytes, name_of(file)}, file, 0);
        }
        return listing;
    }

    static std::string state_of(const fs::path& file) {
        const auto stamp = stamp_of(file);
        return stamp ? described(*stamp) : file.string() + "\n";
    }

    void get(const std::vector<std::string_view>& words) {
        struct Wish {
            std::size_t item = 0;
            std::uint64_t offset = 0;
        };
        std::vector<Wish> wishes;
        for (std::size_t i = 1; i < words.size(); ++i) {
            const std::size_t colon = std::min(words[i].find(':'), words[i].size());
            const auto item = number_of(words[i].substr(0, colon));
            const auto offset = colon < words[i].size() ? number_of(words[i].substr(colon + 1)) : std::optional(0UL);
            if (!item || *item >= items_.size() || !offset)
                return answers_.say(error_line("a request that this rankscope does not know"));
            wishes.push_back({*item, *offset});
        }
        const MemoryBudget budget(0, 0, std::make_shared<StringTable>());
        std::size_t next = 0;
        const auto number = [&](tbb::flow_control& control) {
            if (next == wishes.size() || gone_.stop_requested())
                control.stop();
            return next++;
        };
        const auto deliver = [&](std::size_t i) {
            tbb::this_task_arena::isolate([&] { send_item(wishes[i].item, wishes[i].offset); });
        };
        arena_.execute([&] {
            tbb::parallel_pipeline(budget.files_at_once(files_, arena_.max_concurrency()),
                                   tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, number) &
                                       tbb::make_filter<std::size_t, void>(tbb::filter_mode::parallel, deliver));
        });
        answers_.say("ready\n");
    }

    /// "done" follows the last part in one turn: what came before a connection broke counts as arrived.
    void send_item(std::size_t number, std::uint64_t offset) {
        const Item& item = items_[number];
        std::unique_lock<std::mutex> turn;
        const auto say = [&](const std::string& line) {
            if (!turn.owns_lock())
                turn = answers_.turn();
            answers_.put(line);
        };
        const auto failed = [&](const std::string& why) {
            say(fmt::format("failed {} {}\n", number, escaped_word(why)));
        };
        if (item.told.kind != RemoteItem::Kind::digest) {
            turn = answers_.turn();
            if (const auto sent = send_file(number, item.path, item.told.name, offset); !sent)
                failed(english(sent.error().message));
        } else {
            ReadOptions read;
            read.cancel = gone_.get_token();
            const auto digests = make_digests(files_.ranks[item.file], Run(), read);
            if (!digests)
                return failed(english(digests.error().message));
            for (const auto& made : *digests) {
                turn = {}; // others speak while this one is written
                if (!made) {
                    failed(english(made.error().message));
                    continue;
                }
                const std::string name =
                    fmt::format("rank{}-{}.digest", made->digest->rank, item.told.key.substr(0, 8));
                const fs::path path = temporary_ / fmt::format("{}-{}", number, name);
                if (const auto written = write_trace_file(path, *made->digest, TraceFileKind::digest); !written)
                    return failed(english(written.error().message));
                turn = answers_.turn();
                const auto sent = send_file(number, path, name, 0);
                std::error_code error;
                fs::remove(path, error);
                if (!sent)
                    failed(english(sent.error().message));
            }
        }
        say(fmt::format("done {}\n", number));
    }

    /// Within a turn: a part and its chunks. A file that became shorter meanwhile ends early, and the other side sees
    /// it.
    Result<void> send_file(std::size_t number, const fs::path& path, const std::string& name, std::uint64_t offset) {
        InputFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
        if (!file.is_open() || !file.is_regular())
            return input_error("%1 cannot be read: %2"_text(path.string(), std::strerror(errno)));
        offset = std::min(offset, file.size());
        file.seek(offset);
        answers_.put(fmt::format("part {} {} {} {}\n", number, file.size(), offset, escaped_word(name)));
        std::string bytes(kRemoteChunk, '\0');
        Message damage;
        while (!gone_.stop_requested()) {
            const std::size_t got = file.read(bytes, damage);
            if (got == 0)
                break;
            answers_.put(chunk_of(std::string_view(bytes).substr(0, got)));
        }
        answers_.put("end\n");
        return {};
    }

    void part_of_trace(const std::vector<std::string_view>& words) {
        const auto bytes = number_of(words[1]);
        const bool before_epoch = words[2].starts_with('-');
        const auto time = number_of(words[2].substr(before_epoch ? 1 : 0));
        const auto offset = number_of(words[3]);
        const auto path = unescaped_word(words.back());
        const auto skip = words[0] == "text" ? number_of(words[4]) : std::optional(0UL);
        if (!bytes || !time || *time > std::numeric_limits<std::int64_t>::max() || !offset || !path || !skip)
            return answers_.say(error_line("a request that this rankscope does not know"));
        const auto now = stamp_of(*path);
        if (!now)
            return answers_.say(error_line(fmt::format("the full trace {} is not there", *path)));
        const auto then = before_epoch ? -static_cast<std::int64_t>(*time) : static_cast<std::int64_t>(*time);
        if (now->bytes != *bytes || now->modified_ns != then)
            return answers_.say(
                error_line(fmt::format("the full trace {} has changed since its digest was made", *path)));
        if (words[0] == "text")
            return text_of_event(*path, {*offset, *skip});
        const auto lock = answers_.turn();
        if (const auto sent = send_file(0, *path, "trace", *offset); !sent)
            return answers_.put(error_line(english(sent.error().message)));
        answers_.put("ready\n");
    }

    void text_of_event(const fs::path& path, const PlaceInTrace& place) {
        const auto text = read_trace_element(path, place);
        if (!text)
            return answers_.say(error_line(english(text.error().message)));
        const auto lock = answers_.turn();
        answers_.put(fmt::format("part 0 {} 0 event\n", text->size()));
        for (std::string_view rest = *text; !rest.empty(); rest.remove_prefix(std::min(kRemoteChunk, rest.size())))
            answers_.put(chunk_of(rest.substr(0, kRemoteChunk)));
        answers_.put("end\nready\n");
    }

    void runs(std::string_view word) {
        const auto path = unescaped_word(word);
        std::error_code error;
        if (!path || !fs::exists(path_here(*path), error))
            return answers_.say(error_line(fmt::format("{} does not exist", path.value_or(""))));
        std::string text;
        for (const fs::path& run : paths_of_runs(path_here(*path), gone_.get_token()))
            text += fmt::format("path {}\n", escaped_word(run.string()));
        answers_.say(text + "ready\n");
    }

    Requests& requests_;
    Answers& answers_;
    std::stop_source& gone_;
    tbb::task_arena arena_;
    fs::path temporary_;
    RunFiles files_;
    std::vector<Item> items_;
};

} // namespace

Result<void> serve_remote(int input, int output, int jobs, const std::stop_token& stop) {
    const TemporaryFolder temporary("rankscope-remote");
    if (temporary.path().empty())
        return input_error("there is no folder for temporary files"_text);
    std::stop_source gone;
    const std::stop_callback stopped(stop, [&gone] { gone.request_stop(); });
    Requests requests(input, gone);
    Answers answers(output, gone);
    Session(requests, answers, gone, jobs, temporary.path()).answer_all();
    return {};
}

} // namespace rankscope
