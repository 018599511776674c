// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/remote_run.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/input/bytes/state_text.h"
#include "core/input/find/run_choices.h"
#include "core/input/load/full_trace.h"
#include "core/remote/remote_mirror.h"
#include "core/remote/remote_protocol.h"
#include "core/remote/ssh_connection.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

constexpr int kTries = 4; ///< without anything arriving in between
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 40;
constexpr std::uint64_t kLargestEvent = std::uint64_t{512} << 20;
constexpr std::size_t kMostPartsOfAnItem = 4096;
constexpr auto kProgressInterval = std::chrono::milliseconds(50);

/// Connects, and lets `work` go on until it is done or hopeless. arrived: counts what came, so that a line that breaks
/// often but carries something is no reason to give up.
class Attempts {
public:
    Attempts(const RemotePath& remote, const RemoteWishes& wishes, std::stop_token cancel)
        : remote_(remote), wishes_(wishes), cancel_(std::move(cancel)) {}

    template <typename Work>
    Result<void> run(const std::uint64_t& arrived, const Work& work) {
        std::uint64_t before = arrived;
        for (int tries = 1;; ++tries) {
            auto connection = SshConnection::open(remote_, wishes_, cancel_);
            ConnectionTrouble trouble;
            if (connection) {
                connected_ = true;
                auto done = work(*connection);
                if (done)
                    return {};
                trouble = std::move(done.error());
            } else {
                trouble = std::move(connection.error());
            }
            if (std::exchange(before, arrived) != arrived)
                tries = 1;
            // A host that never answered is not asked again: its address may be wrong.
            if (!trouble.lost || !connected_)
                return tl::unexpected<Error>(trouble.error);
            if (tries == kTries)
                return input_error("%1; what arrived is kept: open it again to go on"_text(trouble.error.message));
            if (wishes_.on_message)
                wishes_.on_message("the connection was lost (%1); connecting again, try %2 of %3"_text(
                    trouble.error.message, tries, kTries - 1));
            for (int i = 0; i < 10 * (1 << tries) && !cancel_.stop_requested(); ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
            if (cancel_.stop_requested())
                return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
        }
    }

private:
    const RemotePath& remote_;
    const RemoteWishes& wishes_;
    std::stop_token cancel_;
    bool connected_ = false;
};

/// A part that "part" has announced: BYTES OFFSET NAME.
struct Part {
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0;
    std::string name;
};
std::optional<Part> part_of(std::span<const std::string> words) {
    const auto bytes = number_of(words[0]);
    const auto offset = number_of(words[1]);
    const auto name = unescaped_word(words[2]);
    if (!bytes || !offset || !name || *offset > *bytes || *bytes > kLargestFile || !is_safe_below(*name))
        return {};
    return Part{*bytes, *offset, *name};
}

bool is_digest(const RemoteItem& item) { return item.kind == RemoteItem::Kind::digest; }

/// What all digests of a trace may have together: they leave out most of it, but the trace may be compressed.
std::uint64_t most_of_digests(const RemoteItem& item) {
    constexpr std::uint64_t kOfAny = std::uint64_t{64} << 20;
    return kOfAny + 16 * std::min(item.bytes, kLargestFile);
}

/// How long nothing but ticks may come while digests of so many bytes are made there, besides the usual patience.
std::chrono::milliseconds time_to_read(std::uint64_t bytes) {
    constexpr std::uint64_t kBytesPerMs = 1000; // slower than any machine reads
    return std::chrono::milliseconds(std::min(bytes, kLargestFile) / kBytesPerMs);
}

tl::unexpected<ConnectionTrouble> hopeless(Error error) {
    return tl::unexpected<ConnectionTrouble>(ConnectionTrouble{std::move(error)});
}

/// Appends the chunks of a part to a file, which then has all bytes of it. What came stays when the connection breaks.
Answered<void> receive(SshConnection& connection, const Part& part, const fs::path& file,
                       const std::function<void(std::uint64_t)>& on_bytes) {
    std::error_code error;
    const std::uint64_t there = fs::file_size(file, error);
    if (part.offset == 0 || error || there != part.offset) {
        if (part.offset != 0)
            return tl::unexpected<ConnectionTrouble>(connection.nonsense());
        fs::remove(file, error);
    }
    const auto cannot_write = [&file] {
        return tl::unexpected<Error>(
            Error{Error::Code::output, "cannot write %1: %2"_text(file.string(), std::strerror(errno))});
    };
    const int descriptor = open_to_append(file);
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(descriptor < 0 ? nullptr : ::fdopen(descriptor, "ab"),
                                                        std::fclose);
    if (!out)
        return hopeless(cannot_write().value());
    std::setvbuf(out.get(), nullptr, _IONBF, 0); // chunks are large
    std::uint64_t got = part.offset;
    const auto done = connection.chunks(part.bytes - part.offset, [&](std::string_view bytes) -> Result<void> {
        got += bytes.size();
        if (std::fwrite(bytes.data(), 1, bytes.size(), out.get()) != bytes.size())
            return cannot_write();
        if (on_bytes)
            on_bytes(bytes.size());
        return {};
    });
    if (!done) {
        if (!done.error().lost) // it is not asked for again
            fs::remove(file, error);
        return done;
    }
    if (std::fclose(out.release()) != 0)
        return hopeless(cannot_write().value());
    if (got != part.bytes) { // it changed there meanwhile
        fs::remove(file, error);
        return hopeless({Error::Code::input, "%1 changed while it was fetched"_text(part.name)});
    }
    return {};
}

/// Brings the mirror of a run up to date.
class RunFetch {
public:
    RunFetch(RemotePath remote, const LoadOptions& options, const RemoteWishes& wishes)
        : remote_(std::move(remote)), address_(remote_.text().string()), options_(options), wishes_(wishes) {}

    Result<void> fetch() {
        auto mirror = RemoteMirror::open(fmt::format("{}\n{}", address_, static_cast<int>(options_.mode)),
                                         options_.use_cache, options_.cancel);
        if (!mirror)
            return tl::unexpected<Error>(mirror.error());
        mirror_ = std::move(*mirror);
        enter(RemoteWishes::Stage::connecting);
        Attempts attempts(remote_, wishes_, options_.cancel);
        const auto done = attempts.run(arrived_, [this](SshConnection& connection) { return update(connection); });
        if (!done) {
            const std::size_t there = std::ranges::count_if(
                listing_.items, [this](const RemoteItem& item) { return mirror_->arrived(item.key) != nullptr; });
            if (listing_.items.empty() || done.error().code != Error::Code::input)
                return done;
            return input_error("%1 (%2 of %3 files are here)"_text(done.error().message, there, listing_.items.size()));
        }
        std::vector<std::string> keys;
        for (const RemoteItem& item : listing_.items)
            keys.push_back(item.key);
        mirror_->keep_only(keys);
        mirror_->finish();
        return {};
    }

    /// All files of the run, here.
    static Result<RunFetch> of(const fs::path& path, const LoadOptions& options, const RemoteWishes& wishes) {
        auto remote = parse_remote_path(path.string());
        if (!remote)
            return tl::unexpected<Error>(remote.error());
        RunFetch run(std::move(*remote), options, wishes);
        if (const auto fetched = run.fetch(); !fetched)
            return tl::unexpected<Error>(fetched.error());
        return run;
    }

    [[nodiscard]] FetchedFiles files() const { return {mirror_->files(), mirror_, failures_}; }

    Result<std::shared_ptr<const Run>> load() {
        enter(RemoteWishes::Stage::reading);
        LoadOptions here = options_;
        here.mode = ProfileMode::automatic; // only what was asked for is there
        here.on_sources = {};
        if (options_.on_sources)
            options_.on_sources(listing_.sources);
        if (options_.on_rank)
            here.on_rank = [this](const std::shared_ptr<const RankTrace>& rank) { options_.on_rank(as_there(rank)); };
        fs::path path = mirror_->files();
        if (const auto* files = mirror_->arrived(listing_.items.front().key); listing_.single && files != nullptr)
            path /= files->front().name;
        if (const bool nothing = std::ranges::none_of(
                listing_.items, [this](const RemoteItem& item) { return mirror_->arrived(item.key) != nullptr; });
            nothing && !failures_.empty())
            return input_error("%1: %2"_text(remote_.place(), failures_.front().message));
        loaded_ = path.string();
        auto run = load_run(path, here);
        if (!run)
            return tl::unexpected<Error>(Error{run.error().code, in_words_of_there(run.error().message)});
        auto named = std::make_shared<Run>(**run);
        named->path = remote_.text();
        const fs::path there(remote_.path);
        named->name = (there.has_filename() ? there : there.parent_path()).filename().string();
        named->config["run.folder"] = named->name;
        for (auto& rank : named->ranks)
            rank = as_there(rank);
        for (Notice& notice : named->notices) {
            notice.file = in_words_of_there(notice.file);
            notice.message = in_words_of_there(notice.message);
        }
        for (const Notice& notice : listing_.notices)
            add_notice(named->notices, notice);
        for (const Notice& notice : failures_)
            add_notice(named->notices, notice);
        return named;
    }

private:
    Answered<void> update(SshConnection& connection) {
        if (const auto listed = list(connection); !listed)
            return listed;
        std::string wishes = "get";
        missing_.clear();
        enter(RemoteWishes::Stage::fetching);
        progress_ = {};
        for (std::size_t i = 0; i < listing_.items.size(); ++i) {
            const RemoteItem& item = listing_.items[i];
            progress_.bytes_total += item.bytes;
            progress_.ranks_total += item.kind == RemoteItem::Kind::config ? 0 : 1;
            if (mirror_->arrived(item.key) != nullptr) {
                progress_.ranks_done += item.kind == RemoteItem::Kind::config ? 0 : 1;
                progress_.bytes_done += item.bytes;
                continue;
            }
            std::error_code error;
            const std::uint64_t begun = is_digest(item) ? 0 : fs::file_size(mirror_->unfinished(item.key), error);
            wishes += fmt::format(" {}", i) + (begun > 0 && !error ? fmt::format(":{}", begun) : std::string());
            missing_.insert(i);
        }
        report();
        if (missing_.empty())
            return {};
        if (const auto room = check_room(); !room)
            return hopeless(room.error());
        std::uint64_t to_read = 0;
        for (const std::size_t i : missing_)
            to_read += is_digest(listing_.items[i]) ? listing_.items[i].bytes : 0;
        if (const auto said = connection.say(wishes + "\n"); !said)
            return said;
        parts_.clear();
        failed_.clear();
        for (;;) {
            const auto text = connection.line(time_to_read(to_read));
            if (!text)
                return tl::unexpected<ConnectionTrouble>(text.error());
            const auto words = words_of(*text);
            if (words[0] == "ready" && missing_.empty())
                return {};
            const auto item = words.size() > 1 ? number_of(words[1]) : std::nullopt;
            if (!item || !missing_.contains(*item))
                return tl::unexpected<ConnectionTrouble>(connection.nonsense());
            Answered<void> taken;
            if (words[0] == "part" && words.size() == 5)
                taken = take_part(connection, *item, words);
            else if (words[0] == "failed" && words.size() == 3)
                taken = item_failed(connection, *item, words[2]);
            else if (words[0] == "done" && words.size() == 2)
                taken = item_done(*item);
            else
                return tl::unexpected<ConnectionTrouble>(connection.nonsense());
            if (!taken)
                return taken;
        }
    }

    /// Whether the files that come whole fit onto the disk.
    [[nodiscard]] Result<void> check_room() const {
        std::uint64_t needed = 0;
        for (const std::size_t i : missing_)
            needed += is_digest(listing_.items[i]) ? 0 : std::min(listing_.items[i].bytes, kLargestFile);
        std::error_code error;
        const auto room = fs::space(mirror_->files(), error);
        if (error || needed <= room.available)
            return {};
        return tl::unexpected<Error>(
            Error{Error::Code::output, "%1 needs %2 MB of disk for its files, and %3 has %4 MB left"_text(
                                           remote_.place(), needed >> 20, mirror_->files().string(),
                                           static_cast<std::uint64_t>(room.available) >> 20)});
    }

    /// What is there, and in which state.
    Answered<void> list(SshConnection& connection) {
        const std::string before = mirror_->listing();
        if (const auto said = connection.say(fmt::format("run {} {} {}\n", static_cast<int>(options_.mode),
                                                         hashed(before), escaped_word(remote_.path)));
            !said)
            return said;
        const auto answer = connection.line();
        if (!answer)
            return tl::unexpected<ConnectionTrouble>(answer.error());
        const auto words = words_of(*answer);
        std::string text = before;
        if (*answer != "same") {
            const auto size = words.size() == 2 && words[0] == "listing" ? number_of(words[1]) : std::nullopt;
            if (!size || *size > kLargestListing)
                return tl::unexpected<ConnectionTrouble>(connection.nonsense());
            auto bytes = connection.bytes(*size);
            if (!bytes)
                return tl::unexpected<ConnectionTrouble>(bytes.error());
            text = std::move(*bytes);
        }
        auto listing = RemoteListing::parse(text);
        if (!listing || listing->items.empty())
            return tl::unexpected<ConnectionTrouble>(connection.nonsense());
        listing_ = std::move(*listing);
        if (text != before)
            if (const auto kept = mirror_->keep_listing(text); !kept)
                return hopeless(kept.error());
        return {};
    }

    Answered<void> take_part(SshConnection& connection, std::size_t number,
                             const std::vector<std::string_view>& words) {
        const RemoteItem& item = listing_.items[number];
        const std::array<std::string, 3> told{std::string(words[2]), std::string(words[3]), std::string(words[4])};
        const auto part = part_of(told);
        if (part && !is_digest(item) && part->bytes != item.bytes)
            return hopeless({Error::Code::input, "%1 changed while it was fetched"_text(part->name)});
        std::uint64_t so_far = 0;
        for (const RemoteMirror::File& file : parts_[number])
            so_far += file.bytes;
        const bool expected = part && (is_digest(item) ? part->name.ends_with(".digest") && part->offset == 0 &&
                                                             part->bytes + so_far <= most_of_digests(item)
                                                       : part->name == item.name && parts_[number].empty());
        if (!expected || parts_[number].size() >= kMostPartsOfAnItem)
            return tl::unexpected<ConnectionTrouble>(connection.nonsense());
        const fs::path file = mirror_->unfinished(is_digest(item) ? item.key + "\n" + part->name : item.key);
        const std::uint64_t before = progress_.bytes_done;
        const auto received = receive(connection, *part, file, [&](std::uint64_t bytes) {
            if (is_digest(item))
                return;
            arrived_ += bytes;
            progress_.bytes_done = std::min(progress_.bytes_done + bytes, before + item.bytes);
            report();
        });
        if (!received) {
            std::error_code error;
            if (is_digest(item)) // made again, it may not have the same bytes
                fs::remove(file, error);
            return received;
        }
        progress_.bytes_done = before;
        if (const auto put = mirror_->put(file, part->name); !put)
            return hopeless(put.error());
        parts_[number].push_back({part->name, part->bytes});
        return {};
    }

    Answered<void> item_failed(const SshConnection& connection, std::size_t number, std::string_view why) {
        auto& [times, message] = failed_[number];
        if (++times > kMostPartsOfAnItem)
            return tl::unexpected<ConnectionTrouble>(connection.nonsense());
        message = shortened(terminal_safe(unescaped_word(why).value_or("")), 1000);
        return {};
    }

    Answered<void> item_done(std::size_t number) {
        missing_.erase(number);
        const RemoteItem& item = listing_.items[number];
        progress_.ranks_done += item.kind == RemoteItem::Kind::config ? 0 : 1;
        progress_.bytes_done += item.bytes;
        report();
        if (const auto why = failed_.find(number); why != failed_.end()) {
            failures_.push_back(
                {"unreadable_file", why->second.second, remote_.at(below_run(item.name)).text().string(), 1});
            if (parts_[number].empty())
                return {};
        } else if (parts_[number].empty()) {
            return {};
        }
        ++arrived_;
        if (const auto noted = mirror_->note(item.key, std::move(parts_[number])); !noted)
            return hopeless(noted.error());
        return {};
    }

    [[nodiscard]] std::string below_run(const std::string& name) const {
        const fs::path run(remote_.path);
        return run.filename() == name ? remote_.path : (run / name).string();
    }

    /// With the address of its trace in place of the file that came.
    [[nodiscard]] std::shared_ptr<const RankTrace> as_there(const std::shared_ptr<const RankTrace>& rank) const {
        auto there = std::make_shared<RankTrace>(*rank);
        there->file = rank->digest ? remote_.at(rank->digest->source.path.string()).text()
                                   : fs::path(in_words_of_there(rank->file.string()));
        return there;
    }

    /// Paths of the mirror say nothing to anybody.
    [[nodiscard]] std::string in_words_of_there(std::string text) const {
        for (std::size_t at = text.find(loaded_); at != std::string::npos;
             at = text.find(loaded_, at + address_.size()))
            text.replace(at, loaded_.size(), address_);
        return text;
    }

    [[nodiscard]] Message in_words_of_there(const Message& message) const {
        return message.with_given([this](const std::string& text) { return in_words_of_there(text); });
    }

    void enter(RemoteWishes::Stage stage) const {
        if (wishes_.on_stage)
            wishes_.on_stage(stage);
    }
    void report() {
        const auto now = std::chrono::steady_clock::now();
        if (!options_.on_progress || (now - reported_ < kProgressInterval && progress_.ranks_done > 0))
            return;
        reported_ = now;
        options_.on_progress(progress_);
    }

    RemotePath remote_;
    std::string address_;
    std::string loaded_; ///< the path here
    const LoadOptions& options_;
    const RemoteWishes& wishes_;
    std::shared_ptr<RemoteMirror> mirror_;
    RemoteListing listing_;
    std::set<std::size_t> missing_;
    std::map<std::size_t, std::vector<RemoteMirror::File>> parts_;      ///< of items that are not done
    std::map<std::size_t, std::pair<std::size_t, std::string>> failed_; ///< how often, and why at last
    Notices failures_;
    std::uint64_t arrived_ = 0; ///< grows with whatever is kept
    LoadProgress progress_;
    std::chrono::steady_clock::time_point reported_{};
};

std::string request_for(std::string_view what, const FileStamp& stamp, std::uint64_t offset) {
    return fmt::format("{} {} {} {}", what, stamp.bytes, stamp.modified_ns, offset);
}

/// Folders that are gone with their objects, and must outlive the traces in them.
void keep_until_the_end(std::shared_ptr<RemoteMirror> mirror) {
    static std::mutex mutex;
    static std::vector<std::shared_ptr<RemoteMirror>> kept;
    const std::lock_guard lock(mutex);
    kept.push_back(std::move(mirror));
}

/// The full trace, whole, in the mirror.
Answered<void> fetch_trace(SshConnection& connection, const FileStamp& source, RemoteMirror& mirror,
                           const std::string& key, const std::string& name, std::uint64_t& arrived,
                           const std::function<void(std::uint64_t)>& on_bytes) {
    const fs::path file = mirror.unfinished(key);
    std::error_code error;
    const std::uint64_t begun = fs::file_size(file, error);
    if (const auto said = connection.say(
            fmt::format("{} {}\n", request_for("file", source, error ? 0 : begun), escaped_word(source.path.string())));
        !said)
        return said;
    const auto words = connection.expect("part", 5);
    if (!words)
        return tl::unexpected<ConnectionTrouble>(words.error());
    const auto part = part_of(std::span(*words).subspan(2));
    if (!part || part->bytes != source.bytes)
        return tl::unexpected<ConnectionTrouble>(connection.nonsense());
    const auto received = receive(connection, *part, file, [&](std::uint64_t bytes) {
        arrived += bytes;
        if (on_bytes)
            on_bytes(bytes);
    });
    if (!received)
        return received;
    if (const auto ready = connection.expect("ready", 1); !ready)
        return tl::unexpected<ConnectionTrouble>(ready.error());
    if (const auto put = mirror.put(file, name); !put)
        return hopeless(put.error());
    if (const auto noted = mirror.note(key, {{name, part->bytes}}); !noted)
        return hopeless(noted.error());
    return {};
}

} // namespace

Result<std::shared_ptr<const Run>> open_run(const std::filesystem::path& path, const LoadOptions& options,
                                            const RemoteWishes& wishes) {
    if (!is_remote(path))
        return load_run(path, options);
    auto run = RunFetch::of(path, options, wishes);
    if (!run)
        return tl::unexpected<Error>(run.error());
    return run->load();
}

Result<FetchedFiles> fetch_run(const std::filesystem::path& path, const LoadOptions& options,
                               const RemoteWishes& wishes) {
    const auto run = RunFetch::of(path, options, wishes);
    if (!run)
        return tl::unexpected<Error>(run.error());
    return run->files();
}

Result<std::shared_ptr<const RankTrace>> open_full_trace(const RankTrace& digest,
                                                         const std::shared_ptr<StringTable>& names,
                                                         const ReadOptions& options, bool keep) {
    if (!is_remote(digest.file))
        return read_full_trace(digest, names, options);
    const auto remote = parse_remote_path(digest.file.string());
    if (!remote)
        return tl::unexpected<Error>(remote.error());
    const FileStamp& source = digest.digest->source;
    const std::string key = hashed(described(source));
    auto mirror = RemoteMirror::open("trace\n" + remote->place() + "\n" + described(source), keep, options.cancel);
    if (!mirror)
        return tl::unexpected<Error>(mirror.error());
    std::string name = source.path.filename().string();
    if (!is_safe_below(name))
        name = "trace";
    if ((*mirror)->arrived(key) == nullptr) {
        const RemoteWishes wishes;
        std::uint64_t arrived = 0;
        Attempts attempts(*remote, wishes, options.cancel);
        const auto fetched = attempts.run(arrived, [&](SshConnection& connection) {
            return fetch_trace(connection, source, **mirror, key, name, arrived, {});
        });
        if (!fetched)
            return tl::unexpected<Error>(fetched.error());
    }
    (*mirror)->finish();
    if (!keep)
        keep_until_the_end(*mirror);
    return read_full_trace_of(digest, (*mirror)->files() / name, names, options);
}

Result<std::string> open_event_text(const RankTrace& trace, EventIndex event, const std::stop_token& cancel) {
    const auto place = trace.digest && is_remote(trace.file) ? place_of_event(trace, event) : std::nullopt;
    if (!place)
        return read_event_text(trace, event);
    const auto remote = parse_remote_path(trace.file.string());
    if (!remote)
        return tl::unexpected<Error>(remote.error());
    const FileStamp& source = trace.digest->source;
    std::string text;
    std::uint64_t arrived = 0;
    const RemoteWishes wishes;
    const auto done = Attempts(*remote, wishes, cancel).run(arrived, [&](SshConnection& connection) -> Answered<void> {
        text.clear();
        if (const auto said = connection.say(fmt::format("{} {} {}\n", request_for("text", source, place->offset),
                                                         place->elements_before, escaped_word(source.path.string())));
            !said)
            return said;
        const auto words = connection.expect("part", 5);
        if (!words)
            return tl::unexpected<ConnectionTrouble>(words.error());
        return connection.chunks(kLargestEvent, [&](std::string_view bytes) -> Result<void> {
            text += bytes;
            return {};
        });
    });
    if (!done)
        return tl::unexpected<Error>(done.error());
    return text;
}

Result<std::vector<std::filesystem::path>>
find_paths_of_runs(const std::filesystem::path& path, const RemoteWishes& wishes, const std::stop_token& cancel) {
    if (!is_remote(path))
        return paths_of_runs(path, cancel);
    const auto remote = parse_remote_path(path.string());
    if (!remote)
        return tl::unexpected<Error>(remote.error());
    std::vector<fs::path> paths;
    std::uint64_t arrived = 0;
    const auto done = Attempts(*remote, wishes, cancel).run(arrived, [&](SshConnection& connection) -> Answered<void> {
        paths.clear();
        if (const auto said = connection.say(fmt::format("runs {}\n", escaped_word(remote->path))); !said)
            return said;
        for (;;) {
            const auto text = connection.line();
            if (!text)
                return tl::unexpected<ConnectionTrouble>(text.error());
            if (*text == "ready")
                return {};
            const auto words = words_of(*text);
            const auto found = words.size() == 2 && words[0] == "path" ? unescaped_word(words[1]) : std::nullopt;
            if (!found || !found->starts_with('/') || paths.size() > 100'000)
                return tl::unexpected<ConnectionTrouble>(connection.nonsense());
            paths.push_back(remote->at(*found).text());
        }
    });
    if (!done)
        return tl::unexpected<Error>(done.error());
    return paths;
}

} // namespace rankscope
