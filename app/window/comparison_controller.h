// SPDX-License-Identifier: GPL-3.0-or-later
// The runs put side by side: which, and what the Compare screen says until all of them are analysed.
#pragma once
#include <memory>
#include <vector>

#include <QObject>
#include <QStringList>

#include "core/compare/analysed_run.h"

namespace rankscope {

class RunLibrary;

/// Follows the library: whatever happens to one of its runs, ready() or waiting() says what can be compared now.
class ComparisonController : public QObject {
    Q_OBJECT
public:
    explicit ComparisonController(const RunLibrary& library, QObject* parent = nullptr);

    /// Baseline first; fewer than two: none.
    void setPaths(const QStringList& paths);
    void drop(const QString& path); ///< a closed run; the others stay side by side
    [[nodiscard]] const QStringList& paths() const { return paths_; }

Q_SIGNALS:
    void pathsChanged();
    void ready(const std::vector<std::shared_ptr<const rankscope::AnalysedRun>>& runs);
    void waiting(const QString& words); ///< empty: nothing is compared

private:
    void refresh();
    [[nodiscard]] QString reasonToWait() const;

    const RunLibrary& library_;
    QStringList paths_;
    std::vector<std::shared_ptr<const AnalysedRun>> told_;
    QString words_;
};

} // namespace rankscope
