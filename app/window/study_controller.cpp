// SPDX-License-Identifier: GPL-3.0-or-later
// The Study screen's part in the window.
#include "app/window/study_controller.h"

#include <QSettings>

#include "app/settings/settings.h"
#include "app/window/screen_controller.h"
#include "app/window/window_parts.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/screens/study_screen.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr auto kStudyScreen = "study"_L1;
constexpr auto kStudyRuns = "study/runs"_L1;
constexpr auto kStudyKey = "study/order_by"_L1;
constexpr auto kStudyMetric = "study/metric"_L1;
constexpr auto kStudyAgainst = "study/against"_L1;
} // namespace

StudyController::StudyController(const WindowParts& parts, ScreenController& screens, QObject* parent)
    : QObject(parent), screen_(qobject_cast<StudyScreen*>(screens.at(kStudyScreen))) {
    connect(screen_, &StudyScreen::openRunsAsked, this,
            [this, runs = parts.runs] { screen_->addPaths(runs->runPaths()); });
    connect(
        parts.runsPanel, &RunsPanel::studyRequested, this,
        [this, &screens](const QStringList& paths) {
            screen_->addPaths(paths);
            screens.show(kStudyScreen);
        });
    connect(screen_, &StudyScreen::runActivated, this, [this](const QString& path) { Q_EMIT runWanted({path}); });
    connect(screen_, &StudyScreen::ready, this, &StudyController::studyChanged);
}

bool StudyController::isShown() const { return screen_->isVisible(); }

const std::optional<Study>& StudyController::study() const { return screen_->study(); }

void StudyController::setReading(const LoadOptions& how) { screen_->setReading(how); }

void StudyController::setRules(const AnalysisRules& rules) { screen_->setRules(rules); }

void StudyController::resume() {
    const auto settings = openSettings();
    screen_->resume({settings->value(kStudyRuns).toStringList(), settings->value(kStudyKey).toString(),
                     settings->value(kStudyMetric).toString(), settings->value(kStudyAgainst).toString()});
}

void StudyController::keep(const std::function<bool(const QString&)>& isGenerated) const {
    StudyLeft left = screen_->left();
    left.runs.removeIf(isGenerated);
    const auto settings = openSettings();
    settings->setValue(kStudyRuns, left.runs);
    settings->setValue(kStudyKey, left.key);
    settings->setValue(kStudyMetric, left.metric);
    settings->setValue(kStudyAgainst, left.against);
}

} // namespace rankscope
