// SPDX-License-Identifier: GPL-3.0-or-later
// How the user left a run: what was in view, switched on, selected and bookmarked. Kept in one file per run.
#pragma once
#include <optional>
#include <set>
#include <vector>

#include <QJsonObject>

#include "core/base/notice.h"
#include "widgets/panels/bookmarks_model.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/timeline/timeline_scene.h"

namespace rankscope {

/// Times are ns from the run's first event, so that they survive another clock base.
struct RunSession {
    QString screen;                   ///< id in screenEntries(); empty: the first
    std::optional<TimeRange> visible; ///< nothing: everything
    std::optional<EventRef> selection;
    TimeNs selectionStart = 0; ///< of the selected event: another event there now is not selected
    std::optional<TimeRange> marked;
    std::vector<Bookmark> bookmarks;
    std::set<QString> overlays;          ///< ids of those shown
    std::optional<QString> panel;        ///< id in panelEntries(); empty: all are folded; nothing: not known
    int panelHeight = 0;                 ///< pixels, while it is open; 0: not known
    std::optional<LanePlace> top;        ///< of the lanes; nothing: they are not scrolled
    TimeOrigin origin = TimeOrigin::run; ///< of the ruler
    HiddenNotices hiddenNotices;
    QJsonObject lanes; ///< what the timeline says of its lanes (widgets/timeline/lane_arrangement.h)
    friend bool operator==(const RunSession&, const RunSession&) = default;
};

QJsonObject toJson(const RunSession& session);
/// Error (input): no session, or one of another version. What is missing has its start value.
Result<RunSession> sessionFromJson(const QByteArray& text);

/// The file for the run at this path, beside the settings.
QString sessionFile(const QString& runPath);
/// Nothing: the run has none yet. Error (input): damaged, in one line.
Result<std::optional<RunSession>> readSession(const QString& runPath);
/// Whole or not at all. Error (output).
Result<void> writeSession(const QString& runPath, const RunSession& session);

} // namespace rankscope
