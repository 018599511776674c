// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the views of two runs together.
#include "widgets/compare/run_link.h"

#include <QScopedValueRollback>

namespace rankscope {

const RankTrace* twinRank(const Run& own, int rank, const Run& other) {
    if (const RankTrace* same = other.rank(rank))
        return same;
    for (std::size_t i = 0; i < own.ranks.size() && i < other.ranks.size(); ++i)
        if (own.ranks[i]->rank == rank)
            return other.ranks[i].get();
    return nullptr;
}

RunLink::RunLink(ViewState* baseline, ViewState* test, QObject* parent)
    : QObject(parent), baseline_(baseline), test_(test) {
    for (const CompareSide side : {CompareSide::baseline, CompareSide::test}) {
        connect(
            view(side), &ViewState::visibleRangeChanged, this, [this, side] { follow(side); });
        connect(
            view(side), &ViewState::rangeChanged, this, [this, side] { followRange(side); });
        connect(view(side), &ViewState::selectionChanged, this, [this, side] { findTwin(side); });
    }
}

void RunLink::setRuns(std::shared_ptr<const RunAnalysis> baseline, std::shared_ptr<const RunAnalysis> test) {
    twins_.stop();
    pair_.reset();
    alignment_.reset();
    baselineRun_ = std::move(baseline);
    testRun_ = std::move(test);
    const QScopedValueRollback guard(following_, true);
    const auto show = [](ViewState& view, const std::shared_ptr<const RunAnalysis>& run) {
        if (run && run->rules().classes != view.classes())
            view.setRun(nullptr); // lanes are coloured by class
        view.setClasses(run ? run->rules().classes : KernelClassRules());
        view.setRun(run ? run->run_pointer() : nullptr);
    };
    show(*baseline_, baselineRun_);
    show(*test_, testRun_);
    if (baselineRun_ && testRun_) {
        alignment_ = std::make_shared<const StepAlignment>(pair_steps(run_steps(*baselineRun_), run_steps(*testRun_)),
                                                           baseline_->fullRange(), test_->fullRange());
        // Either leaves room for the other, so that both ends of both can be seen at one scale.
        for (const StepLayout layout : {StepLayout::absolute, StepLayout::stretched}) {
            baseline_->widenFullRange(alignment_->to_baseline(test_->fullRange(), layout));
            test_->widenFullRange(alignment_->to_test(baseline_->fullRange(), layout));
        }
        test_->setVisibleRange(carried(CompareSide::baseline, baseline_->visibleRange()));
    }
    Q_EMIT slicePairChanged();
    Q_EMIT layoutChanged();
}

void RunLink::setLayout(StepLayout layout) {
    if (layout == layout_)
        return;
    layout_ = layout;
    follow(CompareSide::baseline);
    Q_EMIT layoutChanged();
}

void RunLink::setLinked(bool linked) {
    linked_ = linked;
    follow(CompareSide::baseline);
}

TimeRange RunLink::carried(CompareSide from, TimeRange range) const {
    return from == CompareSide::baseline ? alignment_->to_test(range, layout_)
                                         : alignment_->to_baseline(range, layout_);
}

void RunLink::follow(CompareSide leader) {
    if (following_ || !linked_ || !alignment_)
        return;
    const QScopedValueRollback guard(following_, true);
    view(otherSide(leader))->setVisibleRange(carried(leader, view(leader)->visibleRange()));
}

void RunLink::followRange(CompareSide leader) {
    if (following_ || !linked_ || !alignment_)
        return;
    const QScopedValueRollback guard(following_, true);
    const auto range = view(leader)->range();
    view(otherSide(leader))->setRange(range ? std::optional(carried(leader, *range)) : std::nullopt);
}

void RunLink::findTwin(CompareSide side) {
    if (following_ || !alignment_)
        return;
    twins_.stop();
    const auto selected = view(side)->selection();
    if (!selected) {
        pair_.reset();
        const QScopedValueRollback guard(following_, true);
        view(otherSide(side))->select(std::nullopt);
        Q_EMIT slicePairChanged();
        return;
    }
    twins_.run(
        {},
        [side, selected = *selected, own = analysis(side).run_pointer(),
         other = analysis(otherSide(side)).run_pointer(), alignment = alignment_](const std::stop_token&) {
            SlicePair pair{side, selected, std::nullopt, {}};
            const RankTrace* trace = own->rank(selected.rank);
            const RankTrace* twin = trace == nullptr ? nullptr : twinRank(*own, selected.rank, *other);
            if (twin != nullptr) {
                pair.found = find_counterpart(*trace, selected.event, *twin, *alignment, side == CompareSide::baseline);
                if (pair.found)
                    pair.counterpart = {twin->rank, pair.found->event};
            }
            return pair;
        },
        [this](const SlicePair& pair) { takeTwin(pair); });
}

void RunLink::takeTwin(const SlicePair& pair) {
    if (view(pair.selectedIn)->selection() != pair.selected)
        return; // something else was selected meanwhile
    const QScopedValueRollback guard(following_, true);
    view(otherSide(pair.selectedIn))->select(pair.found ? std::optional(pair.counterpart) : std::nullopt);
    pair_ = pair;
    Q_EMIT slicePairChanged();
}

} // namespace rankscope
