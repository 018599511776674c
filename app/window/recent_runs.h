// SPDX-License-Identifier: GPL-3.0-or-later
// Runs opened lately, newest first, kept between sessions.
#pragma once
#include <QObject>
#include <QStringList>

namespace rankscope {

class RecentRuns : public QObject {
    Q_OBJECT
public:
    static constexpr int kMost = 12;

    explicit RecentRuns(QObject* parent = nullptr);
    [[nodiscard]] const QStringList& paths() const { return paths_; }
    void add(const QString& path); ///< to the front; the oldest falls out
    void remove(const QString& path);
    void clear();

Q_SIGNALS:
    void changed();

private:
    void store();
    QStringList paths_;
};

} // namespace rankscope
