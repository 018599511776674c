// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with a slice of the timeline.
#include "app/window/slice_menu.h"

#include <algorithm>

#include <QActionGroup>
#include <QClipboard>
#include <QGuiApplication>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/selection/kernel_class.h"
#include "widgets/command_table.h"
#include "widgets/language.h"
#include "widgets/screens/instance_query.h"
#include "widgets/time_text.h"

namespace rankscope {

namespace {

constexpr std::size_t kMostMembers = 64; ///< ranks that a submenu lists
constexpr qsizetype kShownName = 60;

QString text_of(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

/// All events of that name, the longest first.
QString queryOfName(QString name) {
    return QStringLiteral("select id, rank, start_ns, time_text(dur_ns) as time, name\nfrom event\nwhere name = '%1'\n"
                          "order by dur_ns desc\nlimit 1000")
        .arg(name.replace(QLatin1Char('\''), QStringLiteral("''")));
}

/// "&" is no key here.
QString plain(QString text) { return text.replace(QLatin1Char('&'), QStringLiteral("&&")); }

} // namespace

SliceMenu::SliceMenu(const CommandTable& commands, const ViewState& view, std::shared_ptr<const RunAnalysis> analysis,
                     const EventRef& slice, QWidget* parent)
    : QMenu(parent) {
    const RankTrace* trace = view.trace(slice.rank);
    if (trace == nullptr || slice.event >= trace->events.size())
        return;
    const QString name = text_of(trace->event_name(slice.event));
    QAction* const section = addSection(plain(name.left(kShownName)));
    const auto command = [&](const char* id) {
        if (QAction* action = commands.action(QString::fromLatin1(id)))
            addAction(action);
    };
    command("fit");
    command("mark-range");
    command("compare-slice");
    command("flame-graph");
    addSeparator();
    const QString query = instanceQuery(trace->event_name(slice.event));
    addAction(
        tr("&Next of this name"), this, [this, query] { Q_EMIT instancesAsked(query, +1); });
    addAction(
        tr("&Previous of this name"), this, [this, query] { Q_EMIT instancesAsked(query, -1); });
    addAction(tr("Open all of this name in &Query"), this, [this, name] { Q_EMIT queryAsked(queryOfName(name)); });
    addSeparator();
    command("only-name");
    command("hide-name");
    command("show-names");
    addSeparator();
    command("flow-back");
    command("flow-on");
    command("dependency-back");
    command("dependency-on");
    if (analysis && slice.event < trace->events.gpu_count)
        addOtherMembers(*analysis, slice);
    addSeparator();
    const auto copy = [this](const QString& title, const QString& text) {
        addAction(title, this, [text] { QGuiApplication::clipboard()->setText(text); });
    };
    const TimeRange range = trace->events.range(slice.event);
    copy(tr("&Copy name"), name);
    copy(tr("Copy &values"), QStringLiteral("%1\t%2\t%3\t%4")
                                 .arg(name)
                                 .arg(slice.rank)
                                 .arg(static_cast<double>(range.begin - view.run()->span.begin) / 1000, 0, 'f', 3)
                                 .arg(static_cast<double>(range.length()) / 1000, 0, 'f', 3));
    if (slice.event < trace->events.gpu_count && trace->events.kind[slice.event] == EventKind::kernel)
        addClasses(*trace, slice.event, view.classes());
    // Not every style makes the menu as wide as its title.
    constexpr int kBesideTitle = 24;
    section->setText(plain(fontMetrics().elidedText(name, Qt::ElideRight, sizeHint().width() - kBesideTitle)));
}

void SliceMenu::addOtherMembers(const RunAnalysis& analysis, const EventRef& slice) {
    const Run& run = analysis.run();
    const CollectiveMatching& matching = analysis.collectives();
    const auto own = [&](const auto& member) {
        return run.ranks[member.first]->rank == slice.rank && matching.call(member).event == slice.event;
    };
    const auto call = std::ranges::find_if(matching.matched,
                                           [&](const MatchedCall& c) { return std::ranges::any_of(c.members, own); });
    if (call == matching.matched.end() || call->members.size() < 2)
        return;
    const auto start = [&](const auto& member) {
        return analysis.clock().aligned(member.first, matching.call(member).range.begin);
    };
    const TimeNs here = start(*std::ranges::find_if(call->members, own));
    QMenu* menu = addMenu(tr("This call on &other ranks"));
    std::size_t listed = 0;
    for (const auto& member : call->members) {
        if (own(member))
            continue;
        if (++listed > kMostMembers) {
            menu->addAction(tr("and %1 more", nullptr,
                               plural(std::ssize(call->members) - static_cast<std::int64_t>(kMostMembers) - 1))
                                .arg(call->members.size() - kMostMembers - 1))
                ->setEnabled(false);
            break;
        }
        const int rank = run.ranks[member.first]->rank;
        const TimeNs later = start(member) - here;
        const QString when = later == 0  ? tr("starts at the same time")
                             : later > 0 ? tr("starts %1 later").arg(durationText(later))
                                         : tr("starts %1 earlier").arg(durationText(-later));
        const EventRef event{rank, matching.call(member).event};
        menu->addAction(tr("Rank %1: %2").arg(rank).arg(when), this, [this, event] { Q_EMIT eventChosen(event); });
    }
}

void SliceMenu::addClasses(const RankTrace& trace, EventIndex kernel, const KernelClassRules& classes) {
    QMenu* menu = addMenu(tr("&Treat these kernels as"));
    menu->setToolTipsVisible(true);
    if (trace.collective_of(kernel) != nullptr) {
        menu->setEnabled(false); // the trace itself says that it is communication
        return;
    }
    const std::string pattern = pattern_of_function(trace.event_name(kernel));
    const bool own = std::ranges::find(classes.own(), pattern, &KernelClassRule::pattern) != classes.own().end();
    const KernelClass now = classes.class_of(EventKind::kernel, trace.event_name(kernel));
    auto* choice = new QActionGroup(menu);
    for (const auto& [kind, title] : {std::pair(KernelClass::compute, tr("&Computation")),
                                      {KernelClass::communication, tr("C&ommunication")},
                                      {KernelClass::memory_copy, tr("Memory co&pies")},
                                      {KernelClass::memory_set, tr("Memory &sets")}}) {
        QAction* action = menu->addAction(title, this, [this, pattern, wanted = kind] {
            Q_EMIT classChosen({pattern, wanted}, true);
        });
        action->setCheckable(true);
        action->setChecked(now == kind);
        action->setToolTip(tr("All kernels whose names match %1, in all runs").arg(text_of(pattern)));
        choice->addAction(action);
    }
    menu->addSeparator();
    menu->addAction(tr("As &their names say"), this,
                    [this, pattern] {
                        Q_EMIT classChosen({pattern, KernelClass::compute}, false);
                    })
        ->setEnabled(own);
}

} // namespace rankscope
