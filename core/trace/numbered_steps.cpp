// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of a trace whose program marks them itself.
#include "core/trace/numbered_steps.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>

namespace rankscope {
namespace {

struct Numbered {
    std::string spelling; ///< "step", without the number
    std::int64_t number = 0;
};

/// "Train_Step #12" -> ("train_step", 12). Nothing but the word and its number: "step 3 forward" is a part of one.
std::optional<Numbered> numbered(std::string_view name) {
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    if (digits == 0 || digits == name.size() || name.size() - digits > 12)
        return {};
    std::string word(name.substr(0, digits));
    while (!word.empty() && std::string_view(" _-#:=.").find(word.back()) != std::string_view::npos)
        word.pop_back();
    std::ranges::transform(word, word.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const bool known = word.ends_with("step") || word.ends_with("iteration") || word.ends_with("iter");
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(name.data() + digits, name.data() + name.size(), number);
    if (!known || word.size() > 32 || error != std::errc{})
        return {};
    return Numbered{std::move(word), number};
}

bool are_steps(const std::vector<ProfilerStep>& steps) {
    const auto follows = [](const ProfilerStep& a, const ProfilerStep& b) {
        return b.range.begin < a.range.end || b.number <= a.number;
    };
    return steps.size() >= 2 && std::ranges::adjacent_find(steps, follows) == steps.end();
}

} // namespace

std::vector<ProfilerStep> numbered_steps(const RankTrace& rank) {
    std::map<std::pair<std::uint32_t, std::string>, std::vector<ProfilerStep>> by_thread; // lanes are threads
    const EventTable& table = rank.events;
    for (const Lane& lane : rank.lanes)
        for (EventIndex i = std::max<EventIndex>(lane.begin, table.gpu_count); i < lane.end; ++i)
            if (table.kind[i] == EventKind::annotation)
                if (auto step = numbered(rank.event_name(i)))
                    by_thread[{static_cast<std::uint32_t>(&lane - rank.lanes.data()), std::move(step->spelling)}]
                        .push_back({step->number, table.range(i), i});
    std::vector<ProfilerStep> best;
    TimeNs most = 0;
    for (auto& [spelling, steps] : by_thread) {
        std::ranges::stable_sort(steps, {}, [](const ProfilerStep& s) { return s.range.begin; });
        TimeNs covered = 0;
        for (const ProfilerStep& step : steps)
            covered += step.range.length();
        if (covered > most && are_steps(steps)) {
            most = covered;
            best = std::move(steps);
        }
    }
    return best;
}

} // namespace rankscope
