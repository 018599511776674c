// SPDX-License-Identifier: GPL-3.0-or-later
// What lies at the paths that the user names. Any of them may be on a disk that does not answer.
#pragma once
#include <stop_token>
#include <vector>

#include <QStringList>

#include "core/input/find/find_runs.h"

namespace rankscope {

struct FoundPath {
    QString path;
    bool exists = false;
    std::vector<FoundRun> runs; ///< where it exists at least one: what names do not show, reading does
};

/// The same run by any spelling of its path: absolute, without ".." and a slash at the end. Asks no disk.
QString tidyPath(const QString& path);

/// Takes as long as the disks do: for the background.
std::vector<FoundPath> findPaths(const QStringList& paths, const std::stop_token& stop);

} // namespace rankscope
