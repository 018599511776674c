// SPDX-License-Identifier: GPL-3.0-or-later
// Tolerances that several questions share: what is noise, what is clear, what is the same, what is worth telling.
//   A kernel takes 1.02 times its peers' time -> within kSameKernel: as fast.
//   Ten steps, 12 us longer each, standard error 2 us -> 6 errors, beyond kClearErrors: slower.
// A tolerance of one question alone stays beside its code, with its unit and its reason.
#pragma once
#include <cstddef>

#include "core/base/time.h"

namespace rankscope {

// ---- Noise and clear ----

/// Standard errors (of scatter: deviations) beyond which nothing is chance: one of 16 000 normal values, and a run asks
/// some thousand times.
inline constexpr double kClearErrors = 4;
/// Standard errors where the question is asked once for a cause that is known beforehand: one value of 370.
inline constexpr double kShownErrors = 3;
/// Steps from which on what scatters can be told from what stays.
inline constexpr std::size_t kStepsThatTell = 3;
/// Steps from which on the middle of one place is known, and how it scatters: of three, one alone moves both.
inline constexpr std::size_t kStepsOfScatter = 4;
/// ns: shorter waits are not looked into. The GPU itself takes nearly as long from one kernel to the next.
inline constexpr TimeNs kShortestWait = 2'000;
/// ns, between the clocks of two ranks that are aligned: what collectives align them by scatters by less
/// (clock_alignment.h).
inline constexpr TimeNs kClockError = 50'000;
/// Share by which a replay, which rounds and counts steps a little otherwise, may differ from the recording.
inline constexpr double kReplayError = 0.02;

// ---- The same ----

/// Share of its time by which a kernel's median may differ between GPUs that are equally fast.
inline constexpr double kSameKernel = 0.03;
/// Share by which two times of one sentence differ at least, else the second is not told. Real runs are far from it:
/// 2.5 ms beside 5.0 ms (dlrm), 9 % beside 57 % (astra_megatron_tp8), 12 % beside 62 % (rccl_demo).
inline constexpr double kNearlyAlike = 0.1;
/// Who has that share of what the worst has is one with it.
inline constexpr double kTogether = 0.5;
/// Share from which on a part is most of the whole.
inline constexpr double kMostOf = 0.5;

// ---- Worth telling ----

/// Share of a step from which on a fault makes a run unhealthy. What all ranks share counts as a fault from here on:
/// below, it is part of the program.
inline constexpr double kUnhealthy = 0.01;
/// Shares of a step: a fault that costs less, and an inherent cost that costs less than the second, gets no sentence.
inline constexpr double kLeastFault = 0.003;
inline constexpr double kLeastInherent = 0.01;
/// The busiest stage's computation, times the mean stage's: less is even.
inline constexpr double kUnevenStages = 1.05;
/// Percent of the workers that are told as the slowest (Lin et al., OSDI '25).
inline constexpr std::size_t kSlowestPercent = 3;
/// Events or kernels that prove a finding, and letters of a name in a sentence: more do not help a reader.
inline constexpr std::size_t kEventsShown = 5;
inline constexpr std::size_t kWidthOfName = 60;

} // namespace rankscope
