// SPDX-License-Identifier: GPL-3.0-or-later
// A run that was recorded by several tools: which capture is on screen, the others, and all of them side by side.
#include <algorithm>
#include <optional>

#include <QCryptographicHash>
#include <QSettings>

#include "app/main_window.h"
#include "app/run_header.h"
#include "app/run_library.h"
#include "app/settings.h"
#include "widgets/panels/runs_model.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

QString settingOf(const QString& path) {
    return u"captures/"_s +
           QString::fromLatin1(QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex());
}

} // namespace

QString MainWindow::rememberedCapture(const QString& path) {
    const QString key = openSettings()->value(settingOf(path)).toString();
    return captureOf(key).path == path ? key : path;
}

void MainWindow::rememberCapture(const QString& key) {
    const CaptureKey capture = captureOf(key);
    if (capture.source)
        openSettings()->setValue(settingOf(capture.path), key);
    else
        openSettings()->remove(settingOf(capture.path));
}

QString MainWindow::keyOfCapture(const QString& path, TraceSource source) const {
    const QString folder = captureOf(path).path;
    const bool preferred = library_->captures(folder).front() == source;
    return captureKey(folder, preferred ? std::nullopt : std::optional(source));
}

void MainWindow::openCapture(TraceSource source) {
    if (library_->captures(current_).empty())
        return;
    const QString key = keyOfCapture(current_, source);
    rememberCapture(key);
    runs_->addCapture(key);
    offerComparison();
    openRun(key);
}

void MainWindow::compareCaptures() {
    QStringList keys;
    for (const TraceSource source : library_->captures(current_)) {
        keys << keyOfCapture(current_, source);
        runs_->addCapture(keys.back());
    }
    compareRuns(keys);
}

void MainWindow::addCaptureCommands() {
    const QString menu = tr("&Compare");
    const auto several = [this] { return library_->captures(current_).size() > 1; };
    Command other{u"choose-capture"_s,
                  menu,
                  tr("Other ca&pture of this run…"),
                  {},
                  tr("The same run as another tool recorded it: PyTorch profiler, Nsight Systems, text of nsys stats"),
                  [this] { header_->showCaptures(); }};
    other.enabled = several;
    other.separated = true;
    commands_.add(std::move(other));
    Command compare{u"compare-captures"_s,
                    menu,
                    tr("Compare the captures of &this run"),
                    {},
                    tr("Put what several tools recorded of this run side by side"),
                    [this] { compareCaptures(); }};
    compare.enabled = several;
    commands_.add(std::move(compare));
    connect(header_, &RunHeader::captureChosen, this, &MainWindow::openCapture);
    connect(header_, &RunHeader::captureComparisonAsked, this, &MainWindow::compareCaptures);
}

/// What the notices of a run say in the window, where no option is typed.
std::vector<Notice> MainWindow::noticesOf(const Run& run) {
    std::vector<Notice> notices = run.notices;
    for (Notice& notice : notices)
        if (notice.code == "several_sources")
            notice.message = notice.message.substr(0, notice.message.find("; --profile-mode")) +
                             tr("; the button beside the run's name opens them").toStdString();
    return notices;
}

} // namespace rankscope
