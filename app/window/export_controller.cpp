// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the window.
#include "app/window/export_controller.h"

#include <memory>
#include <vector>

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QTreeView>

#include "app/settings/settings.h"
#include "app/window/comparison_controller.h"
#include "app/window/export_dialog.h"
#include "app/window/run_on_screen.h"
#include "app/window/window_command.h"
#include "app/window/window_parts.h"
#include "core/base/whole_file.h"
#include "core/report/html_report.h"
#include "core/report/metrics_csv.h"
#include "core/report/run_sheets.h"
#include "core/report/short_report.h"
#include "core/report/trace_export.h"
#include "core/report/xlsx.h"
#include "widgets/charts/rank_bars.h"
#include "widgets/language.h"
#include "widgets/panels/capture_key.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/plot_export.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

ExportController::ExportController(WindowParts& parts, const RunOnScreen& shown, QObject* parent)
    : QObject(parent), parts_(parts), shown_(shown) {}

void ExportController::addCommands() {
    const QString file = tr("&File");
    parts_.commands.add(separated(enabledIf(
        windowCommand(
            u"save-report"_s, file, tr("Save &report…"), {u"Ctrl+S"_s},
            tr("Write headline, facts, findings and tables as a web page, a workbook or Markdown; of runs that are "
               "compared also what changed"),
            [this] { chooseReportFile(); }),
        [this] { return shown_.entry().analysed != nullptr; })));
    parts_.commands.add(windowCommand(
        u"export"_s, file, tr("&Export…"), {u"Ctrl+E"_s},
        tr("Write a table or plot that is on screen, or all metrics, to a file"), [this] { showDialog(); }));
    parts_.commands.add(enabledIf(
        windowCommand(
            u"export-metrics"_s, file, tr("Export &metrics CSV…"), {},
            tr("Write all metrics of the open run to a CSV file"), [this] { chooseMetricsFile(); }),
        [this] { return shown_.analysis() != nullptr; }));
    parts_.commands.add(
        enabledIf(windowCommand(u"export-trace"_s, file, tr("Export &trace for Perfetto…"), {},
                                tr("Write all ranks, with flows, counters, steps, waits and findings, as one trace"),
                                [this] { chooseTraceFile(); }),
                  [this] { return shown_.entry().analysed != nullptr; }));
}

void ExportController::addActions() {
    parts_.runsPanel->tree().setProperty("notExported", true);
    markAsPlot(*parts_.timeline, tr("Timeline"));
    markAsPlot(parts_.overview->chart(), tr("Time of each rank"));
    for (QWidget* widget : parts_.window->findChildren<QWidget*>()) {
        if (exportableAt(widget).widget != widget)
            continue;
        auto* action = new QAction(tr("&Export…"), widget);
        widget->addAction(action);
        const bool ownMenu = widget == parts_.timeline;
        if (widget->contextMenuPolicy() == Qt::DefaultContextMenu && !ownMenu)
            widget->setContextMenuPolicy(Qt::ActionsContextMenu);
        connect(action, &QAction::triggered, this, [this, widget] {
            const Exportable item = exportableAt(widget);
            chooseFile(item, exportFilters(item.kind).front());
        });
    }
}

QString ExportController::suggestedFile(const QString& ending) const {
    const QString folder = lastFolder();
    return (folder.isEmpty() ? QDir::homePath() : folder) + u'/' + captureName(shown_.path()) + ending;
}

void ExportController::showDialog() {
    auto* dialog = new ExportDialog(exportables(*parts_.window), shown_.analysis() != nullptr, parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::metricsWanted, this, &ExportController::chooseMetricsFile);
    connect(dialog, &ExportDialog::wanted, this, &ExportController::chooseFile);
    dialog->open();
}

void ExportController::chooseMetricsFile() {
    const QString file = QFileDialog::getSaveFileName(parts_.window, tr("Export metrics"),
                                                      suggestedFile(u"-metrics.csv"_s), tr("CSV (*.csv)"));
    if (file.isEmpty())
        return;
    tellWritten(file, exportMetrics(file));
}

void ExportController::chooseTraceFile() {
    const QString file =
        QFileDialog::getSaveFileName(parts_.window, tr("Export trace for Perfetto"), suggestedFile(u".json.gz"_s),
                                     tr("Chrome trace (*.json.gz *.json);;Perfetto trace (*.pftrace)"));
    if (!file.isEmpty())
        exportTrace(file);
}

void ExportController::chooseReportFile() {
    const QString page = tr("Web page (*.html)");
    const QString workbook = tr("Workbook (*.xlsx)");
    const QString markdown = tr("Markdown (*.md)");
    QString chosen = page;
    QString file = QFileDialog::getSaveFileName(parts_.window, tr("Save report"), suggestedFile(u"-report.html"_s),
                                                QStringList{page, workbook, markdown}.join(u";;"_s), &chosen);
    if (file.isEmpty())
        return;
    if (QFileInfo(file).suffix().isEmpty())
        file += chosen == workbook ? u".xlsx"_s : chosen == markdown ? u".md"_s : u".html"_s;
    saveReport(file);
}

void ExportController::chooseFile(const Exportable& item, const QString& filter) {
    const auto endingOf = [](const QString& of) { return of.section(u"*."_s, 1).section(u')', 0, 0); };
    QString chosen = filter;
    QString file = QFileDialog::getSaveFileName(
        parts_.window, tr("Export %1").arg(item.title),
        suggestedFile(u'-' + QString(item.title).toLower().replace(u' ', u'-') + u'.' + endingOf(filter)),
        exportFilters(item.kind).join(u";;"_s), &chosen);
    if (file.isEmpty())
        return;
    if (QFileInfo(file).suffix().isEmpty())
        file += u'.' + endingOf(chosen);
    tellWritten(file, exportTo(item, file));
}

void ExportController::tellWritten(const QString& file, const QString& problem) const {
    if (problem.isEmpty())
        parts_.saved(file);
    else
        parts_.fail(problem);
}

QString ExportController::exportMetrics(const QString& file) const {
    const std::shared_ptr<const AnalysedRun> shown = shown_.analysis();
    if (!shown)
        return tr("Nothing to export yet: open a run first.");
    const auto written = write_whole_file(file.toStdString(), metrics_csv({shown.get(), 1}));
    return written ? QString() : messageText(written.error().message);
}

QStringList ExportController::pathsOnScreen() const {
    const QStringList compared = parts_.comparison->paths();
    return compared.contains(shown_.path()) ? compared : QStringList{shown_.path()};
}

void ExportController::saveReport(const QString& file) {
    std::vector<AnalysedRun> analysed;
    for (const QString& path : pathsOnScreen())
        if (const auto entry = parts_.library->at(path).analysed)
            analysed.push_back(*entry);
    if (analysed.empty())
        return;
    constexpr JobSlot kReport{.what = 1};
    exporting_.run(
        kReport,
        [analysed = std::move(analysed), path = file.toStdString()](const std::stop_token&) -> Result<void> {
            std::vector<AnalysedRun> runs = analysed;
            relate_runs(runs);
            if (path.ends_with(".xlsx"))
                return write_workbook(path, run_sheets(runs, {}));
            return write_whole_file(path, path.ends_with(".md") ? as_markdown(short_report(runs, {}))
                                                                : html_report(runs, {}));
        },
        [this, file](const Result<void>& written) {
            tellWritten(file, written ? QString() : messageText(written.error().message));
        },
        [this](const QString& reason) { parts_.fail(reason); });
}

void ExportController::exportTrace(const QString& file) {
    std::vector<QueryRun> runs;
    for (const QString& path : pathsOnScreen())
        if (const auto analysed = parts_.library->at(path).analysed)
            runs.push_back(
                {analysed->label.empty() ? analysed->run().name : analysed->label, analysed->role, analysed->analysis});
    if (runs.empty())
        return;
    TraceExport what;
    if (!parts_.view.usedRanges().empty()) {
        const TimeRange used = parts_.view.usedRanges().back();
        const TimeNs first = parts_.view.run()->span.begin;
        what.time = TimeRange{used.begin - first, used.end - first};
    }
    exporting_.run(
        {},
        [model = std::make_shared<const QueryModel>(std::move(runs)), what,
         path = file.toStdString()](const std::stop_token& stop) { return write_trace(*model, what, path, stop); },
        [this, file](const Result<TraceExportCounts>& written) {
            tellWritten(file, written ? QString() : messageText(written.error().message));
        },
        [this](const QString& reason) { parts_.fail(reason); });
}

} // namespace rankscope
