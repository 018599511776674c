// SPDX-License-Identifier: GPL-3.0-or-later
// The findings in words, ordered, each a link to the events that show it.
#pragma once
#include <memory>

#include <QListWidget>

#include "core/analysis/findings.h"

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

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void activate(const QListWidgetItem* item);
    void fitHeight();

    std::shared_ptr<const RunAnalysis> analysis_;
};

} // namespace rankscope
