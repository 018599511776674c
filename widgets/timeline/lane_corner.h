// SPDX-License-Identifier: GPL-3.0-or-later
// Above the lane headers: the filter, and the way back to what is hidden.
#pragma once
#include <QWidget>

class QLineEdit;
class QToolButton;

namespace rankscope {

class LaneCorner : public QWidget {
    Q_OBJECT
public:
    explicit LaneCorner(QWidget* parent = nullptr);
    void setHidden(int count);
    void setFilter(const QString& text);
    void focusFilter();

Q_SIGNALS:
    void filterChanged(const QString& text);
    void showHiddenAsked();
    void left(); ///< by Enter or Escape: the focus belongs to the lanes again

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLineEdit* filter_;
    QToolButton* hidden_;
};

} // namespace rankscope
