// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/kineto/kineto_words.h"

#include <algorithm>

#include "core/input/bytes/text_numbers.h"

namespace rankscope {
namespace {

/// ending: in lower case.
bool ends_with_lower_case(std::string_view text, std::string_view ending) {
    if (text.size() < ending.size())
        return false;
    text.remove_prefix(text.size() - ending.size());
    return std::ranges::equal(text, ending, {}, [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
}

} // namespace

EventKind kind_of_category(std::string_view category) {
    struct Known {
        std::string_view word;
        EventKind kind;
    };
    // Kineto's words, newest first; then those of older releases and other tools.
    static constexpr std::array kKnown{
        Known{"cpu_op", EventKind::cpu_op},
        Known{"cuda_runtime", EventKind::runtime},
        Known{"kernel", EventKind::kernel},
        Known{"ac2g", EventKind::other}, // flows, one for every launch
        Known{"python_function", EventKind::python},
        Known{"gpu_memcpy", EventKind::memcpy},
        Known{"gpu_memset", EventKind::memset},
        Known{"user_annotation", EventKind::annotation},
        Known{"gpu_user_annotation", EventKind::gpu_annotation},
        Known{"cuda_driver", EventKind::driver},
        Known{"hip_runtime", EventKind::runtime},
        Known{"privateuse1_runtime", EventKind::runtime},
        Known{"cuda_sync", EventKind::gpu_sync},
        Known{"overhead", EventKind::overhead},
        Known{"Trace", EventKind::span},
        Known{"Kernel", EventKind::kernel},
        Known{"Memcpy", EventKind::memcpy},
        Known{"Memset", EventKind::memset},
        Known{"Operator", EventKind::cpu_op},
        Known{"Runtime", EventKind::runtime},
        Known{"xpu_runtime", EventKind::runtime},
        Known{"hip_driver", EventKind::driver},
        Known{"mtia_ccp_events", EventKind::kernel}, // libkineto's ActivityType.h: "MTIA ondevice CCP events"
        Known{"hpu_op", EventKind::runtime},         // the same: "HPU host side runtime event"; see may_be_device_work
        Known{"fwdbwd", EventKind::other},
    };
    for (const Known& known : kKnown)
        if (same_text(known.word, category))
            return known.kind;
    // Kineto's forks for other accelerators keep its words and put their own name in front: "mtia_runtime",
    // "mlu_memcpy", "GCU_USER_ANNOTATION". Asked once for each event of a category that is not in the table above.
    static constexpr std::array kEndings{
        Known{"_runtime", EventKind::runtime}, Known{"_driver", EventKind::driver},
        Known{"_memcpy", EventKind::memcpy},   Known{"_memset", EventKind::memset},
        Known{"_kernel", EventKind::kernel},   Known{"_user_annotation", EventKind::gpu_annotation},
        Known{"_sync", EventKind::gpu_sync},
    };
    for (const Known& ending : kEndings)
        if (ends_with_lower_case(category, ending.word))
            return ending.kind;
    return EventKind::other;
}

bool may_be_device_work(std::string_view category) {
    return category == "hpu_op" || category == "privateuse1_driver" || category == "privateuse1_runtime";
}

bool is_other_on_purpose(std::string_view category) {
    static constexpr std::array<std::string_view, 5> kWords{"cuda_event", "cuda_profiler_range", "xpu_scope_profiler",
                                                            "collective_comm", "mtia_insight"};
    return std::ranges::find(kWords, category) != kWords.end();
}

} // namespace rankscope
