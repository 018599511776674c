// SPDX-License-Identifier: GPL-3.0-or-later
// A slider of speeds.
#include "widgets/panels/speed_slider.h"
#include "widgets/language.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr std::array kSpeeds{1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0, SpeedSlider::kFree};

int notchOf(double speed) {
    if (speed == SpeedSlider::kFree)
        return static_cast<int>(kSpeeds.size()) - 1;
    const auto nearest = std::min_element(kSpeeds.begin(), kSpeeds.end() - 1, [&](double a, double b) {
        return std::abs(a - speed) < std::abs(b - speed);
    });
    return static_cast<int>(nearest - kSpeeds.begin());
}
} // namespace

SpeedSlider::SpeedSlider(const QString& name, QWidget* parent)
    : QWidget(parent), slider_(new QSlider(Qt::Horizontal)), words_(new QLabel) {
    slider_->setRange(0, static_cast<int>(kSpeeds.size()) - 1);
    slider_->setPageStep(1);
    slider_->setAccessibleName(name);
    slider_->setFixedWidth(150);
    words_->setMinimumWidth(fontMetrics().horizontalAdvance(tr("1.25× as fast")) + 8);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(slider_);
    row->addWidget(words_);
    row->addStretch();
    setFocusProxy(slider_);
    connect(slider_, &QSlider::valueChanged, this, [this](int notch) {
        speed_ = kSpeeds[static_cast<std::size_t>(notch)];
        showSpeed();
        Q_EMIT speedChanged();
    });
    showSpeed();
}

void SpeedSlider::setSpeed(double speed) {
    if (speed == speed_)
        return;
    const QSignalBlocker quiet(slider_);
    slider_->setValue(notchOf(speed));
    speed_ = speed;
    showSpeed();
    Q_EMIT speedChanged();
}

QString SpeedSlider::value() const {
    if (speed_ == 1)
        return {};
    return speed_ == kFree ? u"0"_s : QString(QString::number(speed_, 'g', 4) + u'x');
}

void SpeedSlider::showSpeed() {
    words_->setText(speed_ == 1       ? tr("as recorded")
                    : speed_ == kFree ? tr("no time")
                                      : tr("%1× as fast").arg(decimal(QString::number(speed_, 'g', 4))));
    words_->setForegroundRole(speed_ == 1 ? QPalette::PlaceholderText : QPalette::WindowText);
    slider_->setAccessibleDescription(words_->text());
}

} // namespace rankscope
