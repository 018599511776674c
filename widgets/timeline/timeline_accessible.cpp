// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline for assistive technology.
#include "widgets/timeline/timeline_accessible.h"

#include <algorithm>

#include <QCoreApplication>

#include "widgets/painted_accessible.h"
#include "widgets/time_text.h"
#include "widgets/timeline/error_marks.h"
#include "widgets/timeline/hover_label.h"
#include "widgets/timeline/lane_headers.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

namespace {

struct AccessibleTexts {
    Q_DECLARE_TR_FUNCTIONS(AccessibleTexts)
};

/// Its value, which ends its description as well, is the visible range; its parts are the selected slice, and the error
/// of a GPU that the keyboard led to.
class TimelineAccessible : public PaintedAccessible {
public:
    explicit TimelineAccessible(TimelineView* view) : PaintedAccessible(view, QAccessible::Chart), view_(view) {}

    [[nodiscard]] QString text(QAccessible::Text text) const override {
        const TimelineScene& scene = view_->scene();
        if (text == QAccessible::Description && scene.run)
            return PaintedAccessible::text(text) + QStringLiteral(". ") + this->text(QAccessible::Value);
        if (text != QAccessible::Value || !scene.run)
            return PaintedAccessible::text(text);
        const TimeNs start = scene.run->span.begin;
        return AccessibleTexts::tr("In view: %1 to %2 of %3")
            .arg(timePointText(scene.visible.begin - start), timePointText(scene.visible.end - start),
                 durationText(scene.run->span.length()));
    }
    [[nodiscard]] int partCount() const override {
        return (hasSelection() ? 1 : 0) + (view_->scene().errorShown ? 1 : 0);
    }
    [[nodiscard]] PaintedPart part(int index) const override {
        const TimelineScene& scene = view_->scene();
        PaintedPart part{{}, {}, QAccessible::Graphic};
        if (index == 0 && hasSelection()) {
            part.name = hoverLines(scene, {*scene.selection}).join(QStringLiteral(", "));
            part.rect = scene.rectOf(*scene.selection).toAlignedRect();
        } else {
            const auto [rank, error] = *scene.errorShown;
            part.name = errorLines(scene, rank, error).join(QStringLiteral(", "));
            part.rect = errorRect(scene, rank, error);
        }
        part.rect.translate(view_->lanesRect().topLeft());
        part.state.selectable = part.state.selected = true;
        part.state.offscreen = !part.rect.intersects(view_->lanesRect());
        return part;
    }

private:
    [[nodiscard]] bool hasSelection() const {
        const TimelineScene& scene = view_->scene();
        return scene.run && scene.selection && scene.indexOfRank(scene.selection->rank) >= 0;
    }

    TimelineView* view_;
};

class LaneHeadersAccessible : public PaintedAccessible {
public:
    explicit LaneHeadersAccessible(LaneHeaders* headers)
        : PaintedAccessible(headers, QAccessible::List), headers_(headers) {}

    [[nodiscard]] int partCount() const override { return static_cast<int>(headers_->items().size()); }
    [[nodiscard]] PaintedPart part(int index) const override {
        const HeaderItem item = headers_->items()[static_cast<std::size_t>(index)];
        PaintedPart part{headers_->nameOf(item.id), headers_->rectOf(item)};
        part.state.focusable = part.state.selectable = true;
        part.state.focused = part.state.selected = headers_->hasFocus() && index == focusedPart();
        part.state.expandable = item.foldable;
        part.state.expanded = item.foldable && item.open;
        part.state.collapsed = item.foldable && !item.open;
        part.state.offscreen = !part.rect.intersects(headers_->rect());
        return part;
    }
    [[nodiscard]] int focusedPart() const override { return headers_->currentIndex(); }

private:
    LaneHeaders* headers_;
};

QAccessibleInterface* timelineInterface(const QString& name, QObject* object) {
    if (name == QLatin1StringView("rankscope::TimelineView"))
        return new TimelineAccessible(static_cast<TimelineView*>(object));
    if (name == QLatin1StringView("rankscope::LaneHeaders"))
        return new LaneHeadersAccessible(static_cast<LaneHeaders*>(object));
    return nullptr;
}

} // namespace

void installTimelineAccessibility() { QAccessible::installFactory(timelineInterface); }

} // namespace rankscope
