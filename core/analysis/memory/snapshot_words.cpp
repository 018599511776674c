// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/snapshot_words.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/memory/would_fit.h"
#include "core/base/text.h"
#include "core/base/words.h"

namespace rankscope {
namespace {

/// devices: with a snapshot.
Message first_words(const Run& run, const DeviceSnapshot& of, const FirstOut& first, std::size_t devices) {
    const int rank = run.ranks[of.rank]->rank;
    if (first.event)
        return "Rank %1 ran out of memory first: it asked for %2 with %3 free on the GPU. %4 were active, %5 reserved."_text(
            rank, memory_words(first.event->asked), memory_words(first.event->device_free),
            memory_words(first.event->active), memory_words(first.event->reserved));
    if (of.points.empty()) // what was there before is not known
        return (devices == 1
                    ? "The snapshot of rank %1 has no history (_record_memory_history()). When it was taken, %2 "
                      "were reserved and %3 allocated."_text
                    : "No snapshot records that memory ran out. Rank %1 reserves most: when its snapshot was "
                      "taken, %2 were reserved and %3 allocated; it has no history."_text)(
            rank, memory_words(of.total.reserved), memory_words(of.active_peak));
    if (devices == 1)
        return "The snapshot of rank %1 does not record that memory ran out. At most %2 were reserved, at most %3 active."_text(
            rank, memory_words(of.reserved_peak), memory_words(of.active_peak));
    return "No snapshot records that memory ran out. Rank %1 reserves most, at most %2; at most %3 were active."_text(
        rank, memory_words(of.reserved_peak), memory_words(of.active_peak));
}

Message place_words(const std::string& frame) {
    return frame.empty() ? Message("without a recorded stack"_text()) : Message(shortened(terminal_safe(frame), 80));
}

/// What would have had to be free for the request.
Message would_fit_words(const WouldFit& fit) {
    if (fit.lacking() <= 0)
        return "The memory was there, but not in one piece: %1 were reserved or free, %2 needed."_text(
            memory_words(fit.limit), memory_words(fit.needed));
    if (fit.without.empty())
        return "It lacked %1: no single category or place in the program held that much."_text(
            memory_words(fit.lacking()));
    constexpr std::size_t kMost = 4;
    std::vector<Message> names;
    for (const WouldFitWithout& each : std::span(fit.without).first(std::min(kMost, fit.without.size())))
        names.push_back(
            "%1 (%2)"_text(each.is_category ? Message(shortened(terminal_safe(each.name), 80)) : place_words(each.name),
                           memory_words(each.bytes)));
    return "It lacked %1, and would have fit without any one of these, if fragmentation takes nothing: %2."_text(
        memory_words(fit.lacking()), enumerated(names));
}

Message peer_words(const DeviceSnapshot& of, const FirstOut& first) {
    if (first.differences.empty())
        return "At its peak %1 were active, at the median peer's %2; no place in the program differs by 1 %."_text(
            memory_words(of.active_peak), memory_words(first.peers_active_peak));
    const PeakDifference& largest = first.differences.front();
    return "At its peak %1 were active, at the median peer's %2. The largest difference: %3 (%4; peers: %5)."_text(
        memory_words(of.active_peak), memory_words(first.peers_active_peak), place_words(largest.frame),
        memory_words(largest.bytes), memory_words(largest.peers_median));
}

} // namespace

std::string memory_words(std::int64_t bytes) {
    static constexpr std::array<std::string_view, 5> kUnits{"bytes", "kB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (std::abs(value) >= 1000 && unit + 1 < kUnits.size()) {
        value /= 1000;
        ++unit;
    }
    const bool whole = unit == 0 || value >= 100;
    return whole ? fmt::format("{:.0f} {}", value, kUnits[unit]) : fmt::format("{:.2f} {}", value, kUnits[unit]);
}

Message out_of_memory_sentence(const Run& run, const SnapshotMemory& memory) {
    if (!memory.first_out || !memory.first_out->event)
        return {};
    const FirstOut& first = *memory.first_out;
    return first_words(run, memory.devices[first.device], first, memory.devices.size());
}

std::vector<Message> snapshot_sentences(const Run& run, const SnapshotMemory& memory) {
    if (!memory.first_out)
        return {};
    const FirstOut& first = *memory.first_out;
    const DeviceSnapshot& of = memory.devices[first.device];
    std::vector<Message> sentences{first_words(run, of, first, memory.devices.size())};
    const RankTrace& rank = *run.ranks[of.rank];
    if (first.event && rank.memory_snapshot)
        sentences.push_back(would_fit_words(would_fit(*rank.memory_snapshot, *rank.names, of, *first.event)));
    if (first.peers > 0)
        sentences.push_back(peer_words(of, first));
    if (!of.live_at_peak.empty()) {
        const LiveAtPeak& most = of.live_at_peak.front();
        sentences.push_back((most.frame.empty()
                                 ? "At the peak of rank %1 most was live %2: %3 (blocks: %4)."_text
                                 : "At the peak of rank %1 most was live from %2: %3 (blocks: %4)."_text)(
            run.ranks[of.rank]->rank, place_words(most.frame), memory_words(most.bytes), most.blocks));
    }
    return sentences;
}

} // namespace rankscope
