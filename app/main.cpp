// SPDX-License-Identifier: GPL-3.0-or-later
// The program: without a window where one is not asked for, else the window.
#include <QApplication>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <unistd.h>

#include "app/command/batch.h"
#include "app/command/headless.h"
#include "app/command/process.h"
#include "app/command/user_metric_files.h"
#include "app/settings/preferences.h"
#include "app/window/gui.h"
#include "core/base/memory_guard.h"
#include "core/input/format/memory_limit.h"
#include "core/input/load/trace_cache.h"
#include "widgets/job_pool.h"
#include "widgets/language.h"

namespace {

using namespace rankscope;

constexpr auto kNoDisplay = "no display to open a window on; without one: rankscope --batch RUN, or --batch --demo";

bool has_display() {
#if defined(Q_OS_MACOS) || defined(Q_OS_WIN)
    return true; // the desktop is no server with an address
#else
    const auto set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    return set("DISPLAY") || set("WAYLAND_DISPLAY") || set("QT_QPA_PLATFORM");
#endif
}

/// Qt aborts when the display is there by name only; this says what to do instead.
void hint_before_abort(QtMsgType type, const QMessageLogContext&, const QString& message) {
    const bool about_display = message.contains(QStringLiteral("Qt platform plugin")) ||
                               message.contains(QStringLiteral("could not connect to display"));
    if (type == QtFatalMsg && about_display) {
        print_error({Error::Code::usage, std::string(kNoDisplay)});
        std::_Exit(exit_code(Error::Code::usage));
    }
    if (!about_display)
        tell("{}\n", message.toStdString());
}

int open_window(int argc, char** argv, const Options& options, const Preferences& preferences) {
    if (!has_display())
        return fail({Error::Code::usage, std::string(kNoDisplay)});
    if (!usual_stack_here())
        return fail({Error::Code::usage, "a window needs a stack of at least 1 MB: ulimit -s 8192"_text});
    qInstallMessageHandler(hint_before_abort);
    if (preferences.scale != 100 && !qEnvironmentVariableIsSet("QT_SCALE_FACTOR"))
        qputenv("QT_SCALE_FACTOR", QByteArray::number(preferences.scale / 100.0));
    QApplication application(argc, argv);
    exempt_this_thread(); // Qt expects no refusal
    limit_memory(machine_memory() / 10 * 9);
    installLanguage(preferences.language);
    applyAppearance(preferences);
    GuiOptions gui;
    gui.paths = options.paths;
    gui.demo = options.demo;
    gui.jobs = options.jobs;
    gui.use_cache = options.use_cache;
    gui.memory_bytes = options.memory_bytes;
    gui.metrics = options.rules.metrics;
    gui.selection.iterations = options.iterations;
    if (options.time && options.time->from_session)
        return fail(
            {Error::Code::usage, "--time-range @ needs --batch; in the window drag over the time you want"_text});
    if (options.time)
        gui.selection.time = TimeRange{options.time->begin.value_or(0), options.time->end.value_or(kOpenEnd)};
    const int code = run_gui(application, gui);
    finish_cache_writes();
    // What still runs has been told to stop, and nobody waits for it: an analysis in the middle of a stretch that does
    // not look, a disk that does not answer.
    if (!JobPool::instance().waitUntilIdle(std::chrono::milliseconds(500)))
        std::_Exit(code);
    return code;
}

} // namespace

int main(int argc, char** argv) {
    prepare_process();
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const auto metrics = load_user_metrics(arguments);
    if (!metrics)
        return fail(metrics.error());
    auto options = parse_options(arguments, *metrics);
    if (!options)
        return fail(options.error());
    const Preferences preferences = loadPreferences();
    if (const auto rules = analysisRules(preferences, *metrics))
        options->rules = *rules;
    else
        print_error(rules.error()); // the built-in classes and peaks hold
    if ((options->action == Options::Action::batch || options->action == Options::Action::serve_stdio) &&
        options->rules != AnalysisRules{{}, {}, *metrics, 0}) // numbers may differ elsewhere
        tell("rankscope: notice: kernel classes, peaks or GPUs per machine of this machine's settings are in force\n");
    return options->action == Options::Action::window ? open_window(argc, argv, *options, preferences)
                                                      : run_without_window(*options);
}
