// SPDX-License-Identifier: GPL-3.0-or-later
// A flame graph of what is selected on the timeline.
#include "widgets/panels/flame_panel.h"

#include <algorithm>
#include <utility>

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "widgets/charts/flame_graph.h"
#include "widgets/command_table.h"
#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/number_text.h"
#include "widgets/plot_export.h"
#include "widgets/screens/instance_query.h"
#include "widgets/time_text.h"
#include "widgets/toggle_button.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

FlamePanel::FlamePanel(ViewState* state, QWidget* parent)
    : Panel(parent), state_(state), flames_(new FlameGraph), ofButtons_(new QButtonGroup(this)),
      partButtons_(new QButtonGroup(this)), ranks_(new QComboBox), weight_(new QComboBox), summary_(new QLabel),
      empty_(new QLabel), pages_(new QStackedWidget) {
    setAccessibleName(tr("Flame graph of the selection"));
    flames_->setAccessibleName(tr("Flame graph of the selection"));
    markAsPlot(*flames_, tr("Flame graph of the selection"));
    flames_->installEventFilter(this);
    QScrollArea* area = scrolledFlames(flames_);
    summary_->setTextFormat(Qt::PlainText);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    summary_->setMinimumWidth(50);
    summary_->setAccessibleName(tr("What the flame graph is of"));
    empty_->setTextFormat(Qt::PlainText);
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    pages_->addWidget(area);
    pages_->addWidget(empty_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 6, 8, 0);
    column->setSpacing(6);
    column->addWidget(buildControls());
    column->addWidget(pages_, 1);

    delay_.setSingleShot(true);
    delay_.setInterval(40);
    connect(&delay_, &QTimer::timeout, this, &FlamePanel::ask);
    connect(flames_, &FlameGraph::nodeActivated, this, [this](std::uint32_t node) {
        std::optional<int> number;
        if (const RankChoice chosen = rank())
            number = state_->run()->ranks[*chosen]->rank;
        Q_EMIT instancesAsked(instanceQuery(state_->run()->names->view(tree_->tree.nodes[node].name), number));
    });
    connect(state_, &ViewState::runChanged, this, &FlamePanel::takeRun);
    connect(state_, &ViewState::selectionChanged, this, &FlamePanel::takeSelection);
    connect(state_, &ViewState::rangeChanged, this, &FlamePanel::takeRange);
    connect(state_, &ViewState::searchHitsChanged, this, [this] {
        of_ == Of::found ? change() : showChoices();
        Q_EMIT commandsChanged();
    });
    takeRun();
}

FlamePanel::~FlamePanel() = default;

QWidget* FlamePanel::buildControls() {
    auto* controls = new QWidget;
    auto* rows = new QVBoxLayout(controls);
    rows->setContentsMargins({});
    rows->setSpacing(4);
    const auto addRow = [rows] {
        auto* row = new QHBoxLayout;
        row->setSpacing(4);
        rows->addLayout(row);
        return row;
    };
    QHBoxLayout* row = addRow();
    const auto add = [&row](QButtonGroup* group, int id, const QString& title, const QString& tip) {
        auto* button = new ToggleButton(title);
        button->setToolTip(tip);
        group->addButton(button, id);
        row->addWidget(button);
        return button;
    };
    row->addWidget(new QLabel(tr("Of")));
    for (const auto& [of, title, tip] :
         {std::tuple(Of::slice, tr("Slice"),
                     tr("What the selected slice contains and launched; of GPU work, who "
                        "launched it")),
          {Of::name, tr("Its name"), tr("All slices of the name of the selected one")},
          {Of::step, tr("Its step"), tr("The step that the selected slice belongs to")},
          {Of::range, tr("Range"), tr("What ran in the marked range, and the calls that launched it")},
          {Of::found, tr("Found"), tr("The slices that the search found")},
          {Of::run, tr("All"), tr("The whole recording of the rank")}})
        add(ofButtons_, static_cast<int>(of), title, tip)->setAccessibleName(tr("Flame graph of: %1").arg(title));
    ranks_->setAccessibleName(tr("Rank"));
    row->addSpacing(6);
    row->addWidget(ranks_);
    row->addStretch(1);
    row = addRow();
    row->addWidget(summary_, 1);
    weight_->addItems({tr("GPU time"), tr("CPU time")});
    weight_->setAccessibleName(tr("What the width stands for"));
    weight_->setToolTip(tr("What the width stands for"));
    row->addWidget(weight_);
    row->addSpacing(6);
    partButtons_->setExclusive(false);
    for (const auto& [part, title, tip, on] :
         {std::tuple(Part::annotations, tr("Annotations"), tr("Annotations of the program as parts of the paths"),
                     true),
          {Part::modules, tr("Modules"), tr("Modules of the model as parts of the paths"), true},
          {Part::python, tr("Python"),
           tr("Python functions as parts of the paths, where they were recorded (with_stack=True)"), false}})
        add(partButtons_, static_cast<int>(part), title, tip)->setChecked(on);
    button(Of::slice).setChecked(true);
    connect(ofButtons_, &QButtonGroup::idClicked, this, [this](int id) { choose(static_cast<Of>(id)); });
    connect(partButtons_, &QButtonGroup::idToggled, this, [this] {
        stale_ = true;
        ask();
    });
    connect(ranks_, &QComboBox::activated, this, &FlamePanel::change);
    connect(weight_, &QComboBox::activated, this, [this](int index) {
        wished_ = static_cast<FlameWeight>(index);
        showWeight();
    });
    return controls;
}

QAbstractButton& FlamePanel::button(Of of) const { return *ofButtons_->button(static_cast<int>(of)); }

QAbstractButton& FlamePanel::button(Part part) const { return *partButtons_->button(static_cast<int>(part)); }

void FlamePanel::useCommands(CommandTable& table) {
    Command show{u"flame-graph"_s,
                 tr("&Timeline"),
                 tr("Flame gra&ph of the selection"),
                 {QKeySequence(Qt::Key_C)},
                 tr("Show the calls below the selected slice or the marked range as a flame graph"),
                 [this] {
                     Q_EMIT wantedOnScreen();
                     flames_->setFocus(Qt::ShortcutFocusReason);
                 }};
    show.place = u"timeline"_s;
    show.enabled = [this] { return isPossible(Of::slice) || isPossible(Of::range) || isPossible(Of::found); };
    table.add(std::move(show));
    table.addPlace({u"flames"_s, tr("Flame graph"), this});
    for (const auto& [keys, help] :
         {std::pair(tr("Click, Space"), tr("Let this call fill the width")),
          {tr("Backspace"), tr("Back to its caller")},
          {tr("Escape"), tr("Back to its caller; from the outermost, to the timeline")},
          {tr("Arrow keys"), tr("To the caller, the first call inside, or the calls beside")},
          {tr("Enter"), tr("Show all events of this name in the timeline")}})
        table.addGesture({u"flames"_s, keys, help});
}

void FlamePanel::showRank(int rank) {
    const auto& ranks = state_->run()->ranks;
    const auto found = std::ranges::find(ranks, rank, [](const auto& trace) { return trace->rank; });
    if (found == ranks.end())
        return;
    ranks_->setCurrentIndex(static_cast<int>(found - ranks.begin()) + 1);
    choose(Of::run);
    Q_EMIT wantedOnScreen();
}

std::optional<EventPlace> FlamePanel::slice() const {
    const std::optional<EventRef> selected = state_->selection();
    if (!selected || !state_->run())
        return {};
    const auto& ranks = state_->run()->ranks;
    const auto found = std::ranges::find(ranks, selected->rank, [](const auto& trace) { return trace->rank; });
    return EventPlace{static_cast<std::uint32_t>(found - ranks.begin()), selected->event};
}

/// Of a slice its own; else the one chosen.
RankChoice FlamePanel::rank() const {
    if (const auto selected = of_ == Of::slice ? slice() : std::nullopt)
        return selected->rank;
    return ranks_->currentIndex() > 0 ? RankChoice(ranks_->currentIndex() - 1) : std::nullopt;
}

bool FlamePanel::isPossible(Of of) const {
    switch (of) {
    case Of::slice:
    case Of::name: return slice().has_value();
    case Of::step: return slice() && step_of_slice(*state_->run(), *slice());
    case Of::range: return state_->run() && state_->range();
    case Of::found: return state_->run() && state_->searchHits() && state_->searchHits()->count > 0;
    case Of::run: return state_->run() != nullptr;
    }
    return false;
}

void FlamePanel::takeRun() {
    QStringList titles{tr("All ranks")};
    if (state_->run())
        for (const auto& rank : state_->run()->ranks)
            titles << tr("Rank %1").arg(rank->rank);
    const int chosen = std::min(ranks_->currentIndex(), static_cast<int>(titles.size()) - 1);
    ranks_->clear();
    ranks_->addItems(titles);
    ranks_->setCurrentIndex(std::max(0, chosen));
    tree_ = nullptr;
    flames_->setTree(nullptr, nullptr);
    change();
}

/// The last gesture decides what the graph is of. Steps are more than the thread that annotates them.
void FlamePanel::takeSelection() {
    if (const std::optional<EventPlace> selected = slice()) {
        ranks_->setCurrentIndex(static_cast<int>(selected->rank) + 1);
        const RankTrace& trace = *state_->run()->ranks[selected->rank];
        if (std::ranges::find(trace.steps, selected->event, &ProfilerStep::event) != trace.steps.end())
            of_ = Of::step;
        else if ((of_ != Of::name && of_ != Of::step) || !isPossible(of_))
            of_ = Of::slice;
    }
    change();
}

void FlamePanel::takeRange() {
    if (state_->range() && of_ != Of::range) {
        of_ = Of::range;
        ranks_->setCurrentIndex(0);
    }
    change();
}

void FlamePanel::choose(Of of) {
    of_ = of;
    change();
}

void FlamePanel::change() {
    if (!isPossible(of_)) // what it was of is gone
        for (const Of of : {Of::slice, Of::range})
            if (isPossible(of)) {
                of_ = of;
                break;
            }
    showChoices();
    stale_ = fresh_ = true;
    jobs_.stop();
    if (!isPossible(of_)) {
        delay_.stop();
        return say(tr("Select a slice, or drag on the ruler to mark a range, to see the calls below it."));
    }
    if (isVisible() && !delay_.isActive())
        delay_.start();
}

void FlamePanel::showChoices() {
    for (std::size_t of = 0; of < kOfCount; ++of)
        button(static_cast<Of>(of)).setEnabled(isPossible(static_cast<Of>(of)));
    button(of_).setChecked(true);
    ranks_->setEnabled(of_ != Of::slice && ranks_->count() > 2);
}

void FlamePanel::showEvent(QShowEvent* event) {
    Panel::showEvent(event);
    ask();
}

void FlamePanel::ask() {
    if (!stale_ || !isVisible() || !isPossible(of_))
        return;
    const PathParts parts{button(Part::annotations).isChecked(), button(Part::python).isChecked(),
                          button(Part::modules).isChecked()};
    jobs_.run(
        {},
        [of = of_, parts, run = state_->run(), rank = rank(), selected = slice(), range = state_->range(),
         hits = state_->searchHits()](const std::stop_token& stop) -> std::shared_ptr<const Tree> {
            PathScope scope;
            scope.rank = rank;
            switch (of) {
            case Of::slice: scope = scope_of_slice(*run, *selected); break;
            case Of::name: scope = scope_of_name(*run, *selected, rank); break;
            case Of::step: scope = scope_of_step(*step_of_slice(*run, *selected), rank); break;
            case Of::range: scope = scope_of_range(*run, *range, rank); break;
            case Of::found: scope.events = hits->ranks; break;
            case Of::run: break;
            }
            auto found = std::make_shared<Tree>();
            for (std::size_t r = 0; r < scope.events.size(); ++r)
                found->events += !rank || *rank == r ? std::ssize(scope.events[r]) : 0;
            found->tree = operator_tree(*run, scope, parts, stop);
            return stop.stop_requested() ? nullptr : found;
        },
        [this](std::shared_ptr<const Tree> tree) { answer(std::move(tree)); });
}

void FlamePanel::answer(std::shared_ptr<const Tree> tree) {
    if (!tree)
        return;
    stale_ = false;
    tree_ = std::move(tree);
    const OperatorTree& found = tree_->tree;
    if (found.nodes.size() < 2)
        return say(found.unattributed > 0
                       ? tr("%1: no call is known that launched this GPU work (record with ProfilerActivity.CPU).")
                             .arg(words(tree_->events))
                       : tr("%1: no calls and no GPU work.").arg(words(tree_->events)));
    flames_->setTree(state_->run()->names, {tree_, &tree_->tree}, state_->classes());
    if (std::exchange(fresh_, false))
        flames_->showAll();
    showWeight();
    const PathNode& all = found.nodes.front();
    QStringList text{words(tree_->events)};
    text << tr("%1 on the GPU").arg(timeText(all.gpu_total));
    if (all.cpu_total > 0)
        text << tr("%1 on the CPU").arg(timeText(all.cpu_total));
    if (found.unattributed > 0)
        text << tr("%1 of GPU work without a known caller").arg(timeText(found.unattributed));
    summary_->setText(text.join(u" · "_s));
    pages_->setCurrentIndex(0);
}

/// What a tree has none of would be a blank graph.
void FlamePanel::showWeight() {
    const FlameWeight other = wished_ == FlameWeight::gpu ? FlameWeight::cpu : FlameWeight::gpu;
    const bool has =
        !tree_ || flameTime(tree_->tree.nodes.front(), wished_) > 0 || flameTime(tree_->tree.nodes.front(), other) == 0;
    const FlameWeight shown = has ? wished_ : other;
    weight_->setCurrentIndex(static_cast<int>(shown));
    flames_->setWeight(shown);
}

void FlamePanel::say(const QString& text) {
    summary_->clear();
    empty_->setText(text);
    pages_->setCurrentIndex(1);
}

QString FlamePanel::summary() const { return pages_->currentIndex() == 1 ? empty_->text() : summary_->text(); }

QString FlamePanel::words(std::int64_t events) const {
    const RankChoice chosen = rank();
    const QString where = chosen ? tr("rank %1").arg(state_->run()->ranks[*chosen]->rank) : tr("all ranks");
    const auto with = [&](const QString& what) -> QString { return what + u" · "_s + where; };
    const auto name = [&] {
        const EventPlace selected = *slice();
        return shortNameText(state_->run()->ranks[selected.rank]->event_name(selected.event));
    };
    switch (of_) {
    case Of::slice: return with(name());
    case Of::name: return with(tr("%1 of %2", nullptr, plural(events)).arg(groupedNumber(events), name()));
    case Of::step: return with(tr("Step %1").arg(*step_of_slice(*state_->run(), *slice())));
    case Of::range:
        return with(tr("%1 from %2")
                        .arg(durationText(state_->range()->length()),
                             timePointText(state_->range()->begin - state_->run()->span.begin)));
    case Of::found: return with(tr("%1 found", nullptr, plural(events)).arg(groupedNumber(events)));
    case Of::run: break;
    }
    return chosen ? tr("All of rank %1").arg(state_->run()->ranks[*chosen]->rank) : tr("All ranks");
}

/// Escape goes out to the callers first.
bool FlamePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == flames_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && flames_->root() == 0) {
        Q_EMIT left();
        return true;
    }
    return Panel::eventFilter(watched, event);
}

} // namespace rankscope
