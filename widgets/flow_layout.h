// SPDX-License-Identifier: GPL-3.0-or-later
// A row of widgets that goes on in the next line where it is too narrow for all of them.
#pragma once
#include <memory>
#include <vector>

#include <QLayout>

namespace rankscope {

class FlowLayout : public QLayout {
    Q_OBJECT
public:
    using QLayout::QLayout;
    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override { return static_cast<int>(items_.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] QSize sizeHint() const override;    ///< all in one line
    [[nodiscard]] QSize minimumSize() const override; ///< the widest alone
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override { return placed(width).second.height(); }
    void setGeometry(const QRect& rect) override;

private:
    /// Where the items are in that width, and the room they take together. Hidden ones have an empty place.
    [[nodiscard]] std::pair<std::vector<QRect>, QSize> placed(int width) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
};

} // namespace rankscope
