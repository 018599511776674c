// SPDX-License-Identifier: GPL-3.0-or-later
// rankscope_icons: draws the logo in the sizes of the hicolor theme while building.
#include <QDir>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

#include <cstdio>

namespace {

constexpr int kSmallest[] = {16, 22, 24, 32}; ///< drawn from the logo with fewer details
constexpr int kLarger[] = {48, 64, 128, 256, 512};

bool draw(QSvgRenderer& logo, int size, const QString& folder) {
    QImage image(size, size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    logo.render(&painter);
    painter.end();
    return image.save(folder + QStringLiteral("/%1.png").arg(size));
}

} // namespace

int main(int count, char** arguments) {
    if (count != 4) {
        std::fputs("usage: rankscope_icons LOGO.svg SMALL_LOGO.svg FOLDER\n", stderr);
        return 2;
    }
    QSvgRenderer logo(QString::fromLocal8Bit(arguments[1]));
    QSvgRenderer small(QString::fromLocal8Bit(arguments[2]));
    const QString folder = QString::fromLocal8Bit(arguments[3]);
    bool good = logo.isValid() && small.isValid();
    for (const int size : kSmallest)
        good = good && draw(small, size, folder);
    for (const int size : kLarger)
        good = good && draw(logo, size, folder);
    if (!good)
        std::fputs("rankscope_icons: cannot read a logo, or write its pictures\n", stderr);
    return good ? 0 : 1;
}
