// SPDX-License-Identifier: GPL-3.0-or-later
// The screens.
#include "app/window/screen_controller.h"

#include <algorithm>

#include <QComboBox>
#include <QKeySequence>
#include <QLineEdit>
#include <QSignalBlocker>

#include "app/window/run_header.h"
#include "widgets/command_table.h"
#include "widgets/screens/analysis_screen.h"
#include "widgets/scrolled_page.h"
#include "widgets/view_state.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What takes the keys of a screen: no field to type into, if there is anything else. nullptr: there is nothing yet.
QWidget* takerOfKeys(QWidget* page) {
    if (const QWidget* proxy = page->focusProxy(); proxy != nullptr && proxy->isVisibleTo(page))
        return page;
    QWidget* field = nullptr;
    for (QWidget* at = page->nextInFocusChain(); at != page; at = at->nextInFocusChain()) {
        if (!page->isAncestorOf(at) || !at->isVisibleTo(page) || !at->isEnabled() || at->focusProxy() != nullptr ||
            (at->focusPolicy() & Qt::TabFocus) == 0)
            continue;
        if (qobject_cast<QLineEdit*>(at) == nullptr && qobject_cast<QComboBox*>(at) == nullptr)
            return at;
        field = field == nullptr ? at : field;
    }
    return field;
}

} // namespace

ScreenController::ScreenController(const ViewState& view, const std::map<QString, QWidget*>& own, QWidget* start,
                                   QObject* parent)
    : QObject(parent), view_(view), pages_(new PageStack) {
    pages_->addWidget(start);
    QStringList titles;
    for (const ScreenEntry& entry : entries_) {
        titles << QString(entry.title).remove(u'&');
        if (!entry.make) {
            pages_->addWidget(own.at(entry.id));
            continue;
        }
        AnalysisScreen* screen = entry.make();
        screen->setAccessibleName(titles.back());
        connect(screen, &AnalysisScreen::eventActivated, this, &ScreenController::eventActivated);
        connect(screen, &AnalysisScreen::evidenceAsked, this, &ScreenController::evidenceAsked);
        connect(screen, &AnalysisScreen::instancesAsked, this, &ScreenController::instancesAsked);
        connect(screen, &AnalysisScreen::ready, this, [this, screen] {
            if (pages_->currentWidget() == screen && hasKeys())
                focusPage();
        });
        pages_->addWidget(screen);
    }
    header_ = new RunHeader(titles);
    connect(header_, &RunHeader::screenChanged, this, [this](int screen) {
        const QString& id = entries_[static_cast<std::size_t>(screen)].id;
        if (header_->isWalked()) // who walks along the tabs goes on there
            turnTo(id);
        else
            show(id);
    });
    for (const ScreenEntry& entry : entries_)
        header_->setScreenThere(indexOf(entry.id), !entry.only_for);
}

bool ScreenController::isThere(const ScreenEntry& entry) const {
    return !entry.only_for || (view_.run() && entry.only_for(*view_.run()));
}

int ScreenController::indexOf(const QString& id) const {
    const auto found = std::ranges::find(entries_, id, &ScreenEntry::id);
    return found == entries_.end() ? -1 : static_cast<int>(found - entries_.begin());
}

AnalysisScreen* ScreenController::at(const QString& id) const {
    return qobject_cast<AnalysisScreen*>(pages_->widget(1 + indexOf(id)));
}

QString ScreenController::shown() const { return entries_[static_cast<std::size_t>(header_->currentScreen())].id; }

void ScreenController::addCommands(CommandTable& commands) {
    for (const ScreenEntry& entry : entries_) {
        Command command{u"screen-"_s + entry.id,   tr("&View"), entry.title,
                        {QKeySequence(entry.key)}, entry.help,  [this, id = entry.id] { show(id); }};
        command.choice = u"screen"_s;
        command.checked = [this, id = entry.id] { return shown() == id; };
        if (entry.only_for)
            command.enabled = [this, entry] { return isThere(entry); };
        commands.add(std::move(command));
    }
}

void ScreenController::usePlaces(CommandTable& commands) {
    for (const ScreenEntry& entry : entries_)
        if (AnalysisScreen* screen = at(entry.id))
            screen->useCommands(commands);
}

void ScreenController::setRunOpen(bool open) { runOpen_ = open; }

void ScreenController::show(const QString& id) {
    turnTo(id);
    focusPage();
}

void ScreenController::bring(const QString& id) {
    const bool keys = hasKeys(); // of the page that goes; Qt would hand them to any neighbour
    turnTo(id);
    if (keys)
        focusPage();
}

/// Asks the window, which knows it before it is the active one.
bool ScreenController::hasKeys() const {
    const QWidget* focused = pages_->window()->focusWidget();
    return focused == nullptr || !focused->isVisibleTo(pages_->window()) || pages_->isAncestorOf(focused);
}

void ScreenController::focusPage() {
    QWidget* page = pages_->currentWidget();
    const QWidget* focused = pages_->window()->focusWidget();
    if (focused != nullptr && focused != page && page->isAncestorOf(focused) && focused->isVisibleTo(page))
        return;
    // While the page has nothing to use the stack keeps the keys: a neighbour would type them or change the tab.
    QWidget* taker = takerOfKeys(page);
    (taker != nullptr ? taker : pages_)->setFocus(Qt::OtherFocusReason);
}

void ScreenController::turnTo(const QString& id) {
    const int screen = indexOf(id);
    if (screen < 0 || !isThere(entries_[static_cast<std::size_t>(screen)]))
        return;
    const QSignalBlocker quiet(header_);
    header_->setCurrentScreen(screen);
    const bool isPage = runOpen_ || entries_[static_cast<std::size_t>(screen)].without_run;
    pages_->setCurrentIndex(isPage ? 1 + screen : 0);
    Q_EMIT changed(id);
}

void ScreenController::offer() {
    QString first;
    {
        const QSignalBlocker quiet(header_);
        for (const ScreenEntry& entry : entries_) {
            header_->setScreenThere(indexOf(entry.id), isThere(entry));
            if (entry.only_for && isThere(entry))
                first = entry.id;
        }
    }
    const ScreenEntry& current = entries_[static_cast<std::size_t>(header_->currentScreen())];
    if (!first.isEmpty() && current.id != kCompareScreen)
        bring(first);
    else if (!isThere(current))
        bring(kOverviewScreen);
    Q_EMIT offered();
}

void ScreenController::pass(const std::shared_ptr<const AnalysedRun>& analysed) {
    for (const ScreenEntry& entry : entries_) {
        if (AnalysisScreen* screen = at(entry.id))
            screen->takeRun(view_.run(), analysed);
        header_->setScreenFilled(indexOf(entry.id),
                                 !analysed || !entry.has_data || entry.has_data(*analysed->analysis));
    }
}

} // namespace rankscope
