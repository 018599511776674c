// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the counter tracks that are shown.
#include "widgets/timeline/counter_builder.h"

#include <algorithm>
#include <memory>

namespace rankscope {

void CounterBuilder::setRun(std::shared_ptr<const Run> run) {
    run_ = std::move(run);
    std::erase_if(tracks_, [&](const auto& entry) {
        return !run_ || std::none_of(run_->ranks.begin(), run_->ranks.end(),
                                     [&](const auto& trace) { return trace.get() == entry.first.first; });
    });
}

std::shared_ptr<const CounterTrack> CounterBuilder::track(int rankIndex, const CounterSource& source) {
    const std::shared_ptr<const RankTrace>& trace = run_->ranks[static_cast<std::size_t>(rankIndex)];
    const auto [entry, fresh] = tracks_.try_emplace(Key(trace.get(), source.name));
    if (!fresh)
        return entry->second;
    // The job holds run and trace: its key names this trace and no later one at the same address.
    jobs_.run(
        {++asked_, trace.get()},
        [run = run_, trace, source](const std::stop_token&) {
            return std::make_shared<const CounterTrack>(counterTrack(*run, *trace, source));
        },
        [this, key = Key(trace.get(), source.name)](std::shared_ptr<const CounterTrack> track) {
            const auto asked = tracks_.find(key);
            if (asked != tracks_.end())
                asked->second = std::move(track);
            Q_EMIT built();
        });
    return nullptr;
}

} // namespace rankscope
