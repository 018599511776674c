# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of multi-GPU jobs in Python: where the time goes, which rank delays the others, what changed between two runs.

    import rankscope as rs
    run = rs.open("my_run/")
    print(run.headline)
    run.ranks.sort_values("wait_caused_ns")

Tables have the names and units of SQL (`rankscope.tables()`), values those of the JSON document (docs/cli.md). Every
name of a number ends in its unit. Objects are immutable; several threads may use them, and any number of runs can be
open at once.
"""
from . import hta, tracelens
from ._core import __version__
from .causes import Why
from .comparison import Comparison, compare
from .errors import InputError, NoticeWarning, OutputError, RankscopeError, UsageError
from .events import Events
from .gates import Gate, gate
from .hangs import Hang, HangRank
from .run import Run, open, tables
from .study import Study, study
from .values import Facts, Finding, FindingEvent, Metric, Notice, Prediction

__all__ = [
    "__version__", "Comparison", "Events", "Facts", "Finding", "FindingEvent", "Gate", "Hang", "HangRank", "InputError",
    "Metric", "Notice", "NoticeWarning", "OutputError", "Prediction", "RankscopeError", "Run", "Study", "UsageError", "Why", "compare", "gate",
    "hta", "open", "study", "tables", "tracelens",
]
