// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command/stdio_session.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>

#include <poll.h>
#include <unistd.h>

#include "app/command/batch.h"
#include "app/command/stdio_server.h"
#include "core/base/shallow_json.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostOfAMessage = std::size_t{1} << 20; ///< bytes
constexpr std::size_t kMostWaiting = 64;                      ///< messages that were read and not answered yet
constexpr int kPollMs = 50;
/// After the end of stdin: until then answers are finished, then work is asked to stop, then the program ends all the
/// same. Whoever closed stdin waits for it.
constexpr auto kToFinish = std::chrono::milliseconds(1200);
constexpr auto kToStop = std::chrono::milliseconds(500);

/// Empty: it is no request and no notification.
std::string method_of(const Json& message) {
    const auto method = message.is_object() ? message.find("method") : message.end();
    return method != message.end() && method->is_string() ? method->get<std::string>() : std::string();
}

class StdioSession {
public:
    StdioSession(const Options& options, Interrupt& interrupt) : server_(options), interrupt_(interrupt) {}

    int run() {
        std::jthread reader([this](const std::stop_token& finished) { read(finished); });
        while (const auto message = next()) {
            const auto answer = work_on(*message);
            if (answer && !write(*answer))
                break;
            const std::scoped_lock lock(mutex_);
            idle_ = true;
            changed_.notify_all();
        }
        reader.request_stop();
        reader.join();
        if (failed_)
            return exit_code(Error::Code::output);
        return cut_ || interrupt_.token().stop_requested() ? kExitInterrupted : 0;
    }

private:
    /// Lines of stdin, until it ends, or nobody works on them any more.
    void read(const std::stop_token& finished) {
        std::string line;
        bool too_long = false;
        std::array<char, 64 * 1024> piece{};
        while (!finished.stop_requested() && !interrupt_.token().stop_requested()) {
            pollfd input{STDIN_FILENO, POLLIN, 0};
            const int ready = ::poll(&input, 1, kPollMs);
            if (ready == 0 || (ready < 0 && errno == EINTR))
                continue;
            const ssize_t count = ::read(STDIN_FILENO, piece.data(), piece.size());
            if (count < 0 && (errno == EINTR || errno == EAGAIN))
                continue;
            if (count <= 0)
                break;
            for (std::string_view rest(piece.data(), static_cast<std::size_t>(count)); !rest.empty();) {
                const std::size_t end = rest.find('\n');
                const std::string_view part = rest.substr(0, end);
                too_long |= line.size() + part.size() > kMostOfAMessage;
                if (!too_long)
                    line += part;
                if (end == std::string_view::npos)
                    break;
                take(line, too_long, finished);
                line.clear();
                too_long = false;
                rest.remove_prefix(end + 1);
            }
        }
        take(line, too_long, finished);
        std::unique_lock lock(mutex_);
        ended_ = true;
        changed_.notify_all();
        const auto done = [this] { return idle_ && waiting_.empty(); };
        if (changed_.wait_for(lock, finished, kToFinish, done) || finished.stop_requested())
            return;
        cut_ = true;
        waiting_.clear();
        stop_.request_stop();
        if (!changed_.wait_for(lock, finished, kToStop, done) && !finished.stop_requested())
            std::_Exit(kExitInterrupted);
    }

    void take(const std::string& line, bool too_long, const std::stop_token& finished) {
        if (!too_long && line.find_first_not_of(" \t\r") == std::string::npos)
            return;
        Json message = too_long ? Json() : parse_shallow_json<Json>(line);
        if (too_long || message.is_discarded()) {
            write(too_long ? StdioServer::too_long() : StdioServer::not_json());
            return;
        }
        const std::string method = method_of(message);
        if (method == "notifications/cancelled") {
            cancel(message);
        } else if (method == "ping") {
            if (const auto answer = server_.answer(message))
                write(*answer);
        } else {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, finished, [this] { return waiting_.size() < kMostWaiting; });
            waiting_.push_back(std::move(message));
            changed_.notify_all();
        }
    }

    /// The request that the notification names, whether it waits or is worked on. One that is not known is passed over.
    void cancel(const Json& notification) {
        const auto parameters = notification.find("params");
        const auto id = parameters == notification.end() ? std::nullopt : message_id(*parameters, "requestId");
        if (!id)
            return;
        const std::scoped_lock lock(mutex_);
        if (working_on_ == id)
            stop_.request_stop();
        std::erase_if(waiting_, [&](const Json& message) { return message_id(message) == id; });
    }

    /// Nothing: stdin has ended and nothing waits, or the program is asked to end.
    std::optional<Json> next() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, interrupt_.token(), [this] { return !waiting_.empty() || ended_; });
        if (waiting_.empty() || interrupt_.token().stop_requested())
            return {};
        Json message = std::move(waiting_.front());
        waiting_.pop_front();
        working_on_ = message_id(message);
        idle_ = false;
        stop_ = std::stop_source();
        changed_.notify_all();
        return message;
    }

    std::optional<Json> work_on(const Json& message) {
        const std::stop_callback interrupted(interrupt_.token(), [this] {
            const std::scoped_lock lock(mutex_);
            stop_.request_stop();
        });
        auto answer = server_.answer(message, stop_.get_token());
        const std::scoped_lock lock(mutex_);
        working_on_.reset();
        return answer;
    }

    bool write(const Json& answer) {
        const std::scoped_lock lock(output_);
        if (failed_)
            return false;
        const auto written = print_data(text_of_message(answer) + '\n');
        if (!written) {
            print_error(written.error());
            failed_ = true;
        }
        return !failed_;
    }

    StdioServer server_;
    Interrupt& interrupt_;
    std::mutex mutex_; ///< of what both threads know
    std::condition_variable_any changed_;
    std::deque<Json> waiting_;
    std::optional<std::string> working_on_; ///< id of the request
    std::stop_source stop_;                 ///< of that request
    bool ended_ = false;                    ///< stdin
    bool idle_ = true;                      ///< nothing is worked on
    bool cut_ = false;                      ///< stdin ended before all was answered
    std::mutex output_;
    bool failed_ = false; ///< stdout takes nothing any more
};

} // namespace

int serve_stdio(const Options& options, Interrupt& interrupt) { return StdioSession(options, interrupt).run(); }

} // namespace rankscope
