// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/remote_mirror.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/whole_file.h"
#include "core/input/bytes/state_text.h"
#include "core/input/load/trace_cache.h"
#include "core/remote/remote_path.h"
#include "core/remote/remote_protocol.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannot_keep(const fs::path& path, const std::string& why) {
    return tl::unexpected<Error>(Error{Error::Code::output, "cannot write %1: %2"_text(path.string(), why)});
}

std::string content_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string line_of(const std::string& key, const std::vector<RemoteMirror::File>& files) {
    std::string line = key;
    for (const RemoteMirror::File& file : files)
        line += fmt::format(" {} {}", file.bytes, escaped_word(file.name));
    return line + '\n';
}

/// Whether open() can have made it: nothing else in the folder of mirrors is counted or removed.
bool is_mirror(const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    std::error_code gone;
    return entry.symlink_status(gone).type() == fs::file_type::directory && name.size() == hashed("").size() &&
           name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::uint64_t bytes_under(const fs::path& folder) {
    std::uint64_t bytes = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code gone;
        const std::uint64_t size = at->is_regular_file(gone) ? at->file_size(gone) : 0;
        bytes += gone ? 0 : size;
    }
    return bytes;
}

} // namespace

Result<std::shared_ptr<RemoteMirror>> RemoteMirror::open(const std::string& address, bool keep,
                                                         const std::stop_token& cancel) {
    const std::shared_ptr<RemoteMirror> mirror(new RemoteMirror);
    std::error_code error;
    const fs::path cache = TraceCache::default_folder();
    mirror->keep_ = keep && !cache.empty();
    if (mirror->keep_) {
        mirror->folder_ = cache.parent_path() / "remote" / hashed(address);
    } else {
        std::string name = (fs::temp_directory_path(error) / "rankscope-remote-XXXXXX").string();
        if (error || ::mkdtemp(name.data()) == nullptr)
            return cannot_keep(name, std::strerror(errno));
        mirror->folder_ = name;
    }
    for (const fs::path& folder : {mirror->files(), mirror->folder_ / "unfinished"})
        if (fs::create_directories(folder, error); error)
            return cannot_keep(folder, error.message());
    fs::permissions(mirror->folder_, fs::perms::owner_all, error);
    const fs::path lock = mirror->folder_ / "lock";
    mirror->lock_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (mirror->lock_ < 0)
        return cannot_keep(lock, std::strerror(errno));
    while (::flock(mirror->lock_, LOCK_EX | LOCK_NB) != 0) {
        if (cancel.stop_requested())
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
        if (errno != EWOULDBLOCK && errno != EINTR)
            break; // a file system without locks
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    mirror->read_arrived();
    mirror->drop_leftovers();
    return mirror;
}

/// What was begun and never finished: a connection that broke goes on within a day.
void RemoteMirror::drop_leftovers() const {
    std::error_code error;
    std::vector<fs::path> old;
    for (fs::directory_iterator at(folder_ / "unfinished", error), end; !error && at != end; at.increment(error))
        if (std::error_code gone;
            fs::file_time_type::clock::now() - fs::last_write_time(at->path(), gone) > std::chrono::hours(24) && !gone)
            old.push_back(at->path());
    for (const fs::path& file : old)
        fs::remove(file, error);
}

RemoteMirror::~RemoteMirror() {
    if (lock_ >= 0)
        ::close(lock_);
    std::error_code error;
    if (!keep_ && !folder_.empty())
        fs::remove_all(folder_, error);
}

std::string RemoteMirror::listing() const { return content_of(folder_ / "listing"); }

Result<void> RemoteMirror::keep_listing(const std::string& text) const {
    return write_whole_file(folder_ / "listing", text);
}

/// A line for each key: "KEY BYTES NAME BYTES NAME...". The last line of a key counts, one without an end does not.
void RemoteMirror::read_arrived() {
    const std::string text = content_of(folder_ / "arrived");
    std::string_view rest = text;
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
        const auto words = words_of(rest.substr(0, end));
        rest.remove_prefix(end + 1);
        std::vector<File> files;
        for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
            const auto bytes = number_of(words[i]);
            const auto name = unescaped_word(words[i + 1]);
            std::error_code error;
            if (!bytes || !name || !is_safe_below(*name) || fs::file_size(this->files() / *name, error) != *bytes)
                break;
            files.push_back({*name, *bytes});
        }
        if (2 * files.size() + 1 == words.size())
            arrived_[std::string(words[0])] = std::move(files);
    }
}

const std::vector<RemoteMirror::File>* RemoteMirror::arrived(const std::string& key) const {
    const auto found = arrived_.find(key);
    return found == arrived_.end() ? nullptr : &found->second;
}

fs::path RemoteMirror::unfinished(const std::string& key) const { return folder_ / "unfinished" / hashed(key); }

Result<void> RemoteMirror::put(const fs::path& finished, const std::string& name) const {
    const fs::path target = files() / name;
    std::error_code error;
    if (fs::create_directories(target.parent_path(), error); error)
        return cannot_keep(target, error.message());
    if (fs::rename(finished, target, error); error)
        return cannot_keep(target, error.message());
    return {};
}

Result<void> RemoteMirror::note(const std::string& key, std::vector<File> files) {
    const std::string line = line_of(key, files);
    const int out = open_to_append(folder_ / "arrived");
    const bool written = out >= 0 && ::write(out, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    if (out < 0 || ::close(out) != 0 || !written)
        return cannot_keep(folder_ / "arrived", std::strerror(errno));
    arrived_[key] = std::move(files);
    return {};
}

void RemoteMirror::keep_only(const std::vector<std::string>& keys) {
    const std::set<std::string> wanted(keys.begin(), keys.end());
    std::erase_if(arrived_, [&](const auto& known) { return !wanted.contains(known.first); });
    std::set<std::string> names;
    std::string text;
    for (const auto& [key, files] : arrived_) {
        text += line_of(key, files);
        for (const File& file : files)
            names.insert(file.name);
    }
    std::error_code error;
    std::vector<fs::path> left_over;
    for (fs::recursive_directory_iterator at(files(), error), end; !error && at != end; at.increment(error))
        if (std::error_code gone;
            !at->is_directory(gone) && !names.contains(at->path().lexically_relative(files()).string()))
            left_over.push_back(at->path());
    for (const fs::path& file : left_over)
        fs::remove(file, error);
    std::set<fs::path> begun;
    for (const std::string& key : keys)
        begun.insert(unfinished(key));
    left_over.clear();
    for (fs::directory_iterator at(folder_ / "unfinished", error), end; !error && at != end; at.increment(error))
        if (!begun.contains(at->path()))
            left_over.push_back(at->path());
    for (const fs::path& file : left_over)
        fs::remove(file, error);
    if (text != content_of(folder_ / "arrived"))
        std::ignore = write_whole_file(folder_ / "arrived", text);
}

void RemoteMirror::finish() {
    if (!keep_)
        return;
    ::utimensat(AT_FDCWD, (folder_ / "lock").c_str(), nullptr, 0); // used just now
    ::flock(lock_, LOCK_SH);
    struct Known {
        fs::path folder;
        fs::file_time_type used;
        std::uint64_t bytes = 0;
    };
    std::vector<Known> all;
    std::uint64_t total = 0;
    std::error_code error;
    for (fs::directory_iterator at(folder_.parent_path(), error), end; !error && at != end; at.increment(error)) {
        if (!is_mirror(*at))
            continue;
        std::error_code gone;
        Known known{at->path(), fs::last_write_time(at->path() / "lock", gone), bytes_under(at->path())};
        total += known.bytes;
        all.push_back(std::move(known));
    }
    std::ranges::sort(all, {}, &Known::used);
    for (const Known& known : all) {
        if (total <= kMostBytes || known.folder == folder_)
            return;
        // One that is being read stays.
        const int lock = ::open((known.folder / "lock").c_str(), O_RDWR | O_CLOEXEC);
        if (lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) == 0) {
            fs::remove_all(known.folder, error);
            total -= known.bytes;
        }
        if (lock >= 0)
            ::close(lock);
    }
}

} // namespace rankscope
