// SPDX-License-Identifier: GPL-3.0-or-later
// Progress of a load.
#include "widgets/panels/load_bar.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>

#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/panels/elided_label.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kSteps = 1000;
constexpr qint64 kFirstEstimateMs = 1500; ///< before, a guess of the time left would only jump about
} // namespace

QString timeLeftText(double done, double all, qint64 elapsedMs) {
    constexpr double kMinute = 60;
    if (elapsedMs < kFirstEstimateMs || done <= 0 || done >= all)
        return {};
    const double seconds = static_cast<double>(elapsedMs) / 1000.0 * (all - done) / done;
    return seconds < 2 * kMinute ? LoadBar::tr("%1 s left").arg(QString::number(std::max(1.0, seconds), 'f', 0))
                                 : LoadBar::tr("%1 min left").arg(QString::number(seconds / kMinute, 'f', 0));
}

QString loadProgressText(const LoadProgress& progress, qint64 elapsedMs) {
    QStringList parts{
        LoadBar::tr("%1 of %2 ranks, %3 of %4", nullptr, plural(static_cast<std::int64_t>(progress.ranks_total)))
            .arg(progress.ranks_done)
            .arg(progress.ranks_total)
            .arg(byteText(progress.bytes_done), byteText(progress.bytes_total))};
    const QString left =
        timeLeftText(static_cast<double>(progress.bytes_done), static_cast<double>(progress.bytes_total), elapsedMs);
    if (!left.isEmpty())
        parts << LoadBar::tr("%1/s").arg(byteText(progress.bytes_done * 1000 / static_cast<quint64>(elapsedMs)))
              << left;
    return parts.join(u", "_s);
}

LoadBar::LoadBar(QWidget* parent)
    : QWidget(parent), text_(new ElidedLabel(this)), bar_(new QProgressBar(this)),
      cancel_(new QPushButton(tr("Cancel"), this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    bar_->setTextVisible(false);
    bar_->setMaximumHeight(10);
    bar_->setFixedWidth(220);
    bar_->setAccessibleName(tr("Loading progress"));
    cancel_->setToolTip(tr("Stop reading"));
    QSizePolicy policy = cancel_->sizePolicy();
    policy.setRetainSizeWhenHidden(true); // the bar stays as high without it
    cancel_->setSizePolicy(policy);
    layout->addWidget(bar_);
    layout->addWidget(text_, 1);
    layout->addWidget(cancel_);
    connect(cancel_, &QPushButton::clicked, this, &LoadBar::cancelled);
    tick_.setInterval(1000);
    connect(&tick_, &QTimer::timeout, this, &LoadBar::showPart);
    hide();
}

void LoadBar::start(const QString& what) {
    what_ = what;
    tick_.stop();
    setCancellable(true);
    text_->setText(what);
    bar_->setRange(0, 0);
    clock_.start();
    show();
}

void LoadBar::setProgress(const LoadProgress& progress) {
    if (progress.bytes_total > 0) {
        bar_->setRange(0, kSteps);
        bar_->setValue(static_cast<int>(static_cast<double>(progress.bytes_done) /
                                        static_cast<double>(progress.bytes_total) * kSteps));
    }
    text_->setText(what_ % u": "_s % loadProgressText(progress, clock_.elapsed()));
}

void LoadBar::setPart(const QString& words, int part, int parts) {
    bar_->setRange(0, parts);
    bar_->setValue(part - 1);
    part_ = tr("%1, %2 of %3").arg(words).arg(part).arg(parts);
    tick_.start();
    showPart();
}

void LoadBar::showPart() {
    const qint64 seconds = clock_.elapsed() / 1000;
    const QString words = what_ % u": "_s % part_;
    text_->setText(seconds < 2 ? words : tr("%1, for %2 s so far").arg(words).arg(seconds));
}

void LoadBar::setCancellable(bool can) { cancel_->setVisible(can); }

void LoadBar::stop() {
    tick_.stop();
    hide();
}

QString LoadBar::text() const { return text_->text(); }

} // namespace rankscope
