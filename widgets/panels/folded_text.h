// SPDX-License-Identifier: GPL-3.0-or-later
// A text that few look for: one line says what it is about, a click opens it.
#pragma once
#include <QWidget>

class QLabel;
class QToolButton;

namespace rankscope {

class FoldedText : public QWidget {
    Q_OBJECT
public:
    explicit FoldedText(QWidget* parent = nullptr);
    /// Folded again where the text is another one; hidden where it is empty.
    void setText(const QString& title, const QString& text);
    [[nodiscard]] QString text() const;
    [[nodiscard]] QToolButton& opener() const { return *opener_; }
    [[nodiscard]] QLabel& body() const { return *body_; }

private:
    void open(bool open);

    QToolButton* opener_ = nullptr;
    QLabel* body_ = nullptr;
};

} // namespace rankscope
