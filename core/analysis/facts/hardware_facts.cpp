// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/facts/hardware_facts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/base/words.h"
#include "core/trace/held_values.h"

namespace rankscope {
namespace {

using Q = HardwareQuantity;

std::string whole_words(double value) { return fmt::format("{:.0f}", value); }

/// What all of them have in common, as "1980" or "1410 to 1980".
struct Extent {
    double low = std::numeric_limits<double>::max();
    double high = 0;
    std::size_t count = 0;
    void add(std::optional<double> value) {
        if (!value)
            return;
        low = std::min(low, *value);
        high = std::max(high, *value);
        ++count;
    }
    [[nodiscard]] std::string words() const {
        const std::string from = whole_words(low), to = whole_words(high);
        return from == to ? from : from + " – " + to;
    }
};

struct Held {
    std::vector<int> ranks;
    Extent share; ///< percent of the time
    Extent clock;
    Extent power;
    Extent limit;
};

Held held_back(const HardwareFacts& facts, std::size_t by) {
    Held held;
    for (const RankHardware& rank : facts.ranks) {
        const std::optional<double> share = rank[kHoldBack[by]];
        if (share.value_or(0) < kHeldBack)
            continue;
        held.ranks.push_back(rank.rank);
        held.share.add(100 * *share);
        held.clock.add(rank.while_held[by].clock);
        held.power.add(rank.while_held[by].power);
        held.limit.add(rank.while_held[by].limit);
    }
    return held;
}

Message clock_words(const Extent& clock) {
    return clock.count > 0 ? ", at %1 MHz on mean"_text(clock.words()) : Message();
}

/// "all GPUs", "the GPU of rank 3", "the GPUs of ranks 3 and 5"
Message whose(const HardwareFacts& facts, const std::vector<int>& ranks) {
    return ranks.size() == facts.all_ranks && ranks.size() > 1
               ? "all GPUs"_text()
               : plural(ranks.size(), "the GPU of rank %1"_one, "the GPUs of ranks %1"_many)(rank_numbers(ranks));
}

Message held_words(const HardwareFacts& facts, std::size_t by) {
    const Held held = held_back(facts, by);
    if (held.ranks.empty())
        return {};
    const Message gpus = whose(facts, held.ranks);
    const std::string share = held.share.words();
    const Message clock = clock_words(held.clock);
    switch (kHoldBack[by]) {
    case Q::limited_by_power:
        return held.power.count == held.ranks.size() && held.limit.count == held.ranks.size()
                   ? "The power limit holds back %1 for %4 % of the time (%2 of %3 W)%5"_text(
                         gpus, held.power.words(), held.limit.words(), share, clock)
                   : "The power limit holds back %1 for %2 % of the time%3"_text(gpus, share, clock);
    case Q::limited_by_heat:
        return "The temperature limit holds back %1 for %2 % of the time%3"_text(gpus, share, clock);
    case Q::limited_by_brake:
        return "A power brake signal from outside of the GPU, as of its power supply, holds back %1 for %2 % of the time%3"_text(
            gpus, share, clock);
    case Q::slowed_down:
        return "The hardware slows down %1 for %2 % of the time%3; the log does not say why"_text(gpus, share, clock);
    case Q::limited_by_setting:
        return "Clocks that were set hold back %1 for %2 % of the time%3"_text(gpus, share, clock);
    default: return {};
    }
}

/// Where no log tells what holds the clocks back, power close to its limit is said as it is.
Message near_limit_words(const HardwareFacts& facts) {
    constexpr double kNear = 0.97;
    std::vector<int> ranks;
    Extent power, limit, clock;
    for (const RankHardware& rank : facts.ranks) {
        const auto own = rank[Q::power], most = rank[Q::power_limit];
        if (rank[Q::limited_by_power] || !own || !most || *own < kNear * *most)
            continue;
        ranks.push_back(rank.rank);
        power.add(own);
        limit.add(most);
        clock.add(rank[Q::sm_clock]);
    }
    return ranks.empty() ? Message()
                         : "The power of %1 is close to its limit, %2 of %3 W%4"_text(
                               whose(facts, ranks), power.words(), limit.words(), clock_words(clock));
}

/// Nothing holds any of them back for kHeldBack of the time.
Message free_words(const HardwareFacts& facts) {
    if (facts.ranks.empty())
        return {};
    Extent clock;
    double longest = 0;
    for (const RankHardware& rank : facts.ranks) {
        if (!rank[Q::limited_by_power] || !rank[Q::limited_by_heat])
            return {};
        clock.add(rank[Q::sm_clock]);
        for (const Q by : kHoldBack)
            longest = std::max(longest, rank[by].value_or(0));
    }
    if (clock.count < facts.ranks.size())
        return {};
    const bool all = facts.ranks.size() == facts.all_ranks;
    if (longest > 0)
        return (
            all ? "No single cause holds back a GPU for more than %1 % of the time; the GPUs run at %2 MHz on mean"_text
                : "No single cause holds back a GPU with a log for more than %1 % of the time; these GPUs run at %2 "
                  "MHz on mean"_text)(whole_words(std::ceil(100 * longest)), clock.words());
    return all ? "No GPU is held back by power or temperature; they run at %1 MHz on mean"_text(clock.words())
               : "None of the GPUs with a log is held back by power or temperature; they run at %1 MHz on mean"_text(
                     clock.words());
}

/// Links with fewer lanes than those of others.
Message lanes_words(const HardwareFacts& facts) {
    double most = 0;
    for (const RankHardware& rank : facts.ranks)
        most = std::max(most, rank[Q::pcie_width].value_or(0));
    std::vector<int> ranks;
    double least = most;
    for (const RankHardware& rank : facts.ranks)
        if (const double lanes = rank[Q::pcie_width].value_or(most); lanes <= most - 1) {
            ranks.push_back(rank.rank);
            least = std::min(least, lanes);
        }
    return ranks.empty() ? Message()
                         : "The PCIe link of %1 has %2 lanes, that of others %3"_text(
                               whose(facts, ranks), whole_words(least), whole_words(most));
}

Message error_words(const HardwareFacts& facts) {
    std::vector<int> ranks;
    double errors = 0;
    for (const RankHardware& rank : facts.ranks)
        if (rank.new_uncorrected_errors > 0) {
            ranks.push_back(rank.rank);
            errors += rank.new_uncorrected_errors;
        }
    return ranks.empty() ? Message()
           : errors == 1
               ? "The memory of %1 had one uncorrected ECC error during the recording"_text(whose(facts, ranks))
               : "The memory of %1 had %2 uncorrected ECC errors during the recording"_text(whose(facts, ranks),
                                                                                            whole_words(errors));
}

/// Those before and after the recording are left to the notices.
std::vector<GpuErrors> errors_inside(const Run& run) {
    std::vector<GpuErrors> kinds;
    for (const GpuError& error : run.gpu_errors) {
        if (error.ranks.empty() || error.time < run.span.begin || error.time > run.span.end)
            continue;
        const auto same = std::ranges::find_if(kinds, [&](const GpuErrors& kind) {
            return kind.first.ranks == error.ranks && kind.first.kind == error.kind && kind.first.xid == error.xid;
        });
        if (same != kinds.end())
            ++same->count;
        else
            kinds.push_back({error, error.time - run.span.begin, 1});
    }
    return kinds;
}

/// "By the kernel's log, the GPU of rank 5 reported Xid 79 (the GPU has fallen off the bus) 12.3 s into the recording"
Message logged_words(const HardwareFacts& facts, const GpuErrors& errors) {
    const Message gpu = whose(facts, errors.first.ranks);
    const Message what = gpu_error_words(errors.first.kind, errors.first.xid);
    const std::string since = time_words(static_cast<double>(errors.since_start));
    return errors.count == 1 ? "By the kernel's log, %1 reported %2 %3 into the recording"_text(gpu, what, since)
                             : "By the kernel's log, %1 reported %2 %3 times, the first %4 into the recording"_text(
                                   gpu, what, errors.count, since);
}

} // namespace

std::shared_ptr<const HardwareFacts> read_hardware(const Run& run) {
    auto facts = std::make_shared<HardwareFacts>();
    facts->all_ranks = run.ranks.size();
    facts->errors = errors_inside(run);
    for (const auto& rank : run.ranks) {
        RankHardware own;
        own.rank = rank->rank;
        bool any = false;
        for (std::size_t i = 0; i < kHardwareQuantities; ++i) {
            const auto quantity = static_cast<Q>(i);
            std::vector<CounterSample> samples = hardware_samples(*rank, quantity);
            if (quantity == Q::ecc_uncorrected && samples.size() > 1)
                own.new_uncorrected_errors = std::max(0.0, samples.back().value - samples.front().value);
            own.mean[i] = HeldValues(std::move(samples)).mean(rank->gpu_span);
            any |= own.mean[i].has_value();
        }
        if (!any)
            continue;
        const auto held = [&](Q quantity) { return HeldValues(hardware_samples(*rank, quantity)); };
        const HeldValues clock = held(Q::sm_clock), power = held(Q::power), limit = held(Q::power_limit);
        for (std::size_t i = 0; i < kHoldBack.size(); ++i) {
            const HeldValues share = held(kHoldBack[i]);
            own.while_held[i] = {clock.mean_while(share, rank->gpu_span), power.mean_while(share, rank->gpu_span),
                                 limit.mean_while(share, rank->gpu_span)};
        }
        facts->ranks.push_back(own);
    }
    return facts->ranks.empty() && facts->errors.empty() ? nullptr : std::move(facts);
}

std::vector<Message> gpu_error_sentences(const HardwareFacts& facts) {
    std::vector<Message> sentences;
    if (const Message words = error_words(facts); !words.empty())
        sentences.push_back(words.as_sentence());
    constexpr std::size_t kMostErrors = 8; // the first ones; the notices have all
    for (std::size_t i = 0; i < std::min(facts.errors.size(), kMostErrors); ++i)
        sentences.push_back(logged_words(facts, facts.errors[i]).as_sentence());
    return sentences;
}

std::vector<Message> hardware_fact_sentences(const HardwareFacts& facts) {
    std::vector<Message> sentences;
    const auto add = [&](const Message& words) {
        if (!words.empty())
            sentences.push_back(words.as_sentence());
    };
    for (std::size_t by = 0; by < kHoldBack.size(); ++by)
        add(held_words(facts, by));
    add(near_limit_words(facts));
    if (sentences.empty())
        add(free_words(facts));
    add(lanes_words(facts));
    return sentences;
}

} // namespace rankscope
