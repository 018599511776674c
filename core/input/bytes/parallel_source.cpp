// SPDX-License-Identifier: GPL-3.0-or-later
// Borders of parts are found by their headers, which other data may look like. So a part counts only when it ends where
// the next one was supposed to start; from the first that does not, damaged ones among them, the file is read in order,
// by the reader for all files.
#include "core/input/bytes/parallel_source.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <system_error>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include "core/input/bytes/inflate_points.h"
#include "core/input/bytes/input_file.h"
#include "core/trace/page_array.h"

namespace rankscope {
namespace {

constexpr std::size_t kPartBytes = 512 * 1024;  ///< compressed; smaller parts are taken together
constexpr std::size_t kLargestPart = 32u << 20; ///< without a border in so much, the file is read in order
constexpr std::size_t kLargestText = 1u << 30;
enum class Compressed { gzip, zstd };

/// What 18 bytes at a border of gzip members look like; xfl and os as all known writers set them.
bool looks_like_member(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    return text.size() >= 18 && byte(0) == 0x1F && byte(1) == 0x8B && byte(2) == 8 && (byte(3) & 0xE0) == 0 &&
           (byte(8) == 0 || byte(8) == 2 || byte(8) == 4) && (byte(9) <= 13 || byte(9) == 255);
}

/// Where the first member starts at or behind the place; npos without one.
std::size_t next_member(std::string_view text, std::size_t from) {
    for (std::size_t at = text.find("\x1F\x8B\x08", from); at != std::string_view::npos;
         at = text.find("\x1F\x8B\x08", at + 1))
        if (looks_like_member(text.substr(at)))
            return at;
    return std::string_view::npos;
}

/// The members of which the part consists, if they end where it does.
std::optional<std::string> inflated(std::string_view part) {
    std::string text;
    inflate_state state;
    isal_inflate_init(&state);
    state.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(part.data()));
    state.avail_in = static_cast<std::uint32_t>(part.size());
    std::size_t filled = 0;
    while (state.avail_in > 0) {
        std::uint8_t* const next = state.next_in;
        const std::uint32_t available = state.avail_in;
        isal_inflate_reset(&state);
        state.crc_flag = ISAL_GZIP;
        state.next_in = next;
        state.avail_in = available;
        while (state.block_state != ISAL_BLOCK_FINISH) {
            if (filled == text.size())
                text.resize(std::min(kLargestText, std::max(part.size() * 8, text.size() * 2)));
            if (filled == text.size())
                return {};
            const std::uint32_t room = static_cast<std::uint32_t>(text.size() - filled);
            state.next_out = reinterpret_cast<std::uint8_t*>(text.data() + filled);
            state.avail_out = room;
            const int status = isal_inflate(&state);
            filled += room - state.avail_out;
            const bool stuck = state.avail_in == 0 && state.avail_out == room && state.block_state != ISAL_BLOCK_FINISH;
            if ((status != ISAL_DECOMP_OK && status != ISAL_END_INPUT) || stuck)
                return {};
        }
    }
    text.resize(filled);
    return text;
}

std::optional<std::string> decompressed(std::string_view part) {
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
    std::string text;
    std::size_t filled = 0;
    ZSTD_inBuffer in{part.data(), part.size(), 0};
    for (std::size_t status = 1; in.pos < in.size || status != 0;) {
        if (filled == text.size())
            text.resize(std::min(kLargestText, std::max(part.size() * 8, text.size() * 2)));
        if (filled == text.size())
            return {};
        ZSTD_outBuffer out{text.data() + filled, text.size() - filled, 0};
        const std::size_t read_before = in.pos;
        status = ZSTD_decompressStream(context.get(), &out, &in);
        filled += out.pos;
        if (ZSTD_isError(status) || (out.pos == 0 && in.pos == read_before))
            return {};
    }
    text.resize(filled);
    return text;
}

/// Cuts a file into parts.
class PartCutter {
public:
    PartCutter(InputFile file, Compressed kind) : file_(std::move(file)), kind_(kind) {}

    struct Part {
        std::uint64_t offset = 0;
        std::string bytes;
    };
    /// Nothing at the end. `sure` is false when no border was found in what may be one part: the rest is to be read in
    /// order.
    std::optional<Part> next(bool& sure) {
        sure = true;
        for (std::size_t wanted = kPartBytes; !ended_ || !window_.empty();
             wanted = std::min(wanted * 2, kLargestPart)) {
            fill(wanted + 18);
            if (window_.empty())
                return {};
            const std::size_t end = ended_ && window_.size() <= wanted ? window_.size() : border(wanted);
            if (end > 0) {
                Part part{offset_, window_.substr(0, end)};
                window_.erase(0, end);
                offset_ += end;
                return part;
            }
            if (wanted == kLargestPart || (ended_ && window_.size() <= wanted)) {
                sure = false;
                return Part{offset_, {}};
            }
        }
        return {};
    }

private:
    void fill(std::size_t size) {
        if (ended_ || window_.size() >= size)
            return;
        const std::size_t known = window_.size();
        window_.resize(size);
        Message damage;
        window_.resize(known + file_.read({window_.data() + known, size - known}, damage));
        ended_ = window_.size() < size;
    }
    /// The last border in (0, wanted], 0 without one.
    [[nodiscard]] std::size_t border(std::size_t wanted) const {
        std::size_t last = 0;
        if (kind_ == Compressed::gzip) {
            for (std::size_t at = next_member(window_, 1); at <= wanted; at = next_member(window_, at + 1))
                last = at;
            return last;
        }
        for (std::size_t at = 0; at < window_.size();) {
            const std::size_t size = ZSTD_findFrameCompressedSize(window_.data() + at, window_.size() - at);
            if (ZSTD_isError(size) || (last > 0 && at + size > wanted))
                break;
            last = at += size;
        }
        return last;
    }

    InputFile file_;
    Compressed kind_;
    std::string window_;
    std::uint64_t offset_ = 0;
    bool ended_ = false;
};

class ParallelSource final : public ByteSource {
public:
    ParallelSource(std::filesystem::path path, InputFile file, Compressed kind, int threads, std::uint64_t size,
                   std::shared_ptr<const InflatePoints> points)
        : path_(std::move(path)), cutter_(std::move(file), kind), kind_(kind),
          ahead_(static_cast<std::size_t>(threads) * 3), points_(std::move(points)) {
        file_bytes_ = size;
        try {
            for (int i = 1; i < threads; ++i)
                threads_.emplace_back([this](const std::stop_token& stop) { help(stop); });
        } catch (
            const std::system_error&) { // no more threads to be had: those that are there, and the reader itself, do it
        }
    }
    ~ParallelSource() override {
        for (std::jthread& thread : threads_)
            thread.request_stop();
        changed_.notify_all();
    }
    ParallelSource(const ParallelSource&) = delete;
    ParallelSource& operator=(const ParallelSource&) = delete;

    std::size_t read(std::span<char> buffer) override {
        std::size_t filled = 0;
        while (filled < buffer.size()) {
            if (in_order_) {
                filled += in_order_->read(buffer.subspan(filled));
                damage_ = in_order_->damage();
                break;
            }
            if (taken_ == text_.size() && !next_part())
                break;
            const std::size_t size = std::min(buffer.size() - filled, text_.size() - taken_);
            std::copy_n(text_.data() + taken_, size, buffer.data() + filled);
            taken_ += size;
            filled += size;
        }
        return filled;
    }
    [[nodiscard]] std::uint64_t consumed() const override { return in_order_ ? in_order_->consumed() : consumed_; }

private:
    struct Job {
        PartCutter::Part part;
        std::optional<std::string> text;
        enum { waiting, taken, done } state = waiting;
    };

    /// Without memory for the part there is no text, and it is read in order, piece by piece.
    void work(Job& job) const {
        try {
            job.text = kind_ == Compressed::gzip ? inflated(job.part.bytes) : decompressed(job.part.bytes);
        } catch (const std::bad_alloc&) {
            job.text.reset();
        }
    }

    /// False: the end, or the rest is read in order.
    bool next_part() {
        text_offset_ += text_.size();
        text_.clear();
        taken_ = 0;
        cut();
        std::unique_lock lock(mutex_);
        if (jobs_.empty())
            return unsure_at_ && read_in_order(*unsure_at_);
        Job& job = jobs_.front();
        if (job.state == Job::waiting) {
            job.state = Job::taken;
            lock.unlock();
            work(job);
            lock.lock();
            job.state = Job::done;
        }
        changed_.wait(lock, [&] { return job.state == Job::done; });
        if (!job.text)
            return read_in_order(job.part.offset);
        remember(job.part.offset);
        consumed_ = job.part.offset + job.part.bytes.size();
        text_ = std::move(*job.text);
        jobs_.pop_front();
        return true;
    }

    void cut() {
        for (;;) {
            {
                const std::lock_guard lock(mutex_);
                if (jobs_.size() >= ahead_ || cut_all_)
                    return;
            }
            bool sure = true;
            auto part = cutter_.next(sure);
            const std::lock_guard lock(mutex_);
            cut_all_ = !part || !sure;
            if (part && !sure)
                unsure_at_ = part->offset;
            else if (part)
                jobs_.push_back({std::move(*part), {}, Job::waiting});
            changed_.notify_one();
        }
    }

    bool read_in_order(std::uint64_t offset) {
        auto source = open_byte_source(path_, offset);
        if (!source) {
            damage_ = source.error().message;
            return false;
        }
        in_order_ = std::move(*source);
        return true;
    }

    /// A member's beginning needs no state but a fresh one.
    void remember(std::uint64_t file_offset) {
        if (!points_ || kind_ != Compressed::gzip || text_offset_ < next_point_)
            return;
        inflate_state state{};
        isal_inflate_init(&state);
        state.crc_flag = ISAL_GZIP;
        points_->add({text_offset_, file_offset, 1, true}, {reinterpret_cast<const char*>(&state), sizeof state});
        next_point_ = text_offset_ + kPointStride;
    }

    void help(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        for (;;) {
            Job* job = nullptr;
            const auto find = [&] {
                const auto found = std::ranges::find(jobs_, Job::waiting, &Job::state);
                job = found == jobs_.end() ? nullptr : &*found;
                return job != nullptr;
            };
            if (!changed_.wait(lock, stop, find))
                return;
            job->state = Job::taken; // jobs keep their place, and the first one is not dropped before it is done
            lock.unlock();
            work(*job);
            lock.lock();
            job->state = Job::done;
            changed_.notify_all();
        }
    }

    std::filesystem::path path_;
    PartCutter cutter_;
    Compressed kind_;
    std::size_t ahead_;
    std::shared_ptr<const InflatePoints> points_;
    std::string text_;
    std::size_t taken_ = 0;
    std::uint64_t text_offset_ = 0;
    std::uint64_t next_point_ = kPointStride;
    std::uint64_t consumed_ = 0;
    std::unique_ptr<ByteSource> in_order_;

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<Job> jobs_;
    bool cut_all_ = false;
    std::optional<std::uint64_t> unsure_at_;
    std::vector<std::jthread> threads_; ///< last: they end before what they use
};

/// Whether a second part starts early enough for the file to be worth it.
std::optional<Compressed> many_parts(int descriptor) {
    const PageArray<char> memory(16u << 20);
    const ssize_t got = ::pread(descriptor, memory.data(), memory.size(), 0);
    const std::string_view front(memory.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (front.starts_with("\x1F\x8B") && next_member(front, 1) != std::string_view::npos)
        return Compressed::gzip;
    if (front.size() >= 4 &&
        is_zstd(std::span<const unsigned char, 4>(reinterpret_cast<const unsigned char*>(front.data()), 4))) {
        const std::size_t first = ZSTD_findFrameCompressedSize(front.data(), front.size());
        if (!ZSTD_isError(first) && first < front.size())
            return Compressed::zstd;
    }
    return {};
}

} // namespace

Result<std::unique_ptr<ByteSource>> open_parallel_source(const std::filesystem::path& path, int threads,
                                                         std::shared_ptr<const InflatePoints> points) {
    auto source = open_byte_source(path);
    constexpr std::uint64_t kWorthAThread = 1u << 20;
    if (!source || !(*source)->is_compressed())
        return source;
    if (threads > 1 && (*source)->file_bytes() >= kWorthAThread) {
        InputFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
        if (const auto kind = file.is_open() ? many_parts(file.descriptor()) : std::nullopt)
            return std::make_unique<ParallelSource>(path, std::move(file), *kind, threads, (*source)->file_bytes(),
                                                    std::move(points));
    }
    (*source)->save_points(std::move(points));
    return source;
}

} // namespace rankscope
