// SPDX-License-Identifier: GPL-3.0-or-later
// The line that says that some names are hidden, and shows them again.
#pragma once
#include <QWidget>

#include "widgets/timeline/name_filter.h"

class QPushButton;

namespace rankscope {

class ElidedLabel;

/// Invisible while all names are shown.
class NameFilterBar : public QWidget {
    Q_OBJECT
public:
    explicit NameFilterBar(QWidget* parent = nullptr);
    void setFilter(const SliceNameFilter& filter);
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void showAllAsked();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ElidedLabel* text_;
    QPushButton* showAll_;
};

} // namespace rankscope
