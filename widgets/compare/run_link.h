// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the views of two runs together: where one looks, the other looks; what is selected in one is looked for in the
// other.
#pragma once
#include <memory>
#include <optional>

#include <QObject>

#include "core/compare/counterpart.h"
#include "widgets/jobs.h"
#include "widgets/view_state.h"

namespace rankscope {

enum class CompareSide : std::uint8_t { baseline, test };
constexpr CompareSide otherSide(CompareSide side) {
    return side == CompareSide::baseline ? CompareSide::test : CompareSide::baseline;
}

/// A selected slice and its twin. event of `found` is absent when the other run has none.
struct SlicePair {
    CompareSide selectedIn = CompareSide::baseline;
    EventRef selected;
    std::optional<Counterpart> found;
    EventRef counterpart; ///< valid when found
};

/// The rank that plays the same part in the other run: of the same number, else the one at the same place; or nullptr.
const RankTrace* twinRank(const Run& own, int rank, const Run& other);

class RunLink : public QObject {
    Q_OBJECT
public:
    RunLink(ViewState* baseline, ViewState* test, QObject* parent = nullptr);

    /// Either null: nothing is linked. Sets the runs of both views and shows all of both.
    void setRuns(std::shared_ptr<const RunAnalysis> baseline, std::shared_ptr<const RunAnalysis> test);
    [[nodiscard]] const std::shared_ptr<const StepAlignment>& alignment() const { return alignment_; }

    void setLayout(StepLayout layout);
    [[nodiscard]] StepLayout layout() const { return layout_; }
    /// Off: each view goes its own way until it is on again, when the test follows the baseline.
    void setLinked(bool linked);

    [[nodiscard]] ViewState* view(CompareSide side) const { return side == CompareSide::baseline ? baseline_ : test_; }
    /// Where a range of one run lies in the other.
    [[nodiscard]] TimeRange carried(CompareSide from, TimeRange range) const;
    [[nodiscard]] const std::optional<SlicePair>& slicePair() const { return pair_; }

Q_SIGNALS:
    void layoutChanged();
    void slicePairChanged();

private:
    void follow(CompareSide leader);
    void followRange(CompareSide leader);
    void findTwin(CompareSide side);
    void takeTwin(const SlicePair& pair);
    [[nodiscard]] const RunAnalysis& analysis(CompareSide side) const {
        return side == CompareSide::baseline ? *baselineRun_ : *testRun_;
    }

    ViewState* baseline_;
    ViewState* test_;
    std::shared_ptr<const RunAnalysis> baselineRun_;
    std::shared_ptr<const RunAnalysis> testRun_;
    std::shared_ptr<const StepAlignment> alignment_;
    StepLayout layout_ = StepLayout::absolute;
    bool linked_ = true;
    bool following_ = false; ///< the other view is being moved: its signals are not the user's
    std::optional<SlicePair> pair_;
    Jobs twins_;
};

} // namespace rankscope
