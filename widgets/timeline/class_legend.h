// SPDX-License-Identifier: GPL-3.0-or-later
// Below the lanes: what the colours mean, in as many lines as it takes, and what the hands can do.
#pragma once
#include <bitset>
#include <vector>

#include <QColor>
#include <QRect>
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
    [[nodiscard]] QSize sizeHint() const override; ///< one line
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] std::vector<QRect> places(int width) const; ///< of swatches with their words, in that width

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Entry {
        QString text;  ///< empty: the next one's swatch follows at once
        QColor colour; ///< invalid: words alone
        bool outlined = false;
    };
    void fitHeight(); ///< as high as its lines; lanes get the rest
    [[nodiscard]] std::vector<Entry> entries() const;
    [[nodiscard]] std::vector<QRect> placed(const std::vector<Entry>& entries, int width) const;
    [[nodiscard]] int lineHeight() const { return fontMetrics().height() + 8; }
    [[nodiscard]] int swatch() const { return fontMetrics().ascent() - 1; }

    std::bitset<kSliceClassCount> classes_;
    ColourBy colourBy_ = ColourBy::sliceClass;
    QStringList hints_;
};

} // namespace rankscope
