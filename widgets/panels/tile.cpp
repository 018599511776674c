// SPDX-License-Identifier: GPL-3.0-or-later
// A headline number, and a strip of them.
#include "widgets/panels/tile.h"

#include <algorithm>

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include "widgets/palette.h"
#include "widgets/panels/elided_label.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kNarrowestTile = 172;
} // namespace

Tile::Tile(QWidget* parent) : QFrame(parent) {
    label_ = new ElidedLabel(this);
    value_ = new QLabel(this);
    unit_ = new QLabel(this);
    note_ = new QLabel(this);
    missing_ = new QLabel(this);
    for (QLabel* text : {note_, missing_}) {
        text->setTextFormat(Qt::PlainText);
        text->setWordWrap(true);
        text->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    }
    auto* number = new QHBoxLayout;
    number->setSpacing(5);
    number->addWidget(value_, 0, Qt::AlignBaseline);
    number->addWidget(unit_, 0, Qt::AlignBaseline);
    number->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 7, 10, 8);
    layout->setSpacing(0);
    layout->addWidget(label_);
    layout->addLayout(number);
    layout->addWidget(note_, 1);
    layout->addWidget(missing_, 1);
    label_->setForegroundRole(QPalette::PlaceholderText);
    note_->setForegroundRole(QPalette::PlaceholderText);
    unit_->setForegroundRole(QPalette::PlaceholderText);
    missing_->setForegroundRole(QPalette::PlaceholderText);
    applyFonts();
}

void Tile::applyFonts() {
    QFont large = font();
    large.setPointSizeF(font().pointSizeF() * 1.75);
    large.setWeight(QFont::DemiBold);
    value_->setFont(large);
}

void Tile::setContent(const TileContent& content) {
    content_ = content;
    const bool available = !content.value.isEmpty();
    label_->setText(content.label);
    value_->setText(content.value);
    unit_->setText(content.unit);
    note_->setText(content.note);
    missing_->setText(content.note);
    for (QLabel* label : {value_, unit_, note_})
        label->setVisible(available);
    missing_->setVisible(!available);
    setToolTip(!available && !content.note.isEmpty()
                   ? content.definition % u"\n"_s % tr("Not available: %1").arg(content.note)
               : isLink() ? content.definition % u"\n"_s % tr("Click: show the evidence")
                          : content.definition);
    setFocusPolicy(isLink() ? Qt::StrongFocus : Qt::NoFocus);
    setCursor(isLink() ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setAccessibleName(content.label);
    setAccessibleDescription(available ? QString(content.value % u' ' % content.unit % u", "_s % content.note)
                                       : tr("Not available: %1").arg(content.note));
    update();
}

bool Tile::event(QEvent* event) {
    switch (event->type()) {
    case QEvent::Enter:
    case QEvent::Leave:
    case QEvent::FocusIn:
    case QEvent::FocusOut: {
        QFont font = label_->font();
        font.setUnderline(isLink() && (event->type() == QEvent::Enter || hasFocus()));
        label_->setFont(font);
        update();
        break;
    }
    default: break;
    }
    return QFrame::event(event);
}

void Tile::mouseReleaseEvent(QMouseEvent* event) {
    if (isLink() && event->button() == Qt::LeftButton && rect().contains(event->pos()))
        Q_EMIT followed(content_.metric);
}

void Tile::keyPressEvent(QKeyEvent* event) {
    if (isLink() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space))
        Q_EMIT followed(content_.metric);
    else
        QFrame::keyPressEvent(event);
}

void Tile::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor line = palette().color(QPalette::Mid);
    line.setAlpha(140);
    painter.setPen(hasFocus() ? QPen(palette().color(QPalette::Highlight), 2) : QPen(line));
    if (!content_.value.isEmpty())
        painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    if (!content_.emphasised)
        return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(hue(Hue::marker, isDark(palette())));
    painter.drawRoundedRect(QRectF(0.5, 8, 3, height() - 16), 1.5, 1.5);
}

void Tile::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange && value_ != nullptr)
        applyFonts();
}

TileStrip::TileStrip(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setSpacing(10);
    setAccessibleName(tr("Headline numbers"));
}

void TileStrip::setTiles(const std::vector<TileContent>& contents) {
    while (tiles_.size() < contents.size())
        connect(tiles_.emplace_back(new Tile(this)), &Tile::followed, this, &TileStrip::followed);
    while (tiles_.size() > contents.size()) {
        delete tiles_.back();
        tiles_.pop_back();
    }
    for (std::size_t i = 0; i < contents.size(); ++i)
        tiles_[i]->setContent(contents[i]);
    columns_ = 0;
    arrange();
}

void TileStrip::arrange() {
    if (tiles_.empty())
        return;
    const int count = static_cast<int>(tiles_.size());
    int columns = std::clamp((width() + grid_->spacing()) / (kNarrowestTile + grid_->spacing()), 1, count);
    // Rows of nearly equal length look calmer than a single tile left over.
    columns = (count + (count + columns - 1) / columns - 1) / ((count + columns - 1) / columns);
    if (columns == columns_)
        return;
    for (int column = 0; column < columns_; ++column)
        grid_->setColumnStretch(column, 0);
    columns_ = columns;
    for (int i = 0; i < count; ++i)
        grid_->addWidget(tiles_[static_cast<std::size_t>(i)], i / columns, i % columns);
    for (int column = 0; column < columns; ++column)
        grid_->setColumnStretch(column, 1);
}

void TileStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

} // namespace rankscope
