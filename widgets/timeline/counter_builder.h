// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the counter tracks that are shown, off the window's thread, and keeps them while the rank is shown.
#pragma once
#include <map>
#include <memory>

#include <QObject>

#include "widgets/jobs.h"
#include "widgets/timeline/counter_track.h"

namespace rankscope {

class CounterBuilder : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Forgets the tracks of ranks that this run does not have.
    void setRun(std::shared_ptr<const Run> run);
    /// The track; nullptr, and asked for, when it is not built yet. built() tells when it is.
    std::shared_ptr<const CounterTrack> track(int rankIndex, const CounterSource& source);
    [[nodiscard]] bool isBusy() const { return jobs_.isBusy(); }

Q_SIGNALS:
    void built();

private:
    using Key = std::pair<const RankTrace*, std::string>;

    std::shared_ptr<const Run> run_;
    std::map<Key, std::shared_ptr<const CounterTrack>> tracks_; ///< nullptr: asked for
    int asked_ = 0;                                             ///< number of the last job
    Jobs jobs_;
};

} // namespace rankscope
