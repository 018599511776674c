// SPDX-License-Identifier: GPL-3.0-or-later
// The line above the screens.
#include "app/window/run_header.h"

#include <QActionGroup>
#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QTabBar>
#include <QToolButton>

#include "widgets/language.h"
#include "widgets/panels/capture_key.h"
#include "widgets/panels/elided_label.h"

namespace rankscope {

RunHeader::RunHeader(const QStringList& screens, QWidget* parent)
    : QWidget(parent), name_(new ElidedLabel(this)), summary_(new ElidedLabel(this)), capture_(new QToolButton(this)),
      tabs_(new QTabBar(this)), list_(new QToolButton(this)) {
    QFont font = name_->font();
    font.setPointSizeF(font.pointSizeF() * 1.2);
    font.setWeight(QFont::DemiBold);
    name_->setFont(font);
    name_->setElideMode(Qt::ElideMiddle);
    summary_->setSeparator(QStringLiteral(" · "));
    summary_->setForegroundRole(QPalette::PlaceholderText);
    summary_->setSizePolicy(QSizePolicy::Ignored,
                            QSizePolicy::Preferred); // all tabs first: its words are in its tooltip
    for (const QString& screen : screens)
        tabs_->addTab(screen);
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setAccessibleName(tr("Screens"));
    tabs_->setUsesScrollButtons(false);
    tabs_->setMinimumWidth(1); // the window may be narrower than they are: then the list is there
    list_->setAccessibleName(tr("Screens"));
    list_->setPopupMode(QToolButton::InstantPopup);
    list_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    list_->setMenu(new QMenu(list_));
    list_->hide();
    connect(list_->menu(), &QMenu::aboutToShow, this, &RunHeader::fillList);
    capture_->setAccessibleName(tr("Capture on screen"));
    capture_->setPopupMode(QToolButton::InstantPopup);
    capture_->setToolTip(tr("This run was recorded by several tools: choose which capture is shown, or compare them"));
    capture_->hide();
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    auto* title = new QHBoxLayout;
    title->setSpacing(8);
    title->addWidget(name_);
    title->addWidget(capture_);
    title->addStretch(1);
    words->addLayout(title);
    words->addWidget(summary_);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(18, 10, 18, 0);
    layout->addLayout(words, 1);
    layout->addWidget(tabs_, 0, Qt::AlignBottom);
    layout->addWidget(list_, 0, Qt::AlignBottom);
    connect(tabs_, &QTabBar::currentChanged, this, &RunHeader::screenChanged);
    connect(tabs_, &QTabBar::currentChanged, this, &RunHeader::fitTabs);
}

void RunHeader::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitTabs();
}

void RunHeader::fitTabs() {
    constexpr int kLeastWords = 140; // pixels that the run's name keeps
    const QMargins margins = layout()->contentsMargins();
    const int room = width() - margins.left() - margins.right() - layout()->spacing();
    const bool fit = tabs_->sizeHint().width() + kLeastWords <= room;
    tabs_->setVisible(fit);
    list_->setText(tabs_->tabText(tabs_->currentIndex()));
    list_->setVisible(!fit);
}

void RunHeader::fillList() {
    QMenu* const menu = list_->menu();
    menu->clear();
    auto* choice = new QActionGroup(menu);
    for (int screen = 0; screen < tabs_->count(); ++screen) {
        if (!tabs_->isTabVisible(screen))
            continue;
        QAction* const action = menu->addAction(tabs_->tabText(screen));
        action->setCheckable(true);
        action->setChecked(screen == tabs_->currentIndex());
        choice->addAction(action);
        connect(action, &QAction::triggered, this, [this, screen] { tabs_->setCurrentIndex(screen); });
    }
}

void RunHeader::setRun(const QString& name, const QString& summary, const QString& path, const QString& details) {
    runName_ = name;
    runSummary_ = summary;
    path_ = path;
    details_ = details;
    showWords();
}

void RunHeader::setCompared(const QString& runs) {
    compared_ = runs;
    showWords();
}

void RunHeader::showWords() {
    const bool one = compared_.isEmpty();
    name_->setText(one ? runName_ : compared_);
    name_->setToolTip(one ? path_ : compared_);
    summary_->setText(one ? runSummary_ : tr("baseline → test"));
    summary_->setToolTip(!one ? summary_->text() : details_.isEmpty() ? runSummary_ : runSummary_ + u'\n' + details_);
}

void RunHeader::setCaptures(std::span<const TraceSource> captures, TraceSource shown) {
    if (QMenu* old = capture_->menu()) {
        capture_->setMenu(nullptr);
        old->deleteLater(); // it may be its own choice that leads here
    }
    capture_->setVisible(captures.size() > 1);
    if (captures.size() < 2)
        return;
    capture_->setText(captureTitle(shown));
    capture_->setAccessibleName(tr("Capture of the run: %1").arg(captureTitle(shown)));
    auto* menu = new QMenu(capture_);
    auto* choice = new QActionGroup(menu);
    for (const TraceSource source : captures) {
        QAction* action = menu->addAction(captureTitle(source));
        action->setCheckable(true);
        action->setChecked(source == shown);
        choice->addAction(action);
        connect(action, &QAction::triggered, this, [this, source] { Q_EMIT captureChosen(source); });
    }
    menu->addSeparator();
    connect(menu->addAction(
                captures.size() == 2
                    ? tr("Compare the two captures")
                    : tr("Compare all %1 captures", nullptr, plural(std::ssize(captures))).arg(captures.size())),
            &QAction::triggered, this, &RunHeader::captureComparisonAsked);
    capture_->setMenu(menu);
}

void RunHeader::showCaptures() { capture_->showMenu(); }

void RunHeader::setCurrentScreen(int screen) { tabs_->setCurrentIndex(screen); }
void RunHeader::setScreenThere(int screen, bool there) {
    tabs_->setTabVisible(screen, there);
    tabs_->updateGeometry(); // it does not ask for the room itself
    fitTabs();
}

void RunHeader::setScreenFilled(int screen, bool filled) {
    if (filled ? unfilled_.erase(screen) == 0 : !unfilled_.insert(screen).second)
        return;
    colourTab(screen);
    tabs_->setTabToolTip(screen, filled ? QString() : tr("This run has nothing to show here"));
}

/// A grey tab can be clicked: its screen says what would have to be recorded.
void RunHeader::colourTab(int screen) {
    tabs_->setTabTextColor(
        screen, palette().color(unfilled_.contains(screen) ? QPalette::PlaceholderText : QPalette::WindowText));
}

void RunHeader::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        for (int screen = 0; screen < tabs_->count(); ++screen)
            colourTab(screen);
}

int RunHeader::currentScreen() const { return tabs_->currentIndex(); }
bool RunHeader::isWalked() const { return tabs_->hasFocus() && QApplication::mouseButtons() == Qt::NoButton; }
QString RunHeader::name() const { return name_->text(); }
QString RunHeader::summary() const { return summary_->text(); }

} // namespace rankscope
