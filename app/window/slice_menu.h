// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with a slice of the timeline.
#pragma once
#include <memory>

#include <QMenu>

#include "core/analysis/selection/kernel_class_rules.h"
#include "core/run/run_analysis.h"
#include "widgets/view_state.h"

namespace rankscope {

class CommandTable;

/// commands: those of the timeline, which act on the selection: the slice. analysis: of the slice's run, for its call
/// on other ranks; nullptr while there is none.
class SliceMenu : public QMenu {
    Q_OBJECT
public:
    SliceMenu(const CommandTable& commands, const ViewState& view, std::shared_ptr<const RunAnalysis> analysis,
              const EventRef& slice, QWidget* parent = nullptr);

Q_SIGNALS:
    void eventChosen(const rankscope::EventRef& event);
    void instancesAsked(const QString& query, int step); ///< step: -1 previous, +1 next, from the slice
    void queryAsked(const QString& sql);                 ///< to be shown in the Query panel
    /// Kernels whose names start like this one belong to that class from now on, in all runs; nothing: as if there
    /// were no rule of the user's.
    void classChosen(const rankscope::KernelClassRule& rule, bool own);

private:
    void addOtherMembers(const RunAnalysis& analysis, const EventRef& slice);
    void addClasses(const RankTrace& trace, EventIndex kernel, const KernelClassRules& classes);
};

} // namespace rankscope
