// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/accounting.h"

#include <algorithm>
#include <numeric>

#include "core/base/words.h"
#include "core/trace/run.h"

namespace rankscope {

std::string_view not_shown_word(NotShown reason) {
    switch (reason) {
    case NotShown::metadata: return "metadata";
    case NotShown::counters: return "counters";
    case NotShown::flows: return "flows";
    case NotShown::instants: return "instants";
    case NotShown::memory_samples: return "memory_samples";
    case NotShown::pair_ends: return "pair_ends";
    case NotShown::unpaired: return "unpaired";
    case NotShown::malformed: return "malformed";
    case NotShown::cut_off: return "cut_off";
    case NotShown::stray: return "stray";
    case NotShown::duplicate: return "duplicate";
    case NotShown::other_processes: return "other_processes";
    case NotShown::digest: return "digest";
    case NotShown::sums: return "sums";
    case NotShown::other_tables: return "other_tables";
    case NotShown::not_understood: break;
    }
    return "not_understood";
}

std::uint64_t Accounting::all_not_shown() const {
    return std::accumulate(not_shown.begin(), not_shown.end(), std::uint64_t{0});
}

Accounting& Accounting::operator+=(const Accounting& other) {
    events_in_file += other.events_in_file;
    on_timeline += other.on_timeline;
    for (std::size_t i = 0; i < kNotShownCount; ++i)
        not_shown[i] += other.not_shown[i];
    for (const auto& [table, rows] : other.rows_by_table)
        rows_by_table[table] += rows;
    return *this;
}

std::vector<FileAccounting> accounting_by_file(const Run& run) {
    std::vector<FileAccounting> files;
    std::map<std::filesystem::path, std::size_t> place;
    for (const auto& rank : run.ranks) {
        const auto [known, added] = place.try_emplace(rank->file, files.size());
        if (added)
            files.push_back({rank->file, {}});
        files[known->second].accounting += rank->accounting;
    }
    return files;
}

Accounting accounting_of(const Run& run) {
    Accounting all;
    for (const auto& rank : run.ranks)
        all += rank->accounting;
    return all;
}

Message not_shown_text(const Accounting& accounting) {
    std::vector<Message> parts;
    for (std::size_t i = 0; i < kNotShownCount; ++i) {
        if (accounting.not_shown[i] == 0)
            continue;
        std::string word(not_shown_word(static_cast<NotShown>(i)));
        std::ranges::replace(word, '_', ' ');
        Message part = accounting.not_shown[i];
        part += ' ';
        part += Message::word(word);
        parts.push_back(std::move(part));
    }
    return enumerated(parts);
}

} // namespace rankscope
