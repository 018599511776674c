// SPDX-License-Identifier: GPL-3.0-or-later
// A folder with several captures of one run (Kineto, Nsight Systems …) is opened as one of them: how the window tells
// them apart.
#pragma once
#include <optional>

#include <QString>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// A run as the window knows it: the path, and which of its captures; none: the one that is preferred.
struct CaptureKey {
    QString path;
    std::optional<TraceSource> source;
};

/// "/data/run" for the preferred capture, else "/data/run/::nsys"; the window's lists and sessions go by this text.
QString captureKey(const QString& path, std::optional<TraceSource> source);
CaptureKey captureOf(const QString& key);

/// "PyTorch profiler", "Nsight Systems" …
QString captureTitle(TraceSource source);
/// "run", or "run (Nsight Systems)".
QString captureName(const QString& key);

} // namespace rankscope
