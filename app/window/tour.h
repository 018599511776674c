// SPDX-License-Identifier: GPL-3.0-or-later
// A tour of the window in a few steps, each with a place to look at.
#pragma once
#include <functional>
#include <vector>

#include <QFrame>
#include <QPointer>

class QLabel;
class QPushButton;

namespace rankscope {

struct TourStep {
    QString title;
    QString text;
    std::function<void()> show; ///< brings what is talked about to the screen; may be empty
    QPointer<QWidget> target;   ///< framed
};

/// A card in its window, beside what it explains. Enter goes on, Escape leaves; the window stays usable.
class Tour : public QFrame {
    Q_OBJECT
public:
    Tour(std::vector<TourStep> steps, QWidget* window);
    ~Tour() override;
    void start();
    [[nodiscard]] int step() const { return step_; }
    [[nodiscard]] const QWidget& frame() const { return *frame_; } ///< around what is explained; hidden with it
    void next();
    void back();
    void leave();

Q_SIGNALS:
    void finished(); ///< left at any step, or through

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showStep(int step);
    [[nodiscard]] QPoint placeBeside(const QRect& explained) const;
    void place();

    std::vector<TourStep> steps_;
    int step_ = 0;
    QPointer<QWidget> frame_; ///< around the target
    QLabel* count_;
    QLabel* title_;
    QLabel* text_;
    QPushButton* back_;
    QPushButton* next_;
};

} // namespace rankscope
