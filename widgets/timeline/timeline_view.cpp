// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline: its parts and what keeps them in step. The hands are in timeline_gestures.cpp.
#include "widgets/timeline/timeline_view.h"

#include <algorithm>
#include <array>
#include <set>

#include <QCoreApplication>
#include <QGridLayout>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTimer>

#include "core/trace/errors_by_rank.h"
#include "widgets/painted_accessible.h"
#include "widgets/timeline/analysis_marks.h"
#include "widgets/timeline/class_legend.h"
#include "widgets/timeline/error_marks.h"
#include "widgets/timeline/flow_overlay.h"
#include "widgets/timeline/hit_overlay.h"
#include "widgets/timeline/lane_corner.h"
#include "widgets/timeline/lane_headers.h"
#include "widgets/timeline/lanes_plot.h"
#include "widgets/timeline/marks_overlay.h"
#include "widgets/timeline/minimap.h"
#include "widgets/timeline/name_filter_bar.h"
#include "widgets/timeline/overlay_legend.h"
#include "widgets/timeline/plot_layers.h"
#include "widgets/timeline/range_overlay.h"
#include "widgets/timeline/slice_label.h"
#include "widgets/timeline/time_ruler.h"
#include "widgets/timeline/timeline_accessible.h"

namespace rankscope {
namespace {

QFont labelFont(const QFont& base) {
    QFont font = base;
    font.setPixelSize(std::max(10, QFontInfo(base).pixelSize() * 5 / 6));
    return font;
}

} // namespace

TimelineView::TimelineView(ViewState* state, QWidget* parent)
    : QWidget(parent), state_(state), plot_(new LanesPlot(scene_, this)), ruler_(new TimeRuler(scene_, this)),
      headers_(new LaneHeaders(scene_, this)), corner_(new LaneCorner(this)), names_(new NameFilterBar(this)),
      minimap_(new Minimap(scene_, state, this)), legend_(new ClassLegend(this)), marks_(new AnalysisMarks(this)),
      overlayLegend_(new OverlayLegend(state, this)), scrollBar_(new QScrollBar(Qt::Vertical, this)) {
    new MarksOverlay(plot_, scene_);
    new HitOverlay(plot_, scene_);
    new ErrorMarks(plot_, scene_);
    new RangeOverlay(plot_, scene_); // below hover and selection
    new FlowOverlay(plot_, scene_);
    new TimelineOverlay(plot_, scene_); // owned by the plot's layer
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setProperty("ownMenu", true);
    ruler_->setMouseTracking(true); // its edges of the range show a cursor
    installTimelineAccessibility();
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("GPU streams and CPU threads of all ranks over time"));
    scrollBar_->setAccessibleName(tr("Scroll lanes"));
    scrollBar_->setFocusPolicy(Qt::NoFocus);
    plot_->installEventFilter(this);
    takeTheme();
    headers_->takeScene();
    layOutChildren();

    connect(state_, &ViewState::runChanged, this, &TimelineView::takeRun);
    connect(state_, &ViewState::visibleRangeChanged, this, &TimelineView::refresh);
    connect(state_, &ViewState::visibleRangeChanged, this,
            [this] { tellAccessible(this, QAccessible::DescriptionChanged); });
    connect(state_, &ViewState::selectionChanged, this, [this] {
        takeFlows();
        refreshOverlay();
        tellAccessible(this, QAccessible::Selection, state_->selection() ? 0 : -1);
    });
    connect(state_, &ViewState::rangeChanged, this, &TimelineView::refreshOverlay);
    connect(state_, &ViewState::comparedRangesChanged, this, &TimelineView::refresh);
    connect(state_, &ViewState::searchHitsChanged, this, &TimelineView::refresh);
    connect(state_, &ViewState::searchHitsChanged, this, [this] { minimap_->markHits(state_->searchHits()); });
    indexesArrived_.setSingleShot(true);
    indexesArrived_.setInterval(30);
    connect(&indexer_, &SliceIndexer::built, this, [this] {
        if (!indexesArrived_.isActive())
            indexesArrived_.start();
    });
    connect(&indexesArrived_, &QTimer::timeout, this, &TimelineView::takeIndexes);
    connect(scrollBar_, &QScrollBar::valueChanged, this, &TimelineView::setScroll);
    connectLanes();
    connectMarks();
    connect(&glide_, &Glide::moved, this, [this](double zoom, double pan) {
        if (zoom != 1)
            zoomBy(zoom, anchor());
        if (pan != 0)
            panBy(pan);
    });
    connect(plot_, &LanesPlot::labelsWait, plot_, &LanesPlot::redraw, Qt::QueuedConnection);
    auto own = std::make_unique<CommandTable>(this);
    useCommands(*own);
    ownCommands_ = std::move(own);
    takeRun();
}

TimelineView::~TimelineView() = default;

void TimelineView::layOutChildren() {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins({});
    grid->setSpacing(0);
    grid->addWidget(names_, 0, 0, 1, 3);
    grid->addWidget(corner_, 1, 0, 2, 1);
    grid->addWidget(minimap_, 1, 1);
    grid->addWidget(ruler_, 2, 1);
    grid->addWidget(headers_, 3, 0);
    grid->addWidget(plot_, 3, 1);
    grid->addWidget(scrollBar_, 3, 2);
    grid->addWidget(legend_, 4, 0, 1, 3);
    grid->addWidget(overlayLegend_, 5, 0, 1, 3);
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(3, 1);
}

void TimelineView::markLanes(std::map<LaneId, QString> lanes) { headers_->setMarked(std::move(lanes)); }

bool TimelineView::isMarked(const LaneId& id) const { return headers_->isMarked(id); }

void TimelineView::setLegendRows(bool classes, bool overlays) {
    legend_->setVisible(classes);
    overlayLegend_->setVisible(overlays);
}

void TimelineView::takeRun() {
    // The rank headers and foldings of another run mean nothing here.
    if (!scene_.run || !state_->run() || scene_.run->names != state_->run()->names) {
        scene_.arrangement = {};
        keptTop_.reset();
    }
    scene_.run = state_->run();
    scene_.hover.reset();
    scene_.hoverLines.clear();
    scene_.gpuErrors = scene_.run ? errors_by_rank(*scene_.run) : std::vector<std::vector<std::uint32_t>>();
    scene_.errorShown.reset();
    scene_.counterNames.clear();
    corner_->setFilter(QString::fromStdString(scene_.arrangement.filter));
    corner_->setHidden(static_cast<int>(scene_.arrangement.hidden.size()));
    takeMarks();
    counterBuilder_.setRun(scene_.run);
    indexer_.setRun(scene_.run.get(), state_->classes());
    takeColours();
    takeNames();
    headers_->takeScene();
    takeIndexes(); // first: laying out may resize the plot, which draws at once
    takeSize();
}

void TimelineView::takeIndexes() {
    scene_.indexes = scene_.run ? indexer_.indexes(*scene_.run) : std::vector<std::shared_ptr<const SliceIndex>>();
    std::bitset<kSliceClassCount> occurring;
    for (const auto& index : scene_.indexes)
        if (index)
            occurring |= index->occurring;
    legend_->setClasses(occurring);
    minimap_->takeIndexes();
    takeCounters();
    refresh();
}

void TimelineView::takeColours() {
    scene_.colours.reset();
    colouring_.stop();
    legend_->setColourBy(scene_.arrangement.colour);
    if (!scene_.run || scene_.arrangement.colour == ColourBy::sliceClass)
        return; // whoever calls draws anew
    colouring_.run(
        {},
        [run = scene_.run, by = scene_.arrangement.colour](const std::stop_token& stop) {
            return std::make_shared<const ColourKey>(colourKey(*run, by, stop));
        },
        [this](std::shared_ptr<const ColourKey> key) {
            scene_.colours = std::move(key);
            refresh();
        });
}

void TimelineView::takeCounters() {
    std::vector<CounterNames> names;
    for (std::size_t i = 0; i < scene_.indexes.size(); ++i) {
        names.emplace_back();
        if (scene_.indexes[i])
            for (const CounterSource& source : scene_.indexes[i]->counters)
                names.back().push_back(source.name);
        else if (scene_.run->ranks[i]->events.gpu_count > 0)
            // Which others there are will be known soon.
            names.back().push_back(QCoreApplication::translate("CounterTexts", "busy").toStdString());
    }
    if (names == scene_.counterNames)
        return;
    scene_.counterNames = std::move(names);
    relayout();
}

void TimelineView::takeTheme() {
    scene_.palette = palette();
    scene_.font = labelFont(font());
}

void TimelineView::takeSize() {
    scene_.size = plot_->size();
    if (scene_.run)
        scene_.metrics = metricsFor(*scene_.run, scene_.arrangement.height, scene_.size.height(), labelRow(scene_.font),
                                    scene_.counterNames);
    relayout();
    closeRanksToFit();
}

void TimelineView::relayout() {
    scene_.layout =
        scene_.run ? layoutLanes(*scene_.run, scene_.arrangement, scene_.metrics, scene_.counterNames) : LaneLayout();
    const bool room = scene_.layout.pinnedHeight <= scene_.size.height() * 6 / 10;
    scene_.pinnedHeight = room ? scene_.layout.pinnedHeight : 0;
    scene_.counters.clear();
    for (const LaneStrip& strip : scene_.layout.strips)
        if (const CounterSource* source = scene_.counterOf(strip);
            source != nullptr && source->kind != CounterKind::busy)
            scene_.counters.emplace(std::pair(strip.rankIndex, strip.lane),
                                    counterBuilder_.track(strip.rankIndex, *source));
    const QScopedValueRollback laying(layingOut_, true);
    const int excess = std::max(0, scene_.layout.height - scene_.size.height());
    scrollBar_->setRange(0, excess);
    scrollBar_->setPageStep(scene_.size.height());
    scrollBar_->setSingleStep(2 * scene_.metrics.streamRow);
    scrollBar_->setVisible(excess > 0);
    if (keptTop_)
        showAtTop(*keptTop_);
    scene_.scroll = scrollBar_->value();
    refresh();
}

void TimelineView::setScroll(int value) {
    if (!layingOut_)
        keptTop_.reset();
    scene_.scroll = value;
    refresh();
    Q_EMIT scrolled();
}

void TimelineView::refresh() {
    headers_->update();
    scene_.visible = state_->visibleRange();
    scene_.selection = state_->selection();
    scene_.range = state_->range();
    scene_.comparedRanges = state_->comparedRanges();
    scene_.hits = state_->searchHits();
    if (scene_.run) {
        const TimeNs origin = scene_.run->span.begin;
        plot_->xAxis->setRange(static_cast<double>(scene_.visible.begin - origin),
                               static_cast<double>(scene_.visible.end - origin));
        plot_->yAxis->setRange(scene_.scroll, scene_.scroll + std::max(1, scene_.size.height()));
    }
    ruler_->update();
    minimap_->update();
    plot_->redraw();
}

void TimelineView::refreshOverlay() {
    scene_.selection = state_->selection();
    if (scene_.range != state_->range())
        ruler_->update();
    scene_.range = state_->range();
    plot_->update();
}

QRect TimelineView::lanesRect() const { return plot_->geometry(); }

bool TimelineView::isReady() const {
    return !indexer_.isBusy() && !indexesArrived_.isActive() && !counterBuilder_.isBusy() && !minimap_->isBusy() &&
           !colouring_.isBusy() && !naming_.isBusy();
}

void TimelineView::drawNow() { QCoreApplication::sendPostedEvents(window(), QEvent::UpdateRequest); }

std::size_t TimelineView::drawnRectCount() const { return plot_->slices().slicePainter().rectCount(); }

void TimelineView::reveal(const EventRef& event) {
    const RankTrace* trace = state_->trace(event.rank);
    if (trace == nullptr || event.event >= trace->events.size())
        return;
    const Lane& lane = trace->lane_of(event.event);
    const auto laneNumber = static_cast<int>(&lane - trace->lanes.data());
    const auto visibleStrip = [&] {
        return scene_.layout.stripOf(scene_.indexOfRank(event.rank), trace->row_of(event.event));
    };
    const LaneGroup group = laneGroupOf(lane.kind);
    LaneArrangement arrangement = scene_.arrangement;
    const std::array ids{LaneId::ofRank(event.rank), LaneId::ofGroup(event.rank, group),
                         LaneId::ofLane(event.rank, group, laneNumber)};
    for (const LaneId& id : ids)
        arrangement.hidden.erase(id);
    arrangement.folded.erase(ids[0]);
    arrangement.folded.erase(ids[2]);
    if (!(arrangement == scene_.arrangement))
        setArrangement(arrangement);
    if (visibleStrip() == nullptr && !arrangement.filter.empty()) {
        arrangement.filter.clear();
        setArrangement(arrangement);
    }
    if (visibleStrip() == nullptr) // its group is folded
        toggleFold(ids[1]);
    if (const LaneStrip* strip = visibleStrip(); strip != nullptr && strip->top >= scene_.pinnedHeight) {
        const int top = scene_.viewY(strip->top);
        if (top < scene_.pinnedHeight || top + strip->height > scene_.size.height())
            scrollBar_->setValue(strip->top - (scene_.pinnedHeight + scene_.size.height()) / 2);
    }
    const TimeRange range = trace->events.range(event.event);
    const TimeRange visible = state_->visibleRange();
    if (range.end <= visible.begin || range.begin >= visible.end) {
        const TimeNs begin = range.begin - (visible.length() - std::min(range.length(), visible.length())) / 2;
        state_->setVisibleRange({begin, begin + visible.length()});
    }
}

void TimelineView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange) {
        takeTheme();
        headers_->takeScene();
        ruler_->updateGeometry();
        takeSize();
    }
}

bool TimelineView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == plot_ && (event->type() == QEvent::Resize || event->type() == QEvent::Show)) {
        // The plot lays itself out in its own handler, which runs after this one.
        QMetaObject::invokeMethod(this, &TimelineView::takeSize, Qt::QueuedConnection);
        scene_.size = plot_->size();
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace rankscope
