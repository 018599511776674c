// SPDX-License-Identifier: GPL-3.0-or-later
// A page that has nothing to show: a title, and below it what to do. All screens use it, so that they look alike.
#pragma once
#include <QWidget>

class QLabel;

namespace rankscope {

class MessagePage : public QWidget {
    Q_OBJECT
public:
    explicit MessagePage(QWidget* parent = nullptr);
    void setMessage(const QString& title, const QString& words = {});
    [[nodiscard]] QString title() const;
    [[nodiscard]] QString message() const; ///< the title and the words

private:
    QLabel* title_;
    QLabel* words_;
};

} // namespace rankscope
