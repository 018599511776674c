// SPDX-License-Identifier: GPL-3.0-or-later
// Gates as JUnit XML, which CI systems show as tests.
#pragma once
#include <span>
#include <string>

#include "core/compare/analysed_run.h"
#include "core/compare/gate.h"

namespace rankscope {

/// One test suite for each run, one test case for each gate; a gate that does not hold is a failure that says by how
/// much.
/// A run of Flight Recorder dumps has one more, "no hang", which fails where calls are open.
std::string junit_xml(std::span<const GateResult> gates, std::span<const AnalysedRun> runs = {});

} // namespace rankscope
