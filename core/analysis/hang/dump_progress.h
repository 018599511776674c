// SPDX-License-Identifier: GPL-3.0-or-later
// How far each rank got in each of its groups, as its calls and its pg_status tell.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/hang/hang_waits.h"

namespace rankscope {

/// What a status counts: the calls of a group and the messages in it are numbered apart.
enum class StatusCounts : std::uint8_t { unknown, collectives, messages };

/// How far one rank got in one group.
struct GroupProgress {
    bool has_status = false;
    bool status_by_entries = false; ///< the rank's own calls say which status is this group's
    StatusCounts counts = StatusCounts::unknown;
    std::int64_t enqueued = kNoCall; ///< of the status
    std::int64_t completed = kNoCall;
    std::int64_t last_collective = kNoCall; ///< of the entries
    std::int64_t last_message = kNoCall;
    bool last_is_message = false;
};

/// One rank's own groups, which are few, where all ranks together may have thousands.
struct RankProgress {
    std::vector<std::uint32_t> global;   ///< of each group of the dump: index in HangWaits::groups
    std::vector<GroupProgress> progress; ///< of each group of the dump
    std::vector<std::pair<std::uint32_t, std::uint32_t>> local; ///< global -> index above; sorted
    bool whole = false;              ///< it holds all calls since the process started, or since its buffer was emptied
    bool keeps_completed = false;    ///< finished calls are in it as well, not only the open ones
    std::vector<std::uint32_t> open; ///< calls that are not finished
    /// Of each group of the dump: the highest numbers that its entries name, of either kind.
    std::vector<std::int64_t> collectives, messages;
};

class DumpProgress {
public:
    DumpProgress(std::span<const RankDump> dumps, const HangEvidence& evidence);

    [[nodiscard]] const std::vector<HangGroup>& groups() const { return groups_; }
    /// i: of the dumps, here and below.
    [[nodiscard]] const RankProgress& member(std::size_t i) const { return members_[i]; }
    [[nodiscard]] bool has_unread_calls(std::size_t i) const { return evidence_.unread_calls.contains(dumps_[i].rank); }
    /// It has an open call that its buffer no longer holds.
    [[nodiscard]] bool lost_open_call(std::size_t i) const { return lost_open_call_[i] != 0; }
    /// group: index in groups().
    [[nodiscard]] GroupProgress progress(std::size_t i, std::uint32_t group) const;
    enum class Made : std::uint8_t { yes, no, not_known };
    /// Whether a rank has made a call of which its dump has no entry.
    [[nodiscard]] Made made(std::size_t i, std::uint32_t group, std::int64_t seq, bool message) const;
    [[nodiscard]] HangStatus status_of(std::size_t i, const FlightRecorderStatus& status) const;
    /// Groups, and their last collective that the rank has finished as its status says.
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::int64_t>> completed(std::size_t i) const;

private:
    [[nodiscard]] const FlightRecorderDump& dump(std::size_t i) const { return *dumps_[i].dump; }
    void number_groups();
    void measure_progress();
    /// Finds the group of each status. The rank's calls say it; else the order does, since names and numbers of groups
    /// both ascend as groups are made; else what all other members of the group say.
    void name_statuses();
    /// Of each group of a dump, where names and statuses are numbers, as many of both, and no call contradicts.
    [[nodiscard]] std::vector<std::string> uids_by_order(std::size_t i) const;
    void tell_what_statuses_count();
    /// Messages of a batch have no state of their own, and the entry that has it may not be in the dump: a status that
    /// counts messages tells which of them are finished.
    void close_finished_messages();
    void find_lost_calls();

    std::span<const RankDump> dumps_;
    const HangEvidence& evidence_;
    std::vector<HangGroup> groups_;
    std::vector<RankProgress> members_; ///< of each dump
    std::vector<char> lost_open_call_;
};

} // namespace rankscope
