// SPDX-License-Identifier: GPL-3.0-or-later
// The line below the lanes: what the colours mean, and what the hands can do.
#pragma once
#include <bitset>

#include <QStringList>
#include <QWidget>

#include "widgets/timeline/slice_class.h"

namespace rankscope {

class ClassLegend : public QWidget {
    Q_OBJECT
public:
    explicit ClassLegend(QWidget* parent = nullptr);
    /// Only these are explained.
    void setClasses(std::bitset<kSliceClassCount> classes);
    void setHints(const QStringList& hints); ///< at the right, as many as there is room for
    [[nodiscard]] const QStringList& hints() const { return hints_; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::bitset<kSliceClassCount> classes_;
    QStringList hints_;
};

} // namespace rankscope
