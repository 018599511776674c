// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/read_ahead.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace rankscope {
namespace {

constexpr std::size_t kPiecesAhead = 16;
/// Of blanks before each piece, where the beginning of an event goes whose end is in this piece.
constexpr std::size_t kRoomInFront = 4096;

struct Piece {
    TextBuffer text; ///< blanks, then the bytes
    std::uint64_t consumed = 0;
    std::string damage; ///< what the source had to say by then
};

class AheadSource final : public ByteSource {
public:
    explicit AheadSource(std::unique_ptr<ByteSource> source) : source_(std::move(source)), compressed_(source_->is_compressed()) {
        file_bytes_ = source_->file_bytes();
    }

    std::size_t read(std::span<char> buffer) override {
        if (piece_bytes_ == 0) {
            const std::size_t got = source_->read(buffer);
            piece_.consumed = source_->consumed();
            damage_ = source_->damage();
            return got;
        }
        std::size_t filled = 0;
        while (filled < buffer.size() && has_bytes()) {
            const std::size_t size = piece_.text.view().copy(buffer.data() + filled, buffer.size() - filled, used_);
            used_ += size;
            filled += size;
        }
        return filled;
    }

    /// What is there goes into the blanks before a fresh piece, and the whole is handed over.
    std::size_t append_to(TextBuffer& text, std::size_t bytes) override {
        if (bytes == 0)
            return 0;
        if (piece_bytes_ == 0)
            start(bytes);
        if (!has_bytes())
            return 0;
        const std::size_t size = std::min(bytes, piece_.text.size() - used_);
        if (used_ == kRoomInFront && text.size() <= kRoomInFront && size == piece_.text.size() - used_) {
            std::ranges::copy(text.view(), piece_.text.data() + kRoomInFront - text.size());
            text = std::exchange(piece_.text, {});
            used_ = 0;
        } else {
            text.append(piece_.text.view().substr(used_, size));
            used_ += size;
        }
        return size;
    }

    [[nodiscard]] std::uint64_t consumed() const override { return piece_.consumed; }
    [[nodiscard]] bool is_compressed() const override { return compressed_; }

private:
    void start(std::size_t piece_bytes) {
        piece_bytes_ = piece_bytes;
        try {
            thread_ = std::jthread([this](const std::stop_token& stop) { fetch_all(stop); });
        } catch (const std::system_error&) { // no thread to be had: next_piece() fetches itself
        }
    }

    /// Gets the next piece when this one is used up. False: the end.
    bool has_bytes() {
        if (used_ < piece_.text.size())
            return true;
        auto piece = next_piece();
        if (!piece)
            return false;
        piece_ = std::move(*piece);
        used_ = kRoomInFront;
        damage_ = piece_.damage;
        return used_ < piece_.text.size();
    }

    std::optional<Piece> next_piece() {
        if (!thread_.joinable())
            return fetch();
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !ready_.empty() || ended_; });
        if (ready_.empty()) {
            if (failure_)
                std::rethrow_exception(failure_);
            return {};
        }
        auto piece = std::move(ready_.front());
        ready_.pop_front();
        changed_.notify_all();
        return piece;
    }

    /// The last one is without bytes.
    std::optional<Piece> fetch() {
        if (at_end_)
            return {};
        Piece piece;
        const std::span<char> all = piece.text.grow(kRoomInFront + piece_bytes_);
        std::ranges::fill(all.first(kRoomInFront), ' ');
        const std::size_t got = source_->read(all.subspan(kRoomInFront));
        piece.text.cut(kRoomInFront + got);
        piece.consumed = source_->consumed();
        piece.damage = source_->damage();
        at_end_ = got == 0;
        return piece;
    }

    void fetch_all(const std::stop_token& stop) {
        try {
            while (fetch_one(stop)) {
            }
        } catch (...) { // no memory: who asks for the bytes hears of it
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        ended_ = true;
        changed_.notify_all();
    }

    bool fetch_one(const std::stop_token& stop) {
        {
            std::unique_lock lock(mutex_);
            if (!changed_.wait(lock, stop, [this] { return ready_.size() < kPiecesAhead; }) || stop.stop_requested())
                return false;
        }
        auto piece = fetch();
        if (!piece)
            return false;
        const std::lock_guard lock(mutex_);
        ready_.push_back(std::move(*piece));
        changed_.notify_all();
        return true;
    }

    std::unique_ptr<ByteSource> source_; ///< the thread's alone, as long as there is one
    bool compressed_;
    std::size_t piece_bytes_ = 0; ///< 0: not started yet
    bool at_end_ = false; ///< likewise
    Piece piece_;
    std::size_t used_ = 0; ///< of piece_, with its blanks
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<Piece> ready_;
    bool ended_ = false;
    std::exception_ptr failure_;
    std::jthread thread_; ///< last: it ends, and is woken for that, before what it uses
};

} // namespace

std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> source) { return std::make_unique<AheadSource>(std::move(source)); }

} // namespace rankscope
