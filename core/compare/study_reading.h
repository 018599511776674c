// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a study from their files: each is read, measured and dropped again, so that a hundred take the memory of
// one.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/compare/study.h"
#include "core/input/load/load_run.h"
#include "core/remote/remote_wishes.h"

namespace rankscope {

/// Names that tell the runs apart: the last part of each path, or the path where two share it.
std::vector<std::string> study_labels(std::span<const std::filesystem::path> paths);

struct StudyReading {
    LoadOptions load;
    RemoteWishes remote;
    /// The part of a run that is measured. Nothing: all of it.
    std::function<Result<Selection>(const Run&)> select;
    Align align = Align::automatic;
    AnalysisRules rules;
};
/// A run for study_run(); drop it afterwards.
Result<std::shared_ptr<const RunAnalysis>> read_for_study(const StudyReading& how, const std::filesystem::path& path,
                                                          const std::stop_token& stop = {});
/// Where a folder could not be read because it holds several runs, as only its files tell: these. Else nothing.
std::vector<std::filesystem::path> runs_instead_of(const std::filesystem::path& path, const Error& error);

} // namespace rankscope
