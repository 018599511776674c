// SPDX-License-Identifier: GPL-3.0-or-later
// The line above the screens.
#include "app/run_header.h"

#include <QHBoxLayout>
#include <QTabBar>

#include "widgets/panels/elided_label.h"

namespace rankscope {

RunHeader::RunHeader(const QStringList& screens, QWidget* parent)
    : QWidget(parent), name_(new ElidedLabel(this)), summary_(new ElidedLabel(this)), tabs_(new QTabBar(this)) {
    QFont font = name_->font();
    font.setPointSizeF(font.pointSizeF() * 1.2);
    font.setWeight(QFont::DemiBold);
    name_->setFont(font);
    name_->setElideMode(Qt::ElideMiddle);
    summary_->setForegroundRole(QPalette::PlaceholderText);
    for (const QString& screen : screens)
        tabs_->addTab(screen);
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setAccessibleName(tr("Screens"));
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    words->addWidget(name_);
    words->addWidget(summary_);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(18, 10, 18, 0);
    layout->addLayout(words, 1);
    layout->addWidget(tabs_, 0, Qt::AlignBottom);
    connect(tabs_, &QTabBar::currentChanged, this, &RunHeader::screenChanged);
}

void RunHeader::setRun(const QString& name, const QString& summary, const QString& path) {
    name_->setText(name);
    name_->setToolTip(path);
    summary_->setText(summary);
    summary_->setToolTip(summary);
}

void RunHeader::setCurrentScreen(int screen) {
    tabs_->setCurrentIndex(screen);
}
int RunHeader::currentScreen() const {
    return tabs_->currentIndex();
}
QString RunHeader::summary() const {
    return summary_->text();
}

} // namespace rankscope
