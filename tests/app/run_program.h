// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the built program as a user without a display would, and small Kineto folders with numbers worked out by hand.
#pragma once
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <functional>

namespace rankscope::test {

struct Outcome {
    int exit_code = -1; ///< -1: did not start, crashed or took more than a minute
    QByteArray out;
    QByteArray err;

    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
    /// stderr without its last newline when it is exactly one line, else nothing.
    [[nodiscard]] QByteArray only_line() const {
        return err.count('\n') == 1 && err.endsWith('\n') ? err.chopped(1) : QByteArray();
    }
};

/// No display, and a Qt platform that does not exist: a GUI application object would abort at once. No platform: none
/// is named at all.
inline Outcome run_program(const QStringList& arguments, const std::function<void()>& before_start = {},
                           const QString& platform = QStringLiteral("none_such")) {
    QProcess process;
    process.setChildProcessModifier(before_start);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("DISPLAY"));
    environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
    environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
    if (!platform.isEmpty())
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(RANKSCOPE_PROGRAM), arguments);
    Outcome outcome;
    if (process.waitForFinished(60000) && process.exitStatus() == QProcess::NormalExit)
        outcome.exit_code = process.exitCode();
    outcome.out = process.readAllStandardOutput();
    outcome.err = process.readAllStandardError();
    return outcome;
}

inline void write_file(const QString& path, const QByteArray& content) {
    QDir().mkpath(path.section(QLatin1Char('/'), 0, -2));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", qPrintable(path));
}

inline QByteArray read_file(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Trace of one rank of two: steps 4, 5, 6 of `step_us`, back to back from t = 1000 us (rank 1: 1010). In each, at
/// these offsets (us): gemm [10, 50), AllReduce [40, 70), copy [80, 85), launched at 1, 4 and 6.
inline QByteArray step_trace(int rank, int step_us = 100) {
    QByteArray events;
    const auto add = [&](const char* category, const QByteArray& name, int start, int duration,
                         const QByteArray& args) {
        events += (events.isEmpty() ? "" : ",\n") + QByteArray("{\"ph\":\"X\",\"cat\":\"") + category +
                  "\",\"name\":\"" + name + "\",\"pid\":" + (args.contains("stream") ? "0" : "77") + ",\"tid\":" +
                  (args.contains("\"stream\":20") ? "20"
                   : args.contains("stream")      ? "7"
                                                  : "77") +
                  ",\"ts\":" + QByteArray::number(start) + ",\"dur\":" + QByteArray::number(duration) + ",\"args\":{" +
                  args + "}}";
    };
    int correlation = 100;
    const auto launched = [&](const char* category, const QByteArray& name, int launch, int start, int duration,
                              int stream) {
        const QByteArray link = "\"correlation\":" + QByteArray::number(++correlation);
        add("cuda_runtime", "cudaLaunchKernel", launch, 1, link);
        add(category, name, start, duration, link + ",\"device\":0,\"stream\":" + QByteArray::number(stream));
    };
    for (int step = 4; step <= 6; ++step) {
        const int t = 1000 + 10 * rank + (step - 4) * step_us;
        add("user_annotation", "ProfilerStep#" + QByteArray::number(step), t, step_us, "");
        launched("kernel", "gemm", t + 1, t + 10, 40, 7);
        launched("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", t + 4, t + 40, 30, 20);
        launched("gpu_memcpy", "Memcpy HtoD", t + 6, t + 80, 5, 7);
    }
    return "{\"distributedInfo\":{\"rank\":" + QByteArray::number(rank) + ",\"world_size\":2},\"traceEvents\":[\n" +
           events + "\n]}\n";
}

/// Writes folder/rank0_trace.json and folder/rank1_trace.json.
inline void write_step_run(const QString& folder, int step_us = 100) {
    for (int rank = 0; rank < 2; ++rank)
        write_file(folder + QStringLiteral("/rank%1_trace.json").arg(rank), step_trace(rank, step_us));
}

} // namespace rankscope::test
