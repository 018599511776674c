// SPDX-License-Identifier: GPL-3.0-or-later
// Getting about: the palette of commands, going to a rank, a lane, a time or a call, and bookmarks.
#include <algorithm>
#include <memory>
#include <optional>

#include <QAction>
#include <QDockWidget>
#include <QTreeView>

#include "app/go_to_dialog.h"
#include "app/main_window.h"
#include "widgets/panels/bookmarks_panel.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/quick_pick.h"
#include "widgets/timeline/coordinates.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double kAroundCall = 4; // times its duration, on each side
constexpr double kAroundStep = 0.02;
constexpr int kMomentShare = 20; // from the whole run, a moment is looked at in this part of it

/// "Timeline › Move" of "&Timeline/&Move".
QString menuTrail(const Command& command) { return QString(command.menu).remove(u'&').replace(u'/', u" › "_s); }

/// The event of the lane's outermost row nearest to a time.
EventIndex eventNear(const RankTrace& trace, const Lane& lane, TimeNs time) {
    const Row& row = trace.rows[lane.first_row];
    const auto begin = trace.events.start.begin();
    const auto after = std::upper_bound(begin + row.begin, begin + row.end, time);
    const auto index = static_cast<EventIndex>(after - begin);
    return index > row.begin ? index - 1 : row.begin;
}

} // namespace

/// Where the evidence for a part of the step is.
void MainWindow::showShare(StepShare share) {
    switch (share) {
    case StepShare::compute: return showScreen(u"kernels"_s);
    case StepShare::transfer:
    case StepShare::wait: return showScreen(u"collectives"_s);
    case StepShare::copies:
    case StepShare::launch:
    case StepShare::host:
        view_.setShows(Overlay::idleCauses, share != StepShare::copies);
        return showScreen(timelineScreen);
    }
}

void MainWindow::addNavigationCommands() {
    const QString menu = tr("&Go");
    const auto whileOpen = [this](Command command) {
        command.enabled = [this] { return view_.run() != nullptr; };
        commands_.add(std::move(command));
    };
    commands_.add({u"palette"_s,
                   menu,
                   tr("&Commands…"),
                   {QKeySequence(u"Ctrl+Shift+P"_s)},
                   tr("Find a command by its name and run it"),
                   [this] { showPalette(); }});
    whileOpen({u"find-lane"_s,
               menu,
               tr("&Rank or lane…"),
               {QKeySequence(u"Ctrl+P"_s)},
               tr("Find a rank or lane by its name and show it"),
               [this] { showLanePick(); }});
    whileOpen({u"go-to"_s,
               menu,
               tr("&Time, step or call…"),
               {QKeySequence(u"G"_s)},
               tr("Go to a time, a step, or the n-th call of a kernel or collective"),
               [this] { showGoTo(); }});
    Command bookmark{u"add-bookmark"_s,
                     menu,
                     tr("&Bookmark this view"),
                     {QKeySequence(u"M"_s)},
                     tr("Remember what is in view, with a note"),
                     [this] { addBookmark(); }};
    bookmark.separated = true;
    whileOpen(bookmark);
    auto* dock = findChild<QDockWidget*>("bookmarks"_L1);
    Command list{u"bookmarks-dock"_s,
                 menu,
                 tr("&List of bookmarks"),
                 {QKeySequence(u"Ctrl+Shift+B"_s)},
                 tr("Show or hide the list of bookmarks"),
                 [this, dock] {
                     dock->setVisible(dock->isHidden());
                     if (dock->isVisible())
                         bookmarks_->list().setFocus();
                 }};
    list.checked = [dock] { return !dock->isHidden(); };
    commands_.add(list);
}

void MainWindow::buildBookmarks() {
    bookmarks_ = new BookmarksPanel(&view_);
    auto* dock = new QDockWidget(tr("Bookmarks"), this);
    dock->setObjectName("bookmarks"_L1);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    dock->setWidget(bookmarks_);
    addDockWidget(Qt::LeftDockWidgetArea, dock);
    dock->hide();
    connect(bookmarks_, &BookmarksPanel::goToRequested, this, [this](const Bookmark& bookmark) {
        showScreen(timelineScreen);
        if (bookmark.event && view_.selection() == bookmark.event)
            timeline_->reveal(*bookmark.event);
        timeline_->setFocus();
    });
    connect(bookmarks_, &BookmarksPanel::noteDone, timeline_, qOverload<>(&QWidget::setFocus));
}

void MainWindow::showPalette() {
    commands_.refresh();
    std::vector<QuickPickItem> items;
    QStringList ids;
    for (const Command& command : commands_.commands()) {
        if (command.id == "palette"_L1)
            continue;
        items.push_back({CommandTable::plainTitle(command), menuTrail(command),
                         CommandTable::keysText(commands_.shortcuts(command.id)),
                         commands_.action(command.id)->isEnabled()});
        ids << command.id;
    }
    auto* pick = new QuickPick(tr("Commands"), tr("Type a command's name"), std::move(items), this);
    pick->setAttribute(Qt::WA_DeleteOnClose);
    connect(pick, &QuickPick::picked, this,
            [this, ids](std::size_t item) { commands_.action(ids[static_cast<qsizetype>(item)])->trigger(); });
    pick->open();
}

void MainWindow::showLanePick() {
    struct Target {
        int rank;
        std::size_t lane;
    };
    std::vector<QuickPickItem> items;
    std::vector<Target> targets;
    const std::shared_ptr<const Run> run = view_.run();
    for (const auto& rank : run->ranks) {
        const QString title = tr("Rank %1").arg(rank->rank);
        items.push_back({title, QString::fromStdString(rank->file.filename().string()), {}});
        targets.push_back({rank->rank, 0});
        for (std::size_t lane = 0; lane < rank->lanes.size(); ++lane) {
            items.push_back({title + u' ' + QString::fromStdString(rank->lanes[lane].name), {}, {}});
            targets.push_back({rank->rank, lane});
        }
    }
    auto* pick =
        new QuickPick(tr("Ranks and lanes"), tr("Type a rank or lane: 12, or 12 stream 7"), std::move(items), this);
    pick->setAttribute(Qt::WA_DeleteOnClose);
    connect(pick, &QuickPick::picked, this,
            [this, targets](std::size_t item) { showLane(targets[item].rank, targets[item].lane); });
    pick->open();
}

void MainWindow::showLane(int rank, std::size_t laneNumber) {
    showScreen(timelineScreen);
    timeline_->setFocus();
    const RankTrace* trace = view_.trace(rank);
    if (trace == nullptr || laneNumber >= trace->lanes.size() || trace->lanes[laneNumber].row_count == 0)
        return;
    const TimeRange visible = view_.visibleRange();
    timeline_->reveal({rank, eventNear(*trace, trace->lanes[laneNumber], visible.begin + visible.length() / 2)});
}

void MainWindow::showGoTo() {
    const int rank = view_.selection() ? view_.selection()->rank : view_.run()->ranks.front()->rank;
    auto* dialog = new GoToDialog(rank, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &GoToDialog::wanted, this, [this, rank](const GoTo& wanted) { goTo(wanted, rank); });
    dialog->open();
}

// Counting calls walks the rank's events: in the background.
void MainWindow::goTo(const GoTo& wanted, int rank) {
    notices_->clearErrors();
    lookups_.run(
        {goToJob}, [wanted, rank, run = view_.run()](const std::stop_token&) { return findPlace(*run, wanted, rank); },
        [this, names = view_.run()->names](const Result<GoToPlace>& place) {
            if (!view_.run() || view_.run()->names != names)
                return; // another run meanwhile
            if (!place)
                return fail(QString::fromStdString(place.error().message));
            showPlace(*place);
        });
}

void MainWindow::showPlace(const GoToPlace& place, std::optional<double> around) {
    showScreen(timelineScreen);
    timeline_->setFocus();
    if (place.event) {
        view_.select(place.event);
        view_.jumpTo(withMargin(place.range, around.value_or(kAroundCall)));
        timeline_->reveal(*place.event);
    } else if (place.range.empty()) {
        const TimeNs full = view_.fullRange().length();
        const TimeNs length =
            view_.visibleRange().length() < full ? view_.visibleRange().length() : full / kMomentShare;
        view_.jumpTo({place.range.begin - length / 2, place.range.begin + length - length / 2});
    } else {
        view_.jumpTo(withMargin(place.range, kAroundStep));
    }
}

void MainWindow::addBookmark() {
    const int row = bookmarks_->addHere();
    findChild<QDockWidget*>("bookmarks"_L1)->show();
    bookmarks_->editNote(row);
}

} // namespace rankscope
