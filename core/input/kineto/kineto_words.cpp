// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/kineto/kineto_words.h"

#include "core/input/bytes/text_numbers.h"

namespace rankscope {

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
    };
    for (const Known& known : kKnown)
        if (same_text(known.word, category))
            return known.kind;
    return EventKind::other;
}

} // namespace rankscope
