// SPDX-License-Identifier: GPL-3.0-or-later
// Decompressing, and cutting at the borders of events, on a thread of its own, some blocks ahead of who parses them.
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "core/input/kineto_document.h"

namespace rankscope {

class BlocksAhead {
public:
    /// document: standing at the first event; nobody else may use it until this ends.
    explicit BlocksAhead(KinetoDocument& document);
    ~BlocksAhead();
    BlocksAhead(const BlocksAhead&) = delete;
    BlocksAhead& operator=(const BlocksAhead&) = delete;

    /// What KinetoDocument::next_block() gives, and throws.
    std::optional<KinetoDocument::Block> next();

private:
    void fetch_all(const std::stop_token& stop);
    void fetch(const std::stop_token& stop);

    KinetoDocument& document_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<KinetoDocument::Block> ready_;
    bool ended_ = false;
    std::exception_ptr failure_;
    std::jthread thread_; ///< last: it ends before what it uses
};

} // namespace rankscope
