// SPDX-License-Identifier: GPL-3.0-or-later
// How the window's parts are arranged, and its file dialogs.
#include <QAction>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include "app/export_dialog.h"
#include "app/main_window.h"
#include "app/run_header.h"
#include "app/settings.h"
#include "core/report/chrome_trace.h"
#include "widgets/charts/rank_bars.h"
#include "widgets/compare/compare_page.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/panels/start_page.h"
#include "widgets/panels/used_range_bar.h"
#include "widgets/plot_export.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

void MainWindow::buildLayout() {
    auto* dock = new QDockWidget(tr("Runs"), this);
    dock->setObjectName("runs"_L1);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    runsPanel_ = new RunsPanel(runs_, dock);
    dock->setWidget(runsPanel_);
    addDockWidget(Qt::LeftDockWidgetArea, dock);
    resizeDocks({dock}, {270}, Qt::Horizontal);

    startPage_ = new StartPage;
    overview_ = new Overview;
    timeline_ = new TimelineView(&view_);
    connect(timeline_, &TimelineView::arrangementChanged, this, &MainWindow::fetchOpenedRanks);
    connect(timeline_, &TimelineView::sliceMenuAsked, this, &MainWindow::showSliceMenu);
    auto* timelinePage = new QSplitter(Qt::Vertical);
    timelinePage->addWidget(timeline_);
    timelinePage->addWidget(buildTimelinePanels());
    timelinePage->setStretchFactor(0, 3);
    timelinePage->setStretchFactor(1, 1);
    timelinePage->setChildrenCollapsible(true);
    timelinePage->setSizes({500, 190});
    timelinePage_ = timelineSplit_ = timelinePage;
    comparePage_ = new ComparePage;
    buildScreens();
    watchUnseenRanks();

    buildBookmarks();
    notices_ = new NoticesBar;
    loadBar_ = new LoadBar;
    auto* bars = new QVBoxLayout;
    bars->setContentsMargins(18, 6, 18, 4);
    bars->addWidget(loadBar_);
    bars->addWidget(notices_);
    bars->addWidget(new UsedRangeBar(&view_));
    auto* central = new QWidget;
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(header_);
    layout->addLayout(bars);
    layout->addWidget(pages_, 1);
    setCentralWidget(central);
}

QString MainWindow::lastFolder() const { return openSettings()->value("open/folder"_L1).toString(); }

void MainWindow::chooseFolder() {
    const QString path = QFileDialog::getExistingDirectory(this, tr("Open a folder of traces"), lastFolder());
    if (path.isEmpty())
        return;
    openSettings()->setValue("open/folder"_L1, QFileInfo(path).absolutePath());
    addPaths({path});
}

void MainWindow::chooseFile() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a trace file"), lastFolder(),
                                     tr("Traces (*.json *.gz *.zst *.sqlite *.nsys-rep *.csv *.txt);;All files (*)"));
    if (path.isEmpty())
        return;
    openSettings()->setValue("open/folder"_L1, QFileInfo(path).absolutePath());
    addPaths({path});
}

void MainWindow::chooseExport() {
    const QString suggested = lastFolder() + u'/' + captureName(current_) + u"-metrics.csv"_s;
    const QString file = QFileDialog::getSaveFileName(this, tr("Export metrics"), suggested, tr("CSV (*.csv)"));
    if (file.isEmpty())
        return;
    if (const QString problem = exportMetrics(file); !problem.isEmpty())
        fail(problem);
}

void MainWindow::chooseTraceExport() {
    const QString suggested = lastFolder() + u'/' + captureName(current_) + u".json.gz"_s;
    const QString file = QFileDialog::getSaveFileName(this, tr("Export trace for Perfetto"), suggested,
                                                      tr("Chrome trace (*.json.gz *.json)"));
    if (!file.isEmpty())
        exportTrace(file);
}

void MainWindow::exportTrace(const QString& file) {
    std::vector<QueryRun> runs;
    const QStringList compared = comparison_->paths();
    for (const QString& path : compared.contains(current_) ? compared : QStringList{current_})
        if (const auto analysed = library_->at(path).analysed)
            runs.push_back(
                {analysed->label.empty() ? analysed->run().name : analysed->label, analysed->role, analysed->analysis});
    if (runs.empty())
        return;
    TraceExport what;
    if (!view_.usedRanges().empty()) {
        const TimeRange used = view_.usedRanges().back();
        const TimeNs first = view_.run()->span.begin;
        what.time = TimeRange{used.begin - first, used.end - first};
    }
    exporting_.run(
        {},
        [model = std::make_shared<const QueryModel>(std::move(runs)), what, path = file.toStdString()](
            const std::stop_token& stop) { return write_chrome_trace(*model, what, path, stop); },
        [this](const Result<TraceExportCounts>& written) {
            if (!written)
                fail(QString::fromStdString(written.error().message));
        },
        [this](const QString& reason) { fail(reason); });
}

void MainWindow::showExport() {
    const bool analysed = commands_.action(u"export-metrics"_s)->isEnabled();
    auto* dialog = new ExportDialog(exportables(*this), analysed, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::metricsWanted, this, &MainWindow::chooseExport);
    connect(dialog, &ExportDialog::wanted, this, &MainWindow::chooseExportFile);
    dialog->open();
}

void MainWindow::chooseExportFile(const Exportable& item, const QString& filter) {
    const QString ending = filter.section(u"*."_s, 1).section(u')', 0, 0);
    const QString suggested = lastFolder() + u'/' + captureName(current_) + u'-' +
                              QString(item.title).toLower().replace(u' ', u'-') + u'.' + ending;
    QString chosen = filter;
    QString file = QFileDialog::getSaveFileName(this, tr("Export %1").arg(item.title), suggested,
                                                exportFilters(item.kind).join(u";;"_s), &chosen);
    if (file.isEmpty())
        return;
    if (QFileInfo(file).suffix().isEmpty())
        file += u'.' + chosen.section(u"*."_s, 1).section(u')', 0, 0);
    if (const QString problem = exportTo(item, file); !problem.isEmpty())
        fail(problem);
}

void MainWindow::addExportActions() {
    runsPanel_->tree().setProperty("notExported", true);
    markAsPlot(*timeline_, tr("Timeline"));
    markAsPlot(overview_->chart(), tr("Time of each rank"));
    for (QWidget* widget : findChildren<QWidget*>()) {
        if (exportableAt(widget).widget != widget)
            continue;
        auto* action = new QAction(tr("&Export…"), widget);
        widget->addAction(action);
        if (widget->contextMenuPolicy() == Qt::DefaultContextMenu && widget != timeline_) // it has a menu of its own
            widget->setContextMenuPolicy(Qt::ActionsContextMenu);
        connect(action, &QAction::triggered, this, [this, widget] {
            const Exportable item = exportableAt(widget);
            chooseExportFile(item, exportFilters(item.kind).front());
        });
    }
}

} // namespace rankscope
