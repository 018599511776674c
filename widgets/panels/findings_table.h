// SPDX-License-Identifier: GPL-3.0-or-later
// The findings, one a row: what it costs, who, what and when. A row that is opened has the whole sentence.
//   ▸ 1 | ████ 20.69 ms | rank 2 | gemm kernels take 1.68× as long as peers' | | fault | 83 %
#pragma once
#include <memory>

#include <QTreeWidget>

#include "core/analysis/findings/findings.h"
#include "core/run/run_analysis.h"

namespace rankscope {

class FindingsTable : public QTreeWidget {
    Q_OBJECT
public:
    enum Column {
        numberColumn,
        costColumn,
        whoColumn,
        whatColumn,
        whenColumn,
        natureColumn,
        confidenceColumn,
        columnEnd
    };

    explicit FindingsTable(QWidget* parent = nullptr);
    /// Its findings must be computed already.
    void setAnalysis(std::shared_ptr<const RunAnalysis> analysis);
    [[nodiscard]] int count() const { return topLevelItemCount(); }
    [[nodiscard]] QString sentence(int row) const; ///< that of an opened row

Q_SIGNALS:
    /// The clearest evidence: rank number, event (or kNoEvent) and range in the rank's own time, absolute.
    void findingActivated(int rank, rankscope::EventIndex event, rankscope::TimeRange range);

    /// The change that would undo it (core/analysis/whatif/what_if.h), from its context menu or by W.
    void whatIfAsked(const QString& change);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void addRow(const Finding& finding);
    [[nodiscard]] QStringList cellsOf(const Finding& finding, int number) const; ///< by Column
    void activate(const QString& row);
    void fitHeight();
    void copy() const;                                   ///< the current finding's sentence
    [[nodiscard]] const Finding* currentFinding() const; ///< nullptr: none
    [[nodiscard]] QString changeOfCurrent() const;       ///< empty: none can be predicted

    std::shared_ptr<const RunAnalysis> analysis_;
};

} // namespace rankscope
