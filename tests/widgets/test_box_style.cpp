// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes to tick can be seen while they are empty, on light and dark windows.
#include <QImage>
#include <QPainter>
#include <QStyleOptionButton>
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "tests/support/test_program.h"
#include "widgets/box_style.h"
#include "widgets/palette.h"

namespace rankscope::box_style_test {

namespace {

/// Relative luminance and contrast of WCAG 2.
double luminance(const QColor& colour) {
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
    return (light + 0.05) / (dark + 0.05);
}

} // namespace

class TestBoxStyle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anEmptyBoxIsSeen_data() {
        QTest::addColumn<QPalette>("palette");
        QTest::newRow("light") << lightPalette();
        QTest::newRow("dark") << darkPalette();
    }
    /// 3 to 1 is what WCAG 2 (1.4.11) asks of the outline of a control.
    void anEmptyBoxIsSeen() {
        QFETCH(QPalette, palette);
        BoxStyle style;
        QStyleOptionButton option;
        option.rect = {4, 4, 14, 14};
        option.palette = palette;
        option.state = QStyle::State_Enabled | QStyle::State_Off;
        QImage image(22, 22, QImage::Format_ARGB32_Premultiplied);
        image.fill(palette.color(QPalette::Window));
        QPainter painter(&image);
        style.drawPrimitive(QStyle::PE_IndicatorCheckBox, &option, &painter, nullptr);
        painter.end();
        const double seen = contrast(image.pixelColor(4, 11), palette.color(QPalette::Window));
        QVERIFY2(seen >= 3, std::to_string(seen).c_str());
    }
};

RANKSCOPE_TEST(TestBoxStyle)

} // namespace rankscope::box_style_test

#include "test_box_style.moc"
