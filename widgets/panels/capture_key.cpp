// SPDX-License-Identifier: GPL-3.0-or-later
// Which capture of a run a key names.
#include "widgets/panels/capture_key.h"

#include <array>

#include <QCoreApplication>
#include <QFileInfo>

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::array kSources{
    TraceSource::kineto,          TraceSource::nsys,           TraceSource::nsys_stats, TraceSource::execution_trace,
    TraceSource::flight_recorder, TraceSource::xplane,         TraceSource::rocpd,      TraceSource::inspector,
    TraceSource::operations,      TraceSource::memory_snapshot};

QString ending(TraceSource source) {
    const std::string_view word = trace_source_word(source);
    return u"/::"_s + QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size()));
}

} // namespace

QString captureKey(const QString& path, std::optional<TraceSource> source) {
    return source ? QString(path + ending(*source)) : path;
}

CaptureKey captureOf(const QString& key) {
    for (const TraceSource source : kSources)
        if (const QString end = ending(source); key.endsWith(end))
            return {key.chopped(end.size()), source};
    return {key, std::nullopt};
}

QString captureTitle(TraceSource source) {
    switch (source) {
    case TraceSource::kineto: return QCoreApplication::translate("Captures", "PyTorch profiler");
    case TraceSource::nsys: return QCoreApplication::translate("Captures", "Nsight Systems");
    case TraceSource::nsys_stats: return QCoreApplication::translate("Captures", "nsys stats text");
    case TraceSource::digest: return QCoreApplication::translate("Captures", "digests");
    case TraceSource::flight_recorder: return QCoreApplication::translate("Captures", "Flight Recorder");
    case TraceSource::xplane: return QCoreApplication::translate("Captures", "XLA profiler");
    case TraceSource::rocpd: return QCoreApplication::translate("Captures", "ROCm profiler");
    case TraceSource::inspector: return QCoreApplication::translate("Captures", "NCCL Inspector");
    case TraceSource::operations: return QCoreApplication::translate("Captures", "operation timeline");
    case TraceSource::memory_snapshot: return QCoreApplication::translate("Captures", "memory snapshot");
    case TraceSource::execution_trace: break;
    }
    return QCoreApplication::translate("Captures", "execution trace");
}

QString captureName(const QString& key) {
    const CaptureKey capture = captureOf(key);
    const QString name = QFileInfo(capture.path).fileName();
    return capture.source ? QString(name + u" ("_s + captureTitle(*capture.source) + u')') : name;
}

} // namespace rankscope
