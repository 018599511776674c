// SPDX-License-Identifier: GPL-3.0-or-later
// Runs opened lately, kept between sessions.
#include "app/window/recent_runs.h"

#include <QSettings>

#include "app/settings/settings.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr auto kKey = "recent/paths"_L1;
}

RecentRuns::RecentRuns(QObject* parent) : QObject(parent), paths_(openSettings()->value(kKey).toStringList()) {
    paths_.removeAll(QString());
}

void RecentRuns::add(const QString& path) {
    if (path.isEmpty() || (!paths_.isEmpty() && paths_.front() == path))
        return;
    paths_.removeAll(path);
    paths_.prepend(path);
    while (paths_.size() > kMost)
        paths_.removeLast();
    store();
}

void RecentRuns::remove(const QString& path) {
    if (paths_.removeAll(path) > 0)
        store();
}

void RecentRuns::clear() {
    if (paths_.isEmpty())
        return;
    paths_.clear();
    store();
}

void RecentRuns::store() {
    openSettings()->setValue(kKey, paths_);
    Q_EMIT changed();
}

} // namespace rankscope
