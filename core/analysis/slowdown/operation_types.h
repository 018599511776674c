// SPDX-License-Identifier: GPL-3.0-or-later
// The names that an operation timeline gives to communication and to what follows the last pass of a step.
#pragma once
#include <array>
#include <string_view>

#include "core/base/text_match.h"

namespace rankscope {

inline constexpr std::string_view kParamsGather = "params-all-gather";
inline constexpr std::string_view kGradsScatter = "grads-reduce-scatter";
inline constexpr std::string_view kSeparateReduce = "separate-grads-all-reduce";
inline constexpr std::string_view kLayernormReduce = "layernorm-grads-all-reduce";
inline constexpr std::string_view kEmbeddingReduce = "embedding-grads-all-reduce";
inline constexpr std::string_view kClip = "optimizer-clip-main-grad";
inline constexpr std::string_view kOptimizer = "optimizer";
inline constexpr std::string_view kCollection = "gc";

inline constexpr std::array<std::string_view, 4> kMessageTypes{"forward-send", "forward-recv", "backward-send",
                                                               "backward-recv"};
inline constexpr std::array<std::string_view, 6> kCollectiveTypes{kParamsGather,    kGradsScatter,    kSeparateReduce,
                                                                  kLayernormReduce, kEmbeddingReduce, kClip};

inline bool is_communication_type(std::string_view type) {
    return is_one_of(type, kMessageTypes) || is_one_of(type, kCollectiveTypes);
}

} // namespace rankscope
