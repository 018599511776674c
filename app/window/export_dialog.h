// SPDX-License-Identifier: GPL-3.0-or-later
// Asks what of the window to export, and as what.
#pragma once
#include <QDialog>

#include "app/window/export.h"

class QComboBox;
class QListWidget;

namespace rankscope {

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    /// metrics: title of the first row, such as "All metrics of the run"; empty: the list has no such row.
    ExportDialog(std::vector<Exportable> items, const QString& metrics, QWidget* parent = nullptr);
    [[nodiscard]] QListWidget& list() const { return *list_; }
    [[nodiscard]] QComboBox& format() const { return *format_; }

Q_SIGNALS:
    void metricsWanted(); ///< one of these two, after the dialog has closed
    void wanted(const rankscope::Exportable& item, const QString& filter);

private:
    void showFormats();
    void submit();
    [[nodiscard]] const Exportable* current() const; ///< nullptr: the metrics

    std::vector<Exportable> items_;
    bool withMetrics_;
    QListWidget* list_;
    QComboBox* format_;
};

} // namespace rankscope
