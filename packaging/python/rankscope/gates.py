# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits that a run has to keep (docs/ci.md)."""
from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import List, Optional

from . import _core
from .errors import UsageError
from .given import path, text
from .run import Path, Run, the_run


_FURTHER = ("baseline", "test", "interval_percent", "within_interval", "of_common_part", "history_runs", "per_iteration", "bound")


@dataclass(frozen=True)
class Gate:
    """What came of a gate."""

    expression: str
    passed: bool
    value: Optional[float]  #: the number, or the percent change against the baseline; None: `reason` says why
    limit: Optional[float]  #: None: no run of the history gives one
    text: str  #: in words
    reason: Optional[str]
    baseline: Optional[float] = None  #: the numbers that the percent change is of
    test: Optional[float] = None
    interval_percent: Optional[float] = None  #: half of the 95 % interval of the change
    within_interval: Optional[bool] = None  #: the change may be noise; this does not change `passed`
    of_common_part: Optional[bool] = None  #: the numbers are of the ranks and steps that both runs have
    history_runs: Optional[int] = None  #: runs of the history that the limit is of
    per_iteration: Optional[bool] = None  #: of a history: value and limit are what an iteration has
    bound: Optional[str] = None  #: "at_least" or "at_most": the value is a bound


def gate(run: Run, expression: str, *, baseline: Optional[Run] = None, history: Optional[Path] = None) -> Gate:
    """Checks a run: `iter_time.avg_ms<=120`; with a baseline `iter_time<+3%`; with a history `iter_time<p95(history)+2%`.

    history: a folder of earlier runs or their digests. The options with which the run was opened hold for them as well.
    UsageError: a wrong expression, or one without what it needs. InputError: nothing in the history.
    """
    runs = [the_run(run)] if baseline is None else [the_run(baseline), the_run(run)]
    _check_metric(text(expression, "expression"), runs)
    arguments = [*run._arguments[:-2], "--gate", expression]
    if history is not None:
        arguments += ["--history", path(history, "history")]
    readings = _core.Readings([one._reading for one in runs])
    result = json.loads(readings.gates([*arguments, "--", *(one.path for one in runs)]))[0]
    return Gate(
        result["expression"], result["passed"], result.get("value"),
        None if result.get("history_runs") == 0 else result.get("limit"), result.get("text", ""), result.get("reason"),
        *map(result.get, _FURTHER),
    )


def _check_metric(expression: str, runs: List[Run]) -> None:
    """A metric of metrics_file that the baseline was opened without."""
    metric = re.split(r"[.<>=\s]", expression.strip())[0]
    if len(runs) > 1 and metric in runs[-1].metrics and metric not in runs[0].metrics:
        raise UsageError(f"the baseline was opened without {metric}; open both runs with the same metrics_file")
