// SPDX-License-Identifier: GPL-3.0-or-later
// A run that was recorded by several tools.
#include "app/window/captures.h"

#include <optional>

#include <QCryptographicHash>
#include <QSettings>

#include "app/settings/settings.h"
#include "app/window/run_header.h"
#include "app/window/run_on_screen.h"
#include "app/window/window_command.h"
#include "app/window/window_parts.h"
#include "widgets/panels/capture_key.h"
#include "widgets/panels/runs_model.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

QString captureSetting(const QString& path) {
    return u"captures/"_s +
           QString::fromLatin1(QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex());
}

} // namespace

QString rememberedCapture(const QString& path) {
    const QString key = openSettings()->value(captureSetting(path)).toString();
    return captureOf(key).path == path ? key : path;
}

void rememberCapture(const QString& key) {
    const CaptureKey capture = captureOf(key);
    if (capture.source)
        openSettings()->setValue(captureSetting(capture.path), key);
    else
        openSettings()->remove(captureSetting(capture.path));
}

CaptureController::CaptureController(WindowParts& parts, const RunOnScreen& shown, RunHeader& header, QObject* parent)
    : QObject(parent), parts_(parts), shown_(shown), header_(header) {
    connect(&header, &RunHeader::captureChosen, this, &CaptureController::open);
    connect(&header, &RunHeader::captureComparisonAsked, this, &CaptureController::compare);
}

QString CaptureController::keyOf(TraceSource source) const {
    const QString folder = captureOf(shown_.path()).path;
    const bool preferred = parts_.library->captures(folder).front() == source;
    return captureKey(folder, preferred ? std::nullopt : std::optional(source));
}

void CaptureController::open(TraceSource source) {
    if (parts_.library->captures(shown_.path()).empty())
        return;
    const QString key = keyOf(source);
    rememberCapture(key);
    parts_.runs->addCapture(key);
    Q_EMIT listChanged();
    Q_EMIT runWanted(key);
}

void CaptureController::compare() {
    QStringList keys;
    for (const TraceSource source : parts_.library->captures(shown_.path())) {
        keys << keyOf(source);
        parts_.runs->addCapture(keys.back());
    }
    Q_EMIT comparisonWanted(keys);
}

void CaptureController::addCommands() {
    const QString menu = tr("&Compare");
    const auto several = [this] { return parts_.library->captures(shown_.path()).size() > 1; };
    parts_.commands.add(separated(enabledIf(
        windowCommand(
            u"choose-capture"_s, menu, tr("Other ca&pture of this run…"), {},
            tr("The same run as another tool recorded it: PyTorch profiler, Nsight Systems, text of nsys stats"),
            [this] { header_.showCaptures(); }),
        several)));
    parts_.commands.add(
        enabledIf(windowCommand(u"compare-captures"_s, menu, tr("Compare the captures of &this run"), {},
                                tr("Put what several tools recorded of this run side by side"), [this] { compare(); }),
                  several));
}

} // namespace rankscope
