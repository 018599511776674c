// SPDX-License-Identifier: GPL-3.0-or-later
// What assistive technology is told of a widget that paints its parts itself.
#include "widgets/painted_accessible.h"

#include <QWidget>

namespace rankscope {

namespace {

class AccessiblePart : public QAccessibleInterface {
public:
    AccessiblePart(const PaintedAccessible& whole, int index) : whole_(whole), index_(index) {}

    [[nodiscard]] int index() const { return index_; }
    [[nodiscard]] bool isValid() const override { return whole_.isValid() && index_ < whole_.partCount(); }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QWindow* window() const override { return whole_.window(); }
    [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* parent() const override {
        return QAccessible::queryAccessibleInterface(whole_.object());
    }
    [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    [[nodiscard]] QString text(QAccessible::Text text) const override {
        return text == QAccessible::Name && isValid() ? whole_.part(index_).name : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    [[nodiscard]] QRect rect() const override {
        return isValid() ? whole_.part(index_).rect.translated(whole_.rect().topLeft()) : QRect();
    }
    [[nodiscard]] QAccessible::Role role() const override {
        return isValid() ? whole_.part(index_).role : QAccessible::NoRole;
    }
    [[nodiscard]] QAccessible::State state() const override {
        QAccessible::State state;
        if (isValid())
            state = whole_.part(index_).state;
        else
            state.invalid = true;
        return state;
    }

private:
    const PaintedAccessible& whole_;
    int index_;
};

} // namespace

PaintedAccessible::~PaintedAccessible() {
    for (const auto& [index, id] : parts_)
        QAccessible::deleteAccessibleInterface(id);
}

int PaintedAccessible::childCount() const { return QAccessibleWidget::childCount() + partCount(); }

QAccessibleInterface* PaintedAccessible::child(int index) const {
    const int number = index - QAccessibleWidget::childCount();
    if (number < 0 || number >= partCount())
        return QAccessibleWidget::child(index);
    const auto [place, isNew] = parts_.try_emplace(number, 0);
    if (isNew)
        place->second = QAccessible::registerAccessibleInterface(new AccessiblePart(*this, number));
    return QAccessible::accessibleInterface(place->second);
}

int PaintedAccessible::indexOfChild(const QAccessibleInterface* child) const {
    const auto* part = dynamic_cast<const AccessiblePart*>(child);
    return part != nullptr ? QAccessibleWidget::childCount() + part->index() : QAccessibleWidget::indexOfChild(child);
}

QAccessibleInterface* PaintedAccessible::childAt(int x, int y) const {
    const QPoint point = QPoint(x, y) - rect().topLeft();
    for (int i = 0; i < partCount(); ++i)
        if (part(i).rect.contains(point))
            return child(QAccessibleWidget::childCount() + i);
    return QAccessibleWidget::childAt(x, y);
}

QAccessibleInterface* PaintedAccessible::focusChild() const {
    return widget()->hasFocus() && focusedPart() >= 0 ? child(QAccessibleWidget::childCount() + focusedPart())
                                                      : QAccessibleWidget::focusChild();
}

void tellAccessible(QWidget* widget, QAccessible::Event event, int part) {
    if (!QAccessible::isActive())
        return;
    QAccessibleEvent told(widget, event);
    if (part >= 0)
        if (const auto* whole = dynamic_cast<PaintedAccessible*>(QAccessible::queryAccessibleInterface(widget)))
            told.setChild(whole->childCount() - whole->partCount() + part);
    QAccessible::updateAccessibility(&told);
}

} // namespace rankscope
