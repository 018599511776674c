// SPDX-License-Identifier: GPL-3.0-or-later
// One quiet line while a range is used in all screens, with the ways out. No range: not visible.
#pragma once
#include <QFrame>

#include "widgets/view_state.h"

class QLabel;
class QPushButton;

namespace rankscope {

class UsedRangeBar : public QFrame {
    Q_OBJECT
public:
    explicit UsedRangeBar(ViewState* state, QWidget* parent = nullptr);
    [[nodiscard]] QString line() const;

private:
    void refresh();

    ViewState* state_;
    QLabel* line_;
    QPushButton* stepOut_;
};

} // namespace rankscope
