// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/read_ahead.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace rankscope {
namespace {

constexpr std::size_t kPiece = 1 << 20;
constexpr std::size_t kPiecesAhead = 16;

class ReadAhead final : public ByteSource {
public:
    explicit ReadAhead(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {
        file_bytes_ = source_->file_bytes();
        thread_ = std::jthread([this](const std::stop_token& stop) {
            try {
                fetch(stop);
            } catch (...) { // no memory: the reader hears of it
                const std::lock_guard lock(mutex_);
                failure_ = std::current_exception();
                changed_.notify_all();
            }
        });
    }
    ~ReadAhead() override {
        thread_.request_stop();
        changed_.notify_all();
    }
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;

    std::size_t read(std::span<char> buffer) override {
        std::size_t filled = 0;
        while (filled < buffer.size() && (taken_ < piece_.text.size() || next_piece())) {
            const std::size_t size = std::min(buffer.size() - filled, piece_.text.size() - taken_);
            std::copy_n(piece_.text.data() + taken_, size, buffer.data() + filled);
            taken_ += size;
            filled += size;
        }
        return filled;
    }
    [[nodiscard]] std::uint64_t consumed() const override { return piece_.consumed; }

private:
    struct Piece {
        std::vector<char> text;
        std::uint64_t consumed = 0; ///< of the file, when the piece was read
        std::string damage;
        bool last = false;
    };

    bool next_piece() {
        if (piece_.last)
            return false;
        std::unique_lock lock(mutex_);
        if (piece_.text.capacity() > 0)
            spare_.push_back(std::move(piece_.text));
        changed_.wait(lock, [this] { return !ready_.empty() || failure_; });
        if (ready_.empty())
            std::rethrow_exception(failure_);
        piece_ = std::move(ready_.front());
        ready_.pop_front();
        taken_ = 0;
        changed_.notify_all();
        damage_ = piece_.damage;
        return !piece_.text.empty();
    }

    void fetch(const std::stop_token& stop) {
        for (bool more = true; more;) {
            Piece piece;
            {
                std::unique_lock lock(mutex_);
                if (!changed_.wait(lock, stop, [this] { return ready_.size() < kPiecesAhead; }))
                    return;
                if (!spare_.empty()) {
                    piece.text = std::move(spare_.back());
                    spare_.pop_back();
                }
            }
            piece.text.resize(kPiece);
            piece.text.resize(source_->read(piece.text));
            piece.consumed = source_->consumed();
            piece.last = piece.text.size() < kPiece;
            piece.damage = source_->damage();
            more = !piece.last;
            const std::lock_guard lock(mutex_);
            ready_.push_back(std::move(piece));
            changed_.notify_all();
        }
    }

    std::unique_ptr<ByteSource> source_;
    Piece piece_;
    std::size_t taken_ = 0;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<Piece> ready_;
    std::exception_ptr failure_;
    std::vector<std::vector<char>> spare_;
    std::jthread thread_;
};

} // namespace

std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> source) {
    return std::make_unique<ReadAhead>(std::move(source));
}

} // namespace rankscope
