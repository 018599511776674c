// SPDX-License-Identifier: GPL-3.0-or-later
// Leaves a run as it stands, and takes it up again; and the list of its bookmarks.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include <QObject>

#include "app/window/run_session.h"
#include "app/window/session_keeper.h"

namespace rankscope {

class PanelController;
class RunOnScreen;
class ScreenController;
struct WindowParts;

class SessionController : public QObject {
    Q_OBJECT
public:
    /// isGenerated: a run that is gone with the window. Its sessions are remembered, not written.
    SessionController(WindowParts& parts, const RunOnScreen& shown, ScreenController& screens, PanelController& panels,
                      std::function<bool(const QString& path)> isGenerated, QObject* parent = nullptr);

    void addCommands();
    void finish() { keeper_.finish(); } ///< all is written when it returns

private:
    [[nodiscard]] std::optional<RunSession> now() const; ///< nothing: the run on screen has none
    void keepBookmarksMade();
    void resume();
    void restore(const RunSession& left);
    void addBookmark();

    WindowParts& parts_;
    const RunOnScreen& shown_;
    ScreenController& screens_;
    PanelController& panels_;
    SessionKeeper keeper_;
    std::vector<Bookmark> made_; ///< while the run was read
};

} // namespace rankscope
