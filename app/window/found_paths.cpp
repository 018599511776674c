// SPDX-License-Identifier: GPL-3.0-or-later
// What lies at the paths that the user names.
#include "app/window/found_paths.h"

#include <filesystem>

#include <QDir>
#include <QFileInfo>

#include "core/remote/remote_path.h"

namespace rankscope {

QString tidyPath(const QString& path) {
    if (!is_remote(path.toStdString()))
        return QDir::cleanPath(QDir::current().absoluteFilePath(path));
    auto remote = parse_remote_path(path.toStdString());
    if (!remote)
        return path; // reading it says what is wrong
    remote->path = std::filesystem::path(remote->path).lexically_normal().string();
    if (remote->path.size() > 1 && remote->path.back() == '/')
        remote->path.pop_back();
    return QString::fromStdString(remote->text().string());
}

std::vector<FoundPath> findPaths(const QStringList& paths, const std::stop_token& stop) {
    std::vector<FoundPath> all;
    for (const QString& path : paths) {
        if (stop.stop_requested())
            break;
        if (is_remote(path.toStdString())) { // whether it is there is known when it is opened
            all.push_back({path, true, {{path.toStdString(), 0, 0}}});
            continue;
        }
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
