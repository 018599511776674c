// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the window: tables and plots on screen, metrics, and a trace for Perfetto.
#pragma once
#include <memory>
#include <vector>

#include <QObject>
#include <QString>

#include "app/window/export.h"
#include "widgets/jobs.h"

namespace rankscope {

class RunOnScreen;
class StudyController;
struct AnalysedRun;
struct WindowParts;

class ExportController : public QObject {
    Q_OBJECT
public:
    ExportController(WindowParts& parts, const RunOnScreen& shown, const StudyController& study,
                     QObject* parent = nullptr);

    void addCommands();
    /// To the context menus of all tables and plots that are there. A widget with a menu of its own carries the
    /// property "ownMenu", and adds its actions() to that menu.
    void addActions();
    /// Empty: written. Else why not.
    [[nodiscard]] QString exportMetrics(const QString& file) const;
    /// Writes the run on screen, and those beside it, as one trace for Perfetto, in the background; only the range in
    /// use, where there is one. A failure is told as a notice.
    void exportTrace(const QString& file);
    /// Writes what is known of the run on screen, and of those beside it, in the background: a web page, a workbook or
    /// Markdown, as the file's ending says. Where a range is in use: of the run on screen alone, and of the range, but
    /// Compare is saved as it is shown, whole. A failure is told as a notice.
    void saveReport(const QString& file);
    /// Writes the runs of the Study screen, in the background: a web page, a workbook, CSV or JSON, as the file's
    /// ending says. A failure is told as a notice.
    void saveStudy(const QString& file);
    [[nodiscard]] bool isBusy() const { return exporting_.isBusy(); }

private:
    void showDialog();
    void chooseMetricsFile();
    void chooseTraceFile();
    void chooseReportFile();
    void chooseStudyFile();
    [[nodiscard]] bool hasReport() const; ///< of what is on screen
    [[nodiscard]] QStringList pathsOnScreen() const;
    void chooseFile(const Exportable& item, const QString& filter);
    /// problem: empty where it was written; part: of the run, as partText() has it.
    void tellWritten(const QString& file, const QString& problem, const QString& part = {}) const;
    [[nodiscard]] std::vector<std::shared_ptr<const AnalysedRun>> analysedForReport() const;
    /// "range 37.42–98.27 ms": what is analysed of the run on screen; empty: all of it.
    [[nodiscard]] QString partText() const;
    [[nodiscard]] bool reportHasRange() const;
    [[nodiscard]] QString reportPart() const; ///< partText() of what a report has
    [[nodiscard]] QString suggestedFile(const QString& ending) const;

    WindowParts& parts_;
    const RunOnScreen& shown_;
    const StudyController& study_;
    Jobs exporting_;
};

} // namespace rankscope
