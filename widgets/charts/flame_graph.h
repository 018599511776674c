// SPDX-License-Identifier: GPL-3.0-or-later
// A flame graph of call paths, the outermost at the top; a click zooms, Enter asks for all instances.
#pragma once
#include <memory>
#include <optional>
#include <unordered_map>

#include <QWidget>

class QScrollArea;

#include "core/analysis/selection/kernel_class_rules.h"
#include "widgets/charts/flame_layout.h"

namespace rankscope {

class FlameGraph : public QWidget {
    Q_OBJECT
public:
    explicit FlameGraph(QWidget* parent = nullptr);
    /// tree: with a root at least, or nullptr: blank. The zoom is kept when the path is there again.
    void setTree(std::shared_ptr<const StringTable> names, std::shared_ptr<const OperatorTree> tree,
                 const KernelClassRules& classes = {});
    void setWeight(FlameWeight weight);
    /// Names that contain the text stand out; empty: all alike.
    void setHighlight(const QString& text);
    void zoomTo(std::uint32_t node);
    void showAll(); ///< from the root of the tree on
    void zoomOut(); ///< to the caller of what fills the width

    [[nodiscard]] std::uint32_t root() const { return root_; } ///< what fills the width
    [[nodiscard]] std::optional<std::uint32_t> current() const { return current_; }
    [[nodiscard]] const std::vector<FlameBox>& boxes() const { return boxes_; }
    [[nodiscard]] QRectF rectOf(const FlameBox& box) const;
    [[nodiscard]] std::optional<std::uint32_t> nodeAt(QPointF position) const;
    [[nodiscard]] bool isHighlighted(std::uint32_t node) const;
    [[nodiscard]] QString nameOf(std::uint32_t node) const;
    /// "addmm: 3.21 ms on the GPU (12 % of all), 40 calls …", as plain text.
    [[nodiscard]] QString describe(std::uint32_t node) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void currentChanged();
    void zoomed();
    void nodeActivated(std::uint32_t node); ///< all instances of its name are asked for; never the root of the tree

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void layOut(bool newRows = true);
    void setCurrent(std::optional<std::uint32_t> node);
    void moveCurrent(int key);
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] QColor colourOf(const PathNode& node, bool dark) const;
    void paintBox(QPainter& painter, const FlameBox& box, bool dark) const;

    std::shared_ptr<const StringTable> names_;
    std::shared_ptr<const OperatorTree> tree_;
    KernelClassRules classes_;
    FlameWeight weight_ = FlameWeight::gpu;
    std::uint32_t root_ = 0;
    std::optional<std::uint32_t> current_;
    std::optional<std::uint32_t> hover_;
    std::vector<FlameBox> boxes_;
    QAction* showAll_; ///< of the context menu
    QAction* zoomOut_;
    int rows_ = 1;      ///< asked for
    int rowsWidth_ = 0; ///< the width they were counted at
    QString highlight_;
    mutable std::unordered_map<NameId, bool> matches_; ///< names looked at so far
};

/// Takes the graph as its widget; it scrolls down only.
QScrollArea* scrolledFlames(FlameGraph* flames);

} // namespace rankscope
