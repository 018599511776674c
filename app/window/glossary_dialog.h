// SPDX-License-Identifier: GPL-3.0-or-later
// What the words of the window mean: terms and metrics, with a filter.
#pragma once
#include <QDialog>

class QLineEdit;
class QTreeWidget;

namespace rankscope {

class GlossaryDialog : public QDialog {
    Q_OBJECT
public:
    explicit GlossaryDialog(QWidget* parent = nullptr);
    [[nodiscard]] QLineEdit& filter() const { return *filter_; }
    [[nodiscard]] QTreeWidget& list() const { return *list_; }

private:
    void applyFilter(const QString& wanted);
    void fitRows();

    QLineEdit* filter_;
    QTreeWidget* list_;
};

} // namespace rankscope
