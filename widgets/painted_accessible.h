// SPDX-License-Identifier: GPL-3.0-or-later
// What assistive technology is told of a widget that paints its parts itself: each part is a child with name and place.
#pragma once
#include <map>

#include <QAccessibleWidget>

namespace rankscope {

/// One part, as it is when it is asked for.
struct PaintedPart {
    QString name;
    QRect rect; ///< in the widget
    QAccessible::Role role = QAccessible::ListItem;
    QAccessible::State state = {};
};

class PaintedAccessible : public QAccessibleWidget {
public:
    using QAccessibleWidget::QAccessibleWidget;
    PaintedAccessible(const PaintedAccessible&) = delete;
    PaintedAccessible& operator=(const PaintedAccessible&) = delete;
    ~PaintedAccessible() override;

    // The painted parts follow the widget's own children.
    [[nodiscard]] int childCount() const override;
    [[nodiscard]] QAccessibleInterface* child(int index) const override;
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override;
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override;
    [[nodiscard]] QAccessibleInterface* focusChild() const override;

    [[nodiscard]] virtual int partCount() const = 0;
    [[nodiscard]] virtual PaintedPart part(int index) const = 0;
    [[nodiscard]] virtual int focusedPart() const { return -1; } ///< while the widget has the focus

private:
    mutable std::map<int, QAccessible::Id> parts_; ///< of those that were asked for
};

/// Tells of a change of a part, or of the whole widget where part is negative. Costs nothing while nobody listens.
void tellAccessible(QWidget* widget, QAccessible::Event event, int part = -1);

} // namespace rankscope
