// SPDX-License-Identifier: GPL-3.0-or-later
// Which collective calls a screen shows: kind, dimension, process group, and a text.
#pragma once
#include <QWidget>

#include "core/views/collective_calls.h"

class QComboBox;
class QLabel;
class QLineEdit;

namespace rankscope {

class CallFilterBar : public QWidget {
    Q_OBJECT
public:
    explicit CallFilterBar(QWidget* parent = nullptr);
    /// Offers what these calls have; what was chosen stays chosen where it is there.
    void setCalls(const CollectiveCalls& calls);
    [[nodiscard]] CallFilter filter() const;
    /// kernels: of all calls on all ranks, which is what the metric "Collective calls" counts.
    void setCount(std::size_t shown, std::size_t all, std::size_t kernels);

    [[nodiscard]] QComboBox& kind() const { return *kind_; }
    [[nodiscard]] QComboBox& dimension() const { return *dimension_; }
    [[nodiscard]] QComboBox& group() const { return *group_; }
    [[nodiscard]] QLineEdit& text() const { return *text_; }
    [[nodiscard]] QString count() const;

Q_SIGNALS:
    void filterChanged();

private:
    QComboBox* kind_;
    QComboBox* dimension_;
    QComboBox* group_;
    QLineEdit* text_;
    QLabel* count_;
};

} // namespace rankscope
