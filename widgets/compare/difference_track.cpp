// SPDX-License-Identifier: GPL-3.0-or-later
// The difference track: bars up where the test takes longer, down where it takes less, stacked by class.
#include "widgets/compare/difference_track.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/compare/run_link.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"
#include "widgets/timeline/coordinates.h"

namespace rankscope {
namespace {

struct Part {
    double PhaseDifference::*value;
    Hue hue;
    const char* label;
};
constexpr std::array<Part, 4> kParts = {{
    {&PhaseDifference::computation, Hue::compute, QT_TRANSLATE_NOOP("rankscope::DifferenceTrack", "computation")},
    {&PhaseDifference::exposed_communication, Hue::communication,
     QT_TRANSLATE_NOOP("rankscope::DifferenceTrack", "exposed communication")},
    {&PhaseDifference::exposed_copy, Hue::memory, QT_TRANSLATE_NOOP("rankscope::DifferenceTrack", "exposed copies")},
    {&PhaseDifference::idle, Hue::idle, QT_TRANSLATE_NOOP("rankscope::DifferenceTrack", "idle")},
}};

} // namespace

std::vector<PhaseDifference> phaseDifferences(const StepProfile& baseline, const StepProfile& test) {
    std::vector<PhaseDifference> differences;
    if (baseline.phases.size() != test.phases.size())
        return differences;
    const double before = baseline.step_ns / static_cast<double>(std::max<std::size_t>(1, baseline.phases.size()));
    const double after = test.step_ns / static_cast<double>(std::max<std::size_t>(1, test.phases.size()));
    for (std::size_t k = 0; k < baseline.phases.size(); ++k) {
        const PhaseShares& a = baseline.phases[k];
        const PhaseShares& b = test.phases[k];
        differences.push_back({b.computation * after - a.computation * before,
                               b.exposed_communication * after - a.exposed_communication * before,
                               b.exposed_copy * after - a.exposed_copy * before, b.idle * after - a.idle * before});
    }
    return differences;
}

DifferenceTrack::DifferenceTrack(RunLink* link, QWidget* parent) : QWidget(parent), link_(link) {
    setAccessibleName(tr("Difference of the two runs by phase of the step"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(link_->view(CompareSide::baseline), &ViewState::visibleRangeChanged, this, qOverload<>(&QWidget::update));
    connect(link_, &RunLink::layoutChanged, this, qOverload<>(&QWidget::update));
}

void DifferenceTrack::setProfiles(const StepProfile& baseline, const StepProfile& test) {
    differences_ = phaseDifferences(baseline, test);
    highest_ = 0;
    for (const PhaseDifference& difference : differences_) {
        double up = 0;
        double down = 0;
        for (const Part& part : kParts)
            (difference.*part.value > 0 ? up : down) += std::abs(difference.*part.value);
        highest_ = std::max({highest_, up, down});
    }
    update();
}

void DifferenceTrack::setLanes(int left, int right) {
    left_ = left;
    right_ = right;
    update();
}

QRect DifferenceTrack::lanesRect() const { return {left_, 0, std::max(1, right_ - left_), height()}; }

std::optional<std::size_t> DifferenceTrack::phaseAt(int x) const {
    if (differences_.empty() || !link_->alignment() || link_->alignment()->pairs().empty())
        return std::nullopt;
    const TimeAxis axis{link_->view(CompareSide::baseline)->visibleRange(), static_cast<double>(lanesRect().width())};
    const TimeNs time = axis.timeAt(x - left_ + 0.5);
    for (const StepPair& pair : link_->alignment()->pairs()) {
        if (pair.baseline.range.contains(time)) {
            const double share = static_cast<double>(time - pair.baseline.range.begin) /
                                 static_cast<double>(pair.baseline.range.length());
            return std::min(differences_.size() - 1,
                            static_cast<std::size_t>(share * static_cast<double>(differences_.size())));
        }
    }
    return std::nullopt;
}

void DifferenceTrack::drawScale(QPainter& painter, QRect lanes) const {
    painter.setPen(palette().color(QPalette::WindowText));
    const QRect label(6, 0, left_ - 12, height());
    const QString text =
        differences_.empty()
            ? tr("Difference: no steps to compare")
            : tr("Test \u2212 baseline\nby phase of a step\n\u00b1%1 a bar").arg(timeText(std::llround(highest_)));
    painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, text);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(lanes.left(), lanes.center().y(), lanes.right(), lanes.center().y());
    painter.drawLine(0, 0, width(), 0);
}

void DifferenceTrack::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRect lanes = lanesRect();
    drawScale(painter, lanes);
    if (highest_ <= 0)
        return;
    const bool dark = isDark(palette());
    const double middle = lanes.center().y() + 0.5;
    const double scale = (lanes.height() / 2.0 - 3) / highest_;
    for (int x = lanes.left(); x <= lanes.right(); ++x) {
        const auto phase = phaseAt(x);
        if (!phase)
            continue;
        double up = 0;
        double down = 0;
        for (const Part& part : kParts) {
            const double length = differences_[*phase].*part.value * scale;
            double& reached = length > 0 ? up : down;
            const QRectF bar =
                length > 0 ? QRectF(x, middle - reached - length, 1, length) : QRectF(x, middle + reached, 1, -length);
            reached += std::abs(length);
            painter.fillRect(bar, hue(part.hue, dark));
        }
    }
}

bool DifferenceTrack::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto phase = phaseAt(help->pos().x())) {
            const double share = 100.0 / static_cast<double>(differences_.size());
            QStringList lines{tr("%1 to %2 of the step, test \u2212 baseline, mean of a step")
                                  .arg(percentText(share * static_cast<double>(*phase)),
                                       percentText(share * static_cast<double>(*phase + 1)))};
            for (const Part& part : kParts)
                lines << QStringLiteral("%1  %2").arg(signedTimeText(differences_[*phase].*part.value), tr(part.label));
            QToolTip::showText(help->globalPos(), lines.join(u'\n'), this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QWidget::event(event);
}

} // namespace rankscope
