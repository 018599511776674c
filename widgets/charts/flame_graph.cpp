// SPDX-License-Identifier: GPL-3.0-or-later
// A flame graph of call paths.
#include "widgets/charts/flame_graph.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <QAction>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QToolTip>

#include "core/analysis/operators/modules.h"
#include "core/analysis/selection/kernel_class.h"
#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"
#include "widgets/time_text.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kTextMargin = 4;
constexpr int kNarrowestLabel = 28;

double share(TimeNs part, TimeNs whole) {
    return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

QColor mixed(const QColor& a, const QColor& b, double ofB) {
    const auto part = [&](int x, int y) { return static_cast<int>(x + (y - x) * ofB); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

} // namespace

FlameGraph::FlameGraph(QWidget* parent)
    : QWidget(parent), showAll_(new QAction(tr("Show all of this name in the &timeline"), this)),
      zoomOut_(new QAction(tr("Zoom &out"), this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Flame graph of operators"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::MinimumExpanding);
    addActions({showAll_, zoomOut_});
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(showAll_, &QAction::triggered, this, [this] {
        if (current_ && *current_ != 0)
            Q_EMIT nodeActivated(*current_);
    });
    connect(zoomOut_, &QAction::triggered, this, &FlameGraph::zoomOut);
}

void FlameGraph::setTree(std::shared_ptr<const StringTable> names, std::shared_ptr<const OperatorTree> tree,
                         const KernelClassRules& classes) {
    std::vector<std::pair<NameId, EventKind>> path; // from what fills the width outwards
    for (std::uint32_t node = names == names_ ? root_ : 0; node != 0; node = tree_->nodes[node].parent)
        path.emplace_back(tree_->nodes[node].name, tree_->nodes[node].kind);
    names_ = std::move(names);
    tree_ = std::move(tree);
    classes_ = classes;
    matches_.clear();
    hover_.reset();
    root_ = 0;
    for (auto part = path.rbegin(); tree_ && part != path.rend(); ++part) {
        const PathNode& node = tree_->nodes[root_];
        const auto begin = tree_->nodes.begin() + node.first_child;
        const auto found = std::find_if(begin, begin + node.child_count, [&](const PathNode& child) {
            return std::pair(child.name, child.kind) == *part;
        });
        if (found == begin + node.child_count)
            break;
        root_ = static_cast<std::uint32_t>(found - tree_->nodes.begin());
    }
    setCurrent({});
    layOut();
}

void FlameGraph::setWeight(FlameWeight weight) {
    weight_ = weight;
    layOut();
}

void FlameGraph::setHighlight(const QString& text) {
    highlight_ = text.trimmed();
    matches_.clear();
    update();
}

void FlameGraph::zoomTo(std::uint32_t node) {
    if (!tree_ || node >= tree_->nodes.size() || flameTime(tree_->nodes[node], weight_) == 0)
        return;
    root_ = node;
    layOut();
    Q_EMIT zoomed();
}

void FlameGraph::showAll() {
    root_ = 0;
    layOut();
}

void FlameGraph::zoomOut() {
    if (tree_ && root_ != 0) {
        setCurrent(root_);
        zoomTo(tree_->nodes[root_].parent);
    }
}

int FlameGraph::rowHeight() const { return fontMetrics().height() + 5; }

QSize FlameGraph::minimumSizeHint() const { return {200, rows_ * rowHeight() + 2}; }

QSize FlameGraph::sizeHint() const { return minimumSizeHint(); }

/// A scroll bar that comes for the rows takes width, which may leave out the deepest boxes: it must not go for that.
void FlameGraph::layOut(bool newRows) {
    boxes_ = tree_ ? flameBoxes(*tree_, root_, weight_, width() - 1) : std::vector<FlameBox>();
    hover_.reset();
    constexpr int kScrollBar = 40;
    const int rows = boxes_.empty() ? 1 : boxes_.back().depth + 1;
    if (newRows || std::abs(width() - rowsWidth_) > kScrollBar) {
        rows_ = rows;
        rowsWidth_ = width();
    }
    rows_ = std::max(rows_, rows);
    zoomOut_->setEnabled(root_ != 0);
    updateGeometry();
    update();
}

QRectF FlameGraph::rectOf(const FlameBox& box) const {
    return {box.left, static_cast<double>(box.depth * rowHeight()), std::max(1.0, box.width - 1),
            static_cast<double>(rowHeight() - 1)};
}

std::optional<std::uint32_t> FlameGraph::nodeAt(QPointF position) const {
    const int depth = static_cast<int>(position.y()) / rowHeight();
    for (const FlameBox& box : boxes_)
        if (box.depth == depth && position.x() >= box.left && position.x() < box.left + box.width)
            return box.node;
    return {};
}

QString FlameGraph::nameOf(std::uint32_t node) const {
    if (node == 0)
        return tr("All");
    const std::string_view name = names_->view(tree_->nodes[node].name);
    const std::string_view module = module_of_frame(name);
    return shortNameText(module.empty() ? name : module);
}

bool FlameGraph::isHighlighted(std::uint32_t node) const {
    if (highlight_.isEmpty() || node == 0)
        return false;
    const auto [place, added] = matches_.try_emplace(tree_->nodes[node].name);
    if (added)
        place->second = nameOf(node).contains(highlight_, Qt::CaseInsensitive) ||
                        nameText(names_->view(tree_->nodes[node].name)).contains(highlight_, Qt::CaseInsensitive);
    return place->second;
}

QString FlameGraph::describe(std::uint32_t n) const {
    const PathNode& node = tree_->nodes[n];
    const PathNode& all = tree_->nodes[0];
    QStringList parts{tr("%1 on the GPU (%2 of all)")
                          .arg(timeText(node.gpu_total), percentText(share(node.gpu_total, all.gpu_total)))};
    if (n != 0 && !is_gpu_work(node.kind) && node.gpu_self != node.gpu_total)
        parts << tr("launched by itself %1").arg(timeText(node.gpu_self));
    if (!is_gpu_work(node.kind))
        parts << (n == 0
                      ? tr("%1 on the CPU").arg(timeText(node.cpu_total))
                      : tr("%1 on the CPU, %2 of it its own").arg(timeText(node.cpu_total), timeText(node.cpu_self)));
    if (n != 0)
        parts << (node.calls == 1 ? tr("once")
                                  : tr("%1 times", nullptr, plural(static_cast<std::int64_t>(node.calls)))
                                        .arg(groupedNumber(node.calls)));
    const QString name = n == 0 ? nameOf(n) : nameText(names_->view(node.name));
    return name + u": "_s + parts.join(u", "_s);
}

QColor FlameGraph::colourOf(const PathNode& node, bool dark) const {
    if (is_gpu_work(node.kind))
        return hueOf(classes_.class_of(node.kind, names_->view(node.name)), dark);
    return node.kind == EventKind::other ? hue(Hue::idle, dark) : hueOf(node.kind, dark);
}

void FlameGraph::paintBox(QPainter& painter, const FlameBox& box, bool dark) const {
    const QRectF rect = rectOf(box);
    const PathNode& node = tree_->nodes[box.node];
    QColor colour = colourOf(node, dark);
    const QColor ground = palette().color(QPalette::Window);
    const bool marked = isHighlighted(box.node);
    if (!highlight_.isEmpty() && !marked)
        colour = mixed(colour, ground, 0.75);
    else if (box.depth < 1 || box.node == tree_->nodes[root_].parent)
        colour = mixed(colour, ground, 0.3);
    painter.fillRect(rect, colour);
    if (hover_ == box.node || current_ == box.node || marked) {
        const QColor line =
            marked && hover_ != box.node && current_ != box.node ? hue(Hue::marker, dark) : hue(Hue::selection, dark);
        painter.setPen(QPen(line, current_ == box.node ? 2 : 1));
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (rect.width() < kNarrowestLabel)
        return;
    painter.setPen(textOn(colour));
    QString label = nameOf(box.node);
    if (box.node == root_)
        label += u"  "_s + timeText(flameTime(node, weight_));
    const QRectF text = rect.adjusted(kTextMargin, 0, -kTextMargin, 0);
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(label, Qt::ElideRight, static_cast<int>(text.width())));
}

void FlameGraph::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const bool dark = isDark(palette());
    for (const FlameBox& box : boxes_)
        if (rectOf(box).intersects(event->rect()))
            paintBox(painter, box, dark);
}

void FlameGraph::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        layOut(false);
}

void FlameGraph::setCurrent(std::optional<std::uint32_t> node) {
    current_ = node;
    showAll_->setEnabled(node.has_value() && *node != 0);
    setAccessibleDescription(node && tree_ ? describe(*node) : QString());
    Q_EMIT currentChanged();
    update();
}

void FlameGraph::mousePressEvent(QMouseEvent* event) {
    const auto node = nodeAt(event->position());
    if (!node)
        return;
    setCurrent(node);
    if (event->button() == Qt::LeftButton)
        zoomTo(*node);
}

void FlameGraph::mouseMoveEvent(QMouseEvent* event) {
    const auto node = nodeAt(event->position());
    if (node == hover_)
        return;
    hover_ = node;
    update();
    if (node)
        QToolTip::showText(event->globalPosition().toPoint(), toolTipText(describe(*node)), this);
    else
        QToolTip::hideText();
}

void FlameGraph::leaveEvent(QEvent*) {
    hover_.reset();
    update();
}

/// Up to the caller, down to the first inside, left and right among those beside.
void FlameGraph::moveCurrent(int key) {
    if (boxes_.empty())
        return;
    const auto place = std::ranges::find(boxes_, current_.value_or(root_), &FlameBox::node);
    if (!current_ || place == boxes_.end())
        return setCurrent(root_);
    const auto row = [&](const FlameBox& box) { return box.depth == place->depth; };
    auto next = boxes_.end();
    if (key == Qt::Key_Up && place->node != 0)
        return setCurrent(tree_->nodes[place->node].parent);
    if (key == Qt::Key_Down)
        next = std::ranges::find_if(boxes_, [&](const FlameBox& box) {
            return box.depth == place->depth + 1 && tree_->nodes[box.node].parent == place->node;
        });
    else if (key == Qt::Key_Right && place + 1 != boxes_.end() && row(*(place + 1)))
        next = place + 1;
    else if (key == Qt::Key_Left && place != boxes_.begin() && row(*(place - 1)))
        next = place - 1;
    if (next != boxes_.end())
        setCurrent(next->node);
}

void FlameGraph::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right: return moveCurrent(event->key());
    case Qt::Key_Space:
        if (current_)
            zoomTo(*current_);
        return;
    case Qt::Key_Backspace:
    case Qt::Key_Escape: return zoomOut();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (current_ && *current_ != 0)
            Q_EMIT nodeActivated(*current_);
        return;
    default: QWidget::keyPressEvent(event);
    }
}

void FlameGraph::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (!current_ && tree_ && event->reason() != Qt::MouseFocusReason)
        setCurrent(root_);
}

QScrollArea* scrolledFlames(FlameGraph* flames) {
    auto* area = new QScrollArea;
    area->setWidget(flames);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

} // namespace rankscope
