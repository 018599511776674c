// SPDX-License-Identifier: GPL-3.0-or-later
// The findings in words, ordered, each a link to the events that show it.
#pragma once
#include <memory>

#include <QListWidget>

#include "core/analysis/findings/findings.h"
#include "core/run/run_analysis.h"

namespace rankscope {

class FindingsList : public QListWidget {
    Q_OBJECT
public:
    explicit FindingsList(QWidget* parent = nullptr);
    /// Its findings must be computed already.
    void setAnalysis(std::shared_ptr<const RunAnalysis> analysis);

Q_SIGNALS:
    /// The clearest evidence: rank number, event (or kNoEvent) and range in the rank's own time, absolute.
    void findingActivated(int rank, rankscope::EventIndex event, rankscope::TimeRange range);

    /// The change that would undo it (core/analysis/findings/what_if.h), from its context menu or by W.
    void whatIfAsked(const QString& change);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void activate(const QListWidgetItem* item);
    void fitHeight();
    void copy() const;                                                 ///< the current finding, as it reads
    [[nodiscard]] QString changeOf(const QListWidgetItem* item) const; ///< empty: none can be predicted

    std::shared_ptr<const RunAnalysis> analysis_;
};

} // namespace rankscope
