// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/blocks_ahead.h"

#include <system_error>
#include <utility>

namespace rankscope {
namespace {

constexpr std::size_t kBlocksAhead = 16;

} // namespace

BlocksAhead::BlocksAhead(KinetoDocument& document) : document_(document) {
    try {
        thread_ = std::jthread([this](const std::stop_token& stop) { fetch_all(stop); });
    } catch (const std::system_error&) { // no thread to be had: next() fetches itself
    }
}

BlocksAhead::~BlocksAhead() { thread_.request_stop(); } // wakes it as well

std::optional<KinetoDocument::Block> BlocksAhead::next() {
    if (!thread_.joinable())
        return document_.next_block();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !ready_.empty() || ended_; });
    if (ready_.empty()) {
        if (failure_)
            std::rethrow_exception(failure_);
        return {};
    }
    auto block = std::move(ready_.front());
    ready_.pop_front();
    changed_.notify_all();
    return block;
}

void BlocksAhead::fetch_all(const std::stop_token& stop) {
    try {
        fetch(stop);
    } catch (...) { // no memory: the reader hears of it
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
}

void BlocksAhead::fetch(const std::stop_token& stop) {
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            if (!changed_.wait(lock, stop, [this] { return ready_.size() < kBlocksAhead; }))
                return;
        }
        auto block = document_.next_block();
        if (!block)
            return;
        const std::lock_guard lock(mutex_);
        ready_.push_back(std::move(*block));
        changed_.notify_all();
    }
}

} // namespace rankscope
