// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the slice index of each rank off the window's thread and keeps it while the rank is shown.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include <QObject>

#include "core/trace/run.h"
#include "widgets/jobs.h"
#include "widgets/timeline/slice_index.h"

namespace rankscope {

class SliceIndexer : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Indexes for the ranks of this run: those known already stay, those of ranks no longer shown go.
    void setRun(const Run* run, const KernelClassRules& classes);
    /// One entry per rank of the run; nullptr while it is being built.
    [[nodiscard]] std::vector<std::shared_ptr<const SliceIndex>> indexes(const Run& run) const;
    [[nodiscard]] bool isBusy() const;

Q_SIGNALS:
    void built();

private:
    void keep(std::shared_ptr<const SliceIndex> index);

    std::map<const RankTrace*, std::shared_ptr<const SliceIndex>> indexes_; ///< nullptr: asked for
    Jobs jobs_{2};
};

} // namespace rankscope
