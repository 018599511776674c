// SPDX-License-Identifier: GPL-3.0-or-later
// Runs beyond the memory budget: what is not on screen leaves memory, and comes back from disk when it is looked at.
#pragma once
#include <QObject>
#include <QTimer>

namespace rankscope {

class ScreenController;
struct WindowParts;

class UnseenRanks : public QObject {
    Q_OBJECT
public:
    UnseenRanks(const WindowParts& parts, const ScreenController& screens, QObject* parent = nullptr);

private:
    void release();

    const WindowParts& parts_;
    QTimer rest_; ///< until they leave memory, where they may
};

} // namespace rankscope
