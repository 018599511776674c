// SPDX-License-Identifier: GPL-3.0-or-later
// The Compare screen: how paths, dropped or chosen, become runs side by side.
#pragma once
#include <QObject>
#include <QStringList>

namespace rankscope {

class RunOnScreen;
class ScreenController;
struct WindowParts;

class CompareScreenController : public QObject {
    Q_OBJECT
public:
    CompareScreenController(WindowParts& parts, RunOnScreen& shown, ScreenController& screens,
                            QObject* parent = nullptr);

    void addCommands();
    /// Reads what is not read yet and shows the screen; the first is the baseline. Fewer than two: nothing.
    void compare(const QStringList& paths);
    void offer(); ///< the listed runs, to be chosen on the screen

Q_SIGNALS:
    void started();                               ///< this is what the user wants to see now
    void listingWanted(const QStringList& paths); ///< they are to be compared once they are listed

private:
    WindowParts& parts_;
    RunOnScreen& shown_;
    ScreenController& screens_;
};

} // namespace rankscope
