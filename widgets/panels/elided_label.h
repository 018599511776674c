// SPDX-License-Identifier: GPL-3.0-or-later
// A label that shortens its text with an ellipsis instead of widening the window.
#pragma once
#include <QLabel>

namespace rankscope {

class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    [[nodiscard]] QSize minimumSizeHint() const override;
    void setElideMode(Qt::TextElideMode mode) { mode_ = mode; }
    /// Of a text of parts, those at the end go first, each as a whole: half a number would be another one.
    void setSeparator(const QString& separator) { separator_ = separator; }
    [[nodiscard]] QString shownText(int width) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::TextElideMode mode_ = Qt::ElideRight;
    QString separator_;
};

} // namespace rankscope
