// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command/process.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/command/batch.h"
#include "app/command/guarded_new.h"

namespace rankscope {
namespace {

constexpr rlim_t kUsualStack = 8u << 20;
constexpr rlim_t kLeastStack = 1u << 20; ///< with less, parsers and libraries run into its end

rlim_t stack_limit() {
    rlimit limit{};
    return ::getrlimit(RLIMIT_STACK, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

/// The lowest number that is free is the one that is missing.
void open_missing_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0)
            // Nobody can write to stdout then: data that is lost must not count as written.
            static_cast<void>(::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY));
}

void raise_stack_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kLeastStack)
        return;
    limit.rlim_cur = std::min(limit.rlim_max, kUsualStack);
    ::setrlimit(RLIMIT_STACK, &limit);
}

/// Without it a thread gets what `ulimit -s` says.
void set_stack_of_threads() {
    pthread_attr_t attributes;
    if (pthread_getattr_default_np(&attributes) != 0)
        return;
    std::size_t size = 0;
    if (pthread_attr_getstacksize(&attributes, &size) == 0 && size < kLeastStack &&
        pthread_attr_setstacksize(&attributes, kUsualStack) == 0)
        pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

void* call_work(void* work) {
    (*static_cast<const std::function<void()>*>(work))();
    return nullptr;
}

/// Whether the program ends because memory is missing. A function of a library that may not throw ends it before
/// anybody has caught the exception, as libstdc++'s directory_iterator with an error_code does. The exception's type is
/// not known then: an allocation that failed is taken for the reason.
bool is_of_memory() {
    try {
        if (const auto exception = std::current_exception())
            std::rethrow_exception(exception);
    } catch (const std::bad_alloc&) {
        return true;
    } catch (...) { // a mistake of the program's
        return false;
    }
    return std::uncaught_exceptions() > 0 && allocation_has_failed();
}

/// Allocates nothing, and nothing else can be done: what runs may be in any state.
[[noreturn]] void end_without_memory() {
    if (!is_of_memory())
        std::abort(); // the system keeps what tells of it
    for (const std::string_view part :
         {std::string_view("rankscope: "), kNoMemory, std::string_view("; "), kNeedsLess, std::string_view("\n")})
        static_cast<void>(::write(STDERR_FILENO, part.data(), part.size()));
    std::_Exit(exit_code(Error::Code::input));
}

} // namespace

void prepare_process() {
    std::set_terminate(end_without_memory);
    open_missing_streams();
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    raise_stack_limit();
    set_stack_of_threads();
}

bool usual_stack_here() { return stack_limit() >= kLeastStack; }

bool call_with_usual_stack(const std::function<void()>& work) {
    if (usual_stack_here()) {
        work();
        return true;
    }
    pthread_t thread{};
    auto* const argument = const_cast<std::function<void()>*>(&work); // pthread's argument has no const
    if (pthread_create(&thread, nullptr, call_work, argument) != 0)
        return false;
    pthread_join(thread, nullptr);
    return true;
}

void tell(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stderr) != text.size())
        std::clearerr(stderr);
}

} // namespace rankscope
