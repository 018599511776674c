// SPDX-License-Identifier: GPL-3.0-or-later
// What became of each event of a file: it is on the timeline, or it is counted under the reason why not.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/message.h"

namespace rankscope {

struct Run; // core/trace/run.h

/// Why an event of a file is not an event on the timeline. Digests hold numbers in this order: add at the end only.
enum class NotShown : std::uint8_t {
    metadata,        ///< names of processes, threads, domains
    counters,        ///< samples, drawn as curves
    flows,           ///< arrows between events
    instants,        ///< marks without a duration
    memory_samples,  ///< "[memory]" instants of the allocator
    pair_ends,       ///< the end of an event whose start is on the timeline
    unpaired,        ///< a start without an end, or an end without a start
    malformed,       ///< it cannot be read, or its times cannot be
    cut_off,         ///< the file ends, or is damaged, inside of it
    stray,           ///< days away from all others
    duplicate,       ///< recorded twice: a second list of events, a graph beside its nodes
    other_processes, ///< of processes without GPU work
    digest,          ///< left out of a digest
    sums,            ///< sums of kernels without times
    not_understood,  ///< of a kind that the reader does not know
    other_tables     ///< Nsight Systems: of tables that are not read: OS runtime calls, scheduling ...
};
inline constexpr std::size_t kNotShownCount = static_cast<std::size_t>(NotShown::other_tables) + 1;
/// The word of the JSON document: "metadata", "pair_ends" ...
std::string_view not_shown_word(NotShown reason);

/// Of one file, or of several together: events_in_file = on_timeline + all of not_shown.
struct Accounting {
    std::uint64_t events_in_file = 0; ///< counted where the text is cut into events or rows are read, not by reason
    std::uint64_t on_timeline = 0;
    std::array<std::uint64_t, kNotShownCount> not_shown{};
    std::map<std::string, std::uint64_t> rows_by_table; ///< Nsight Systems: rows of each table of events

    void add(NotShown reason, std::uint64_t events) { not_shown[static_cast<std::size_t>(reason)] += events; }
    [[nodiscard]] std::uint64_t of(NotShown reason) const { return not_shown[static_cast<std::size_t>(reason)]; }
    [[nodiscard]] std::uint64_t all_not_shown() const;
    Accounting& operator+=(const Accounting& other);
    friend bool operator==(const Accounting&, const Accounting&) = default;
};

struct FileAccounting {
    std::filesystem::path file;
    Accounting accounting;
};
/// A file that holds several ranks once; in the order of ranks.
std::vector<FileAccounting> accounting_by_file(const Run& run);
/// Of all files of the run.
Accounting accounting_of(const Run& run);

/// "12 metadata, 3 counters", by reason; "" when everything is shown.
Message not_shown_text(const Accounting& accounting);

} // namespace rankscope
