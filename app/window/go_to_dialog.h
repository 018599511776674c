// SPDX-License-Identifier: GPL-3.0-or-later
// Asks where to go in the run.
#pragma once
#include <QDialog>

#include "app/window/go_to.h"

class QLabel;
class QLineEdit;

namespace rankscope {

class GoToDialog : public QDialog {
    Q_OBJECT
public:
    explicit GoToDialog(int rank, QWidget* parent = nullptr); ///< rank: whose calls are counted
    [[nodiscard]] QLineEdit& field() const { return *field_; }
    [[nodiscard]] QString problem() const;

Q_SIGNALS:
    void wanted(const rankscope::GoTo& place); ///< after the dialog has closed

private:
    void submit();

    QLineEdit* field_;
    QLabel* problem_;
};

} // namespace rankscope
