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
    ++waiting_;
    // The job holds run and trace: its key names this trace and no later one at the same address.
    queue_.add([this, run = run_, trace, source] {
        auto track = std::make_shared<const CounterTrack>(counterTrack(*run, *trace, source));
        QMetaObject::invokeMethod(
            this,
            [this, trace, track = std::move(track), name = source.name] {
                --waiting_;
                const auto asked = tracks_.find(Key(trace.get(), name));
                if (asked != tracks_.end())
                    asked->second = track;
                Q_EMIT built();
            },
            Qt::QueuedConnection);
    });
    return nullptr;
}

} // namespace rankscope
