// SPDX-License-Identifier: GPL-3.0-or-later
// A headline number: large value, unit, small label above, context below. And a strip of them.
#pragma once
#include <vector>

#include <QFrame>
#include <QString>

class QGridLayout;
class QLabel;

namespace rankscope {

struct TileContent {
    QString label;
    QString value; ///< empty: not available, and note says why
    QString unit;
    QString note;
    QString definition; ///< tooltip
    bool emphasised = false;
    QString metric = {}; ///< what the tile leads to the evidence of (placeOfMetric()); empty: it leads nowhere
};

class Tile : public QFrame {
    Q_OBJECT
public:
    explicit Tile(QWidget* parent = nullptr);
    void setContent(const TileContent& content);
    [[nodiscard]] const TileContent& content() const { return content_; }

Q_SIGNALS:
    void followed(const QString& metric); ///< by a click or Enter, where it leads somewhere

protected:
    bool event(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyFonts();
    [[nodiscard]] bool isLink() const { return !content_.metric.isEmpty() && !content_.value.isEmpty(); }
    TileContent content_;
    QLabel* label_ = nullptr;
    QLabel* value_ = nullptr;
    QLabel* unit_ = nullptr;
    QLabel* note_ = nullptr;
    QLabel* missing_ = nullptr; ///< why there is no number
};

/// Tiles of equal width; as many columns as fit.
class TileStrip : public QWidget {
    Q_OBJECT
public:
    explicit TileStrip(QWidget* parent = nullptr);
    void setTiles(const std::vector<TileContent>& contents);
    [[nodiscard]] const std::vector<Tile*>& tiles() const { return tiles_; }

Q_SIGNALS:
    void followed(const QString& metric); ///< of one of the tiles

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    QGridLayout* grid_ = nullptr;
    std::vector<Tile*> tiles_;
    int columns_ = 0;
};

} // namespace rankscope
