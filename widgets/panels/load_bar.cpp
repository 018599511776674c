// SPDX-License-Identifier: GPL-3.0-or-later
// Progress of a load.
#include "widgets/panels/load_bar.h"

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

QString loadProgressText(const LoadProgress& progress, qint64 elapsedMs) {
    QString text =
        LoadBar::tr("%1 of %2 ranks, %3 of %4", nullptr, plural(static_cast<std::int64_t>(progress.ranks_total)))
            .arg(progress.ranks_done)
            .arg(progress.ranks_total)
            .arg(byteText(progress.bytes_done), byteText(progress.bytes_total));
    if (elapsedMs >= kFirstEstimateMs && progress.bytes_done > 0 && progress.bytes_done < progress.bytes_total) {
        const double left = static_cast<double>(elapsedMs) / 1000.0 *
                            static_cast<double>(progress.bytes_total - progress.bytes_done) /
                            static_cast<double>(progress.bytes_done);
        text = LoadBar::tr("%1, %2 s left").arg(text, QString::number(left < 1 ? 1.0 : left, 'f', 0));
    }
    return text;
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
    layout->addWidget(bar_);
    layout->addWidget(text_, 1);
    layout->addWidget(cancel_);
    connect(cancel_, &QPushButton::clicked, this, &LoadBar::cancelled);
    hide();
}

void LoadBar::start(const QString& what) {
    what_ = what;
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

void LoadBar::stop() { hide(); }
QString LoadBar::text() const { return text_->text(); }

} // namespace rankscope
