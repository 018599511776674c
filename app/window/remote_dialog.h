// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for the address of a run on another machine.
#pragma once
#include <QDialog>

class QLabel;
class QLineEdit;

namespace rankscope {

class RemoteDialog : public QDialog {
    Q_OBJECT
public:
    explicit RemoteDialog(const QStringList& known, QWidget* parent = nullptr); ///< known: addresses used before
    [[nodiscard]] QLineEdit& field() const { return *field_; }
    [[nodiscard]] QString problem() const;

Q_SIGNALS:
    void wanted(const QString& address); ///< a right one; after the dialog has closed

private:
    void submit();

    QLineEdit* field_;
    QLabel* problem_;
};

} // namespace rankscope
