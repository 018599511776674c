// SPDX-License-Identifier: GPL-3.0-or-later
// What the user chose in Settings, as a value; where it is kept, and files to carry it elsewhere.
#pragma once
#include <vector>

#include <QString>

#include "app/settings/theme.h"
#include "core/run/analysis_rules.h"
#include "widgets/hue_set.h"
#include "widgets/language.h"
#include "widgets/timeline/glide.h"

class QSettings;

namespace rankscope {

struct Preferences {
    static constexpr int kSmallestFont = 6, kLargestFont = 32, kSmallestScale = 50, kLargestScale = 300,
                         kMostThreads = 4096, kMostMemory = 65536;

    Theme theme = Theme::system;
    Language language = Language::system; ///< holds from the next start
    HueSet hues = HueSet::okabeIto;
    Gliding gliding = Gliding::smooth;
    QString fontFamily;     ///< empty: the desktop's
    int fontSize = 0;       ///< points; 0: the desktop's
    int scale = 100;        ///< per cent; holds from the next start
    int threads = 0;        ///< while reading; 0: all cores
    int memory = 0;         ///< budget of a run, GiB; 0: the default
    int gpusPerMachine = 0; ///< of runs that do not tell; 0: not known
    std::vector<KernelClassRule> kernelClasses;
    std::vector<DevicePeak> peaks;

    bool operator==(const Preferences&) const = default;
};

/// What makes no sense there (a font of 900 points) is as if it were not there.
Preferences loadPreferences(const QSettings& settings);
Preferences loadPreferences(); ///< of this user
void storePreferences(const Preferences& preferences, QSettings& settings);

/// Kernel classes, peaks and GPUs per machine, for window and batch alike: one number has one definition. Error: one
/// line. metrics: the user's own.
Result<AnalysisRules> analysisRules(const Preferences& preferences,
                                    std::vector<std::shared_ptr<const Metric>> metrics = {});
/// Colours and font of the running application. Its first call keeps the desktop's font to go back to.
void applyAppearance(const Preferences& preferences);

/// Preferences and shortcuts in one file; neither paths nor the window's place. Return why not; empty: done.
QString exportSettings(const QString& file);
QString importSettings(const QString& file); ///< a file that exportSettings() did not write changes nothing

} // namespace rankscope
