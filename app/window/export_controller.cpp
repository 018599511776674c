// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the window.
#include "app/window/export_controller.h"

#include <algorithm>
#include <memory>
#include <optional>
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
#include "app/window/study_controller.h"
#include "app/window/window_command.h"
#include "app/window/window_parts.h"
#include "core/base/whole_file.h"
#include "core/report/html_report.h"
#include "core/report/metrics_csv.h"
#include "core/report/run_sheets.h"
#include "core/report/short_report.h"
#include "core/report/study_page.h"
#include "core/report/study_report.h"
#include "core/report/trace_export.h"
#include "core/report/xlsx.h"
#include "widgets/charts/rank_bars.h"
#include "widgets/compare/compare_page.h"
#include "widgets/language.h"
#include "widgets/panels/capture_key.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/plot_export.h"
#include "widgets/time_text.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Every kind of file has the label: it says that the run is not whole.
void sayPart(AnalysedRun& run) {
    if (const std::string part = part_words(run.analysis->selection()); !part.empty())
        run.label = (run.label.empty() ? run.run().name : run.label) + " (" + part + ")";
}

/// ".csv" of "CSV (*.csv)"
QString endingOf(const QString& kind) { return u'.' + kind.section(u"*."_s, 1).section(u')', 0, 0); }

QString suggestedFolder() { return lastFolder().isEmpty() ? QDir::homePath() : lastFolder(); }

/// "5–7, 9"
QString stepRuns(const Selection& selection) {
    QStringList runs;
    for (const auto& [first, last] : selection.iterations)
        runs << (first == last ? QString::number(first) : u"%1–%2"_s.arg(first).arg(last));
    return runs.join(u", "_s);
}

constexpr JobSlot kReport{.what = 1};

/// As `rankscope study --output` writes it.
Result<void> writeStudy(const Study& study, const std::string& path, const QString& ending) {
    if (ending == "xlsx"_L1)
        return write_workbook(path, study_sheets(study));
    return write_whole_file(path, ending == "csv"_L1    ? study_csv(study)
                                  : ending == "json"_L1 ? study_json(study)
                                                        : study_html(study));
}

/// The file that the user chooses, with the ending of the chosen kind if it has none; empty: none. kinds: as
/// "Web page (*.html)".
QString chosenReport(QWidget* window, const QString& title, const QString& suggested, const QStringList& kinds) {
    QString kind = kinds.front();
    const QString file = QFileDialog::getSaveFileName(window, title, suggested, kinds.join(u";;"_s), &kind);
    return file.isEmpty() || !QFileInfo(file).suffix().isEmpty() ? file : file + endingOf(kind);
}

} // namespace

ExportController::ExportController(WindowParts& parts, const RunOnScreen& shown, const StudyController& study,
                                   QObject* parent)
    : QObject(parent), parts_(parts), shown_(shown), study_(study) {}

void ExportController::addCommands() {
    const QString file = tr("&File");
    parts_.commands.add(separated(enabledIf(
        windowCommand(
            u"save-report"_s, file, tr("Save &report…"), {u"Ctrl+S"_s},
            tr("Write headline, facts, findings and tables as a web page, a workbook or Markdown; of runs that are "
               "compared also what changed; on the Study screen the study"),
            [this] { study_.isShown() ? chooseStudyFile() : chooseReportFile(); }),
        [this] { return hasReport(); })));
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
        if (widget->contextMenuPolicy() == Qt::DefaultContextMenu && !widget->property("ownMenu").toBool())
            widget->setContextMenuPolicy(Qt::ActionsContextMenu);
        connect(action, &QAction::triggered, this, [this, widget] {
            const Exportable item = exportableAt(widget);
            chooseFile(item, exportFilters(item.kind).front());
        });
    }
}

QString ExportController::suggestedFile(const QString& ending) const {
    return suggestedFolder() + u'/' + captureName(shown_.path()) + ending;
}

void ExportController::showDialog() {
    const QString part = partText();
    const QString metricsTitle = shown_.analysis() == nullptr ? QString()
                                 : part.isEmpty()             ? tr("All metrics of the run")
                                                              : tr("All metrics (%1)").arg(part);
    auto* dialog = new ExportDialog(exportables(*parts_.window), metricsTitle, parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::metricsWanted, this, &ExportController::chooseMetricsFile);
    connect(dialog, &ExportDialog::wanted, this, &ExportController::chooseFile);
    dialog->open();
}

void ExportController::chooseMetricsFile() {
    const QString file = QFileDialog::getSaveFileName(
        parts_.window, tr("Export metrics"),
        suggestedFile(partText().isEmpty() ? u"-metrics.csv"_s : u"-part-metrics.csv"_s), tr("CSV (*.csv)"));
    if (file.isEmpty())
        return;
    tellWritten(file, exportMetrics(file), partText());
}

void ExportController::chooseTraceFile() {
    const QString file =
        QFileDialog::getSaveFileName(parts_.window, tr("Export trace for Perfetto"), suggestedFile(u".json.gz"_s),
                                     tr("Chrome trace (*.json.gz *.json);;Perfetto trace (*.pftrace)"));
    if (!file.isEmpty())
        exportTrace(file);
}

void ExportController::chooseReportFile() {
    const QString part = reportPart();
    const QString file =
        chosenReport(parts_.window, part.isEmpty() ? tr("Save report") : tr("Save report (only %1)").arg(part),
                     suggestedFile(part.isEmpty() ? u"-report.html"_s : u"-part-report.html"_s),
                     {tr("Web page (*.html)"), tr("Workbook (*.xlsx)"), tr("Markdown (*.md)")});
    if (!file.isEmpty())
        saveReport(file);
}

void ExportController::chooseStudyFile() {
    const QString file =
        chosenReport(parts_.window, tr("Save report of the study"), suggestedFolder() + u"/study.html"_s,
                     {tr("Web page (*.html)"), tr("Workbook (*.xlsx)"), tr("CSV (*.csv)"), tr("JSON (*.json)")});
    if (!file.isEmpty())
        saveStudy(file);
}

void ExportController::chooseFile(const Exportable& item, const QString& filter) {
    QString chosen = filter;
    QString file = QFileDialog::getSaveFileName(
        parts_.window, tr("Export %1").arg(item.title),
        suggestedFile(u'-' + QString(item.title).toLower().replace(u' ', u'-') + endingOf(filter)),
        exportFilters(item.kind).join(u";;"_s), &chosen);
    if (file.isEmpty())
        return;
    if (QFileInfo(file).suffix().isEmpty())
        file += endingOf(chosen);
    tellWritten(file, exportTo(item, file));
}

void ExportController::tellWritten(const QString& file, const QString& problem, const QString& part) const {
    if (problem.isEmpty())
        parts_.saved(file, part);
    else
        parts_.fail(problem);
}

QString ExportController::exportMetrics(const QString& file) const {
    const std::shared_ptr<const AnalysedRun> shown = shown_.analysis();
    if (!shown)
        return tr("Nothing to export yet: open a run first.");
    AnalysedRun named = *shown;
    sayPart(named);
    const auto written = write_whole_file(file.toStdString(), metrics_csv({&named, 1}));
    return written ? QString() : messageText(written.error().message);
}

QStringList ExportController::pathsOnScreen() const {
    const QStringList compared = parts_.comparison->paths();
    return compared.contains(shown_.path()) ? compared : QStringList{shown_.path()};
}

bool ExportController::hasReport() const {
    return study_.isShown() ? study_.study().has_value() : !analysedForReport().empty();
}

bool ExportController::reportHasRange() const {
    return !parts_.view.usedRanges().empty() && !parts_.comparePage->isVisible();
}

std::vector<std::shared_ptr<const AnalysedRun>> ExportController::analysedForReport() const {
    std::vector<std::shared_ptr<const AnalysedRun>> runs;
    if (reportHasRange())
        runs.push_back(shown_.analysis());
    else
        for (const QString& path : pathsOnScreen())
            runs.push_back(parts_.library->at(path).analysed);
    std::erase(runs, nullptr);
    return runs;
}

QString ExportController::partText() const {
    const std::shared_ptr<const AnalysedRun> shown = shown_.analysis();
    if (!shown)
        return {};
    const Selection& selection = shown->analysis->selection();
    std::optional<TimeRange> range = selection.time;
    if (!parts_.view.usedRanges().empty()) { // as the line above the screens has it
        const TimeNs first = parts_.view.run()->span.begin;
        range = {parts_.view.usedRanges().back().begin - first, parts_.view.usedRanges().back().end - first};
    }
    const QString times = range ? timeRangeText(*range) : QString();
    const QString steps = stepRuns(selection);
    return steps.isEmpty()   ? times.isEmpty() ? QString() : tr("range %1").arg(times)
             : times.isEmpty() ? tr("steps %1").arg(steps)
                             : tr("range %1, steps %2").arg(times, steps);
}

/// Compare is saved whole, whatever range is in use.
QString ExportController::reportPart() const {
    return reportHasRange() || parts_.view.usedRanges().empty() ? partText() : QString();
}

void ExportController::saveReport(const QString& file) {
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending != "html"_L1 && ending != "htm"_L1 && ending != "xlsx"_L1 && ending != "md"_L1)
        return parts_.fail(tr("%1: a report is written as .html, .xlsx or .md.").arg(file));
    std::vector<AnalysedRun> analysed;
    for (const auto& run : analysedForReport())
        analysed.push_back(*run);
    if (analysed.empty())
        return parts_.fail(tr("Nothing to save yet: the analysis is not done."));
    const QString part = reportPart();
    exporting_.run(
        kReport,
        [analysed = std::move(analysed), path = file.toStdString(), ending](const std::stop_token&) -> Result<void> {
            std::vector<AnalysedRun> runs = analysed;
            relate_runs(runs);
            std::ranges::for_each(runs, sayPart);
            if (ending == "xlsx"_L1)
                return write_workbook(path, run_sheets(runs, {}));
            return write_whole_file(path,
                                    ending == "md"_L1 ? as_markdown(short_report(runs, {})) : html_report(runs, {}));
        },
        [this, file, part](const Result<void>& written) {
            tellWritten(file, written ? QString() : messageText(written.error().message), part);
        },
        [this](const QString& reason) { parts_.fail(reason); });
}

void ExportController::saveStudy(const QString& file) {
    const QString ending = QFileInfo(file).suffix().toLower();
    if (!QStringList{u"html"_s, u"htm"_s, u"xlsx"_s, u"csv"_s, u"json"_s}.contains(ending))
        return parts_.fail(tr("%1: a study is written as .html, .xlsx, .csv or .json.").arg(file));
    if (!study_.study())
        return parts_.fail(tr("Nothing to save yet: the study has no runs."));
    exporting_.run(
        kReport,
        [study = *study_.study(), path = file.toStdString(), ending](const std::stop_token&) {
            return writeStudy(study, path, ending);
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
        const auto& shown = shown_.entry().analysed;
        const TimeNs first = shown ? shown->analysis->first_event() : parts_.view.run()->span.begin;
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
