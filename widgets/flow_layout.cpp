// SPDX-License-Identifier: GPL-3.0-or-later
// A row of widgets that goes on in the next line where it is too narrow for all of them.
#include "widgets/flow_layout.h"

#include <algorithm>

namespace rankscope {

void FlowLayout::addItem(QLayoutItem* item) { items_.emplace_back(item); }

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (itemAt(index) == nullptr)
        return nullptr;
    QLayoutItem* item = items_[static_cast<std::size_t>(index)].release();
    items_.erase(items_.begin() + index);
    return item;
}

std::pair<std::vector<QRect>, QSize> FlowLayout::placed(int width) const {
    std::vector<QRect> places;
    QSize all(0, 0);
    QPoint at;
    std::size_t line = 0; // its first item
    const auto endLine = [&] {
        for (; line < places.size(); ++line)
            places[line].moveTop(at.y() + (all.height() - at.y() - places[line].height()) / 2);
    };
    for (const auto& item : items_) {
        const QSize size = item->isEmpty() ? QSize(0, 0) : item->sizeHint();
        if (at.x() > 0 && at.x() + size.width() > width) {
            endLine();
            at = QPoint(0, all.height() + spacing());
        }
        places.emplace_back(at, size);
        all = all.expandedTo(QSize(at.x() + size.width(), at.y() + size.height()));
        at.rx() += size.isEmpty() ? 0 : size.width() + spacing();
    }
    endLine();
    return {std::move(places), all};
}

QSize FlowLayout::sizeHint() const { return placed(QLAYOUTSIZE_MAX).second; }

QSize FlowLayout::minimumSize() const {
    QSize least(0, 0);
    for (const auto& item : items_)
        least = least.expandedTo(item->isEmpty() ? QSize(0, 0) : item->sizeHint());
    return least;
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    const auto places = placed(rect.width()).first;
    for (std::size_t i = 0; i < items_.size(); ++i)
        items_[i]->setGeometry(places[i].translated(rect.topLeft()));
}

} // namespace rankscope
