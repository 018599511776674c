# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits that a run has to keep (docs/ci.md)."""
from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Optional

from . import _core
from .run import Path, Run


@dataclass(frozen=True)
class Gate:
    """What came of a gate."""

    expression: str
    passed: bool
    value: Optional[float]  #: the number, or the percent change against the baseline; None: `reason` says why
    limit: Optional[float]
    text: str  #: in words
    reason: Optional[str]


def gate(run: Run, expression: str, *, baseline: Optional[Run] = None, history: Optional[Path] = None) -> Gate:
    """Checks a run: `iter_time.avg_ms<=120`; with a baseline `iter_time<+3%`; with a history `iter_time<p95(history)+2%`.

    history: a folder of earlier runs or their digests. UsageError: a wrong expression, or one without what it needs.
    InputError: nothing in the history.
    """
    paths = [run.path] if baseline is None else [baseline.path, run.path]
    arguments = ["--batch", "--quiet", "--gate", expression]
    if history is not None:
        arguments += ["--history", os.fspath(history)]
    readings = _core.Readings([one._reading for one in (baseline, run) if one is not None])
    result = json.loads(readings.gates([*arguments, "--", *paths]))[0]
    return Gate(
        result["expression"], result["passed"], result.get("value"), result.get("limit"), result.get("text", ""),
        result.get("reason"),
    )
