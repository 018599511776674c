// SPDX-License-Identifier: GPL-3.0-or-later
// A slider of speeds: as recorded, so many times as fast, no time at all.
#pragma once
#include <QWidget>

class QLabel;
class QSlider;

namespace rankscope {

class SpeedSlider : public QWidget {
    Q_OBJECT
public:
    static constexpr double kFree = 0; ///< takes no time

    /// name: for those who cannot see what stands beside it.
    explicit SpeedSlider(const QString& name, QWidget* parent = nullptr);
    [[nodiscard]] double speed() const { return speed_; } ///< 1: as recorded; kFree
    void setSpeed(double speed);                          ///< kept exactly, also between the notches
    /// What --what-if takes: "2x", "0"; empty: as recorded.
    [[nodiscard]] QString value() const;
    [[nodiscard]] QSlider& slider() const { return *slider_; }

Q_SIGNALS:
    void speedChanged();

private:
    void showSpeed();

    QSlider* slider_;
    QLabel* words_;
    double speed_ = 1;
};

} // namespace rankscope
