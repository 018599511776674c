// SPDX-License-Identifier: GPL-3.0-or-later
// The Study screen's part in the window: its runs come from the list and are opened in it, and are there at the next
// start.
#pragma once
#include <functional>
#include <optional>

#include <QObject>
#include <QStringList>

#include "core/compare/study.h"
#include "core/input/load/load_run.h"

namespace rankscope {

class ScreenController;
class StudyScreen;
struct WindowParts;

class StudyController : public QObject {
    Q_OBJECT
public:
    StudyController(const WindowParts& parts, ScreenController& screens, QObject* parent = nullptr);

    void setReading(const LoadOptions& how);
    void setRules(const AnalysisRules& rules);
    [[nodiscard]] bool isShown() const;                      ///< its screen is on screen
    [[nodiscard]] const std::optional<Study>& study() const; ///< nothing: no run of it is read
    void resume();
    void keep(const std::function<bool(const QString& path)>& isGenerated) const; ///< for the next start

Q_SIGNALS:
    void runWanted(const QStringList& paths);
    void studyChanged();

private:
    StudyScreen* screen_;
};

} // namespace rankscope
