// SPDX-License-Identifier: GPL-3.0-or-later
// A run that was recorded by several tools: which capture is on screen, the others, and all of them side by side.
#pragma once
#include <QObject>

#include "core/trace/rank_trace.h"

namespace rankscope {

class RunHeader;
class RunOnScreen;
struct WindowParts;

/// The key of the capture of this run that was chosen last; the path itself: the preferred one.
QString rememberedCapture(const QString& path);
void rememberCapture(const QString& key);

class CaptureController : public QObject {
    Q_OBJECT
public:
    CaptureController(WindowParts& parts, const RunOnScreen& shown, RunHeader& header, QObject* parent = nullptr);

    void addCommands();
    /// Another capture of the run on screen; remembered for the next time this run is opened.
    void open(TraceSource source);
    void compare(); ///< all those of the run on screen, the preferred one as baseline

Q_SIGNALS:
    void listChanged(); ///< of the runs
    void runWanted(const QString& key);
    void comparisonWanted(const QStringList& keys);

private:
    [[nodiscard]] QString keyOf(TraceSource source) const;

    WindowParts& parts_;
    const RunOnScreen& shown_;
    RunHeader& header_;
};

} // namespace rankscope
