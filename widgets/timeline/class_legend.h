// SPDX-License-Identifier: GPL-3.0-or-later
// The line below the lanes: what the colours mean, and what the hands can do.
#pragma once
#include <bitset>
#include <vector>

#include <QColor>
#include <QStringList>
#include <QWidget>

#include "widgets/timeline/lane_arrangement.h"
#include "widgets/timeline/slice_class.h"

namespace rankscope {

class ClassLegend : public QWidget {
    Q_OBJECT
public:
    explicit ClassLegend(QWidget* parent = nullptr);
    /// Only these are explained.
    void setClasses(std::bitset<kSliceClassCount> classes);
    void setColourBy(ColourBy by);           ///< of single slices
    void setHints(const QStringList& hints); ///< at the right, as many as there is room for
    [[nodiscard]] const QStringList& hints() const { return hints_; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Entry {
        QString text;  ///< empty: the next one's swatch follows at once
        QColor colour; ///< invalid: words alone
        bool outlined = false;
    };
    [[nodiscard]] std::vector<Entry> entries() const;

    std::bitset<kSliceClassCount> classes_;
    ColourBy colourBy_ = ColourBy::sliceClass;
    QStringList hints_;
};

} // namespace rankscope
