// SPDX-License-Identifier: GPL-3.0-or-later
// What lies at the paths that the user names.
#include "app/found_paths.h"

#include <filesystem>

#include <QDir>
#include <QFileInfo>

namespace rankscope {

QString tidyPath(const QString& path) { return QDir::cleanPath(QDir::current().absoluteFilePath(path)); }

std::vector<FoundPath> findPaths(const QStringList& paths, const std::stop_token& stop) {
    std::vector<FoundPath> all;
    for (const QString& path : paths) {
        if (stop.stop_requested())
            break;
        FoundPath found{path, QFileInfo::exists(path), {}};
        if (found.exists) {
            const std::filesystem::path place(path.toStdString());
            found.runs = find_runs(place, stop);
            if (found.runs.empty()) // nothing looks like a trace by name: reading it says why, in one line
                found.runs.push_back({place, 0, 0});
        }
        all.push_back(std::move(found));
    }
    return all;
}

} // namespace rankscope
