// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the window: tables and plots on screen, metrics, and a trace for Perfetto.
#pragma once
#include <QObject>
#include <QString>

#include "app/window/export.h"
#include "widgets/jobs.h"

namespace rankscope {

class RunOnScreen;
struct WindowParts;

class ExportController : public QObject {
    Q_OBJECT
public:
    ExportController(WindowParts& parts, const RunOnScreen& shown, QObject* parent = nullptr);

    void addCommands();
    void addActions(); ///< to the context menus of all tables and plots that are there
    /// Empty: written. Else why not.
    [[nodiscard]] QString exportMetrics(const QString& file) const;
    /// Writes the run on screen, and those beside it, as one trace for Perfetto, in the background; only the range in
    /// use, where there is one. A failure is told as a notice.
    void exportTrace(const QString& file);
    /// Writes what is known of the run on screen, and of those beside it, in the background: a web page, a workbook or
    /// Markdown, as the file's ending says. A failure is told as a notice.
    void saveReport(const QString& file);
    [[nodiscard]] bool isBusy() const { return exporting_.isBusy(); }

private:
    void showDialog();
    void chooseMetricsFile();
    void chooseTraceFile();
    void chooseReportFile();
    [[nodiscard]] QStringList pathsOnScreen() const;
    void chooseFile(const Exportable& item, const QString& filter);
    void tellWritten(const QString& file, const QString& problem) const; ///< problem: empty where it was written
    [[nodiscard]] QString suggestedFile(const QString& ending) const;

    WindowParts& parts_;
    const RunOnScreen& shown_;
    Jobs exporting_;
};

} // namespace rankscope
