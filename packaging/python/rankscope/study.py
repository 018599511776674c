# SPDX-License-Identifier: GPL-3.0-or-later
"""Any number of runs as one series (docs/studies.md)."""
from __future__ import annotations

import glob
import json
import os
import warnings
from typing import Any, Dict, List, Sequence, Tuple, Union

import pandas as pd

from . import _program
from .errors import InputError, NoticeWarning, UsageError
from .given import path, text
from .run import Path


class Study:
    """A series of runs."""

    def __init__(self, document: Dict[str, Any], left_out: Sequence[str]) -> None:
        self._json = document
        self.left_out: Tuple[str, ...] = tuple(left_out)  #: runs that cannot be read, and why

    @property
    def note(self) -> str:
        """Says if the order is not the one asked for, or if runs have no place in it."""
        return str(self._json["note"])

    def table(self) -> pd.DataFrame:
        """A row for each run, in order: name, path, key, world_size, traced_ranks, then each metric's value.

        A metric that a run lacks is NaN. `attrs["units"]` has the units of the metrics.
        """
        rows: List[Dict[str, Any]] = []
        units: Dict[str, str] = {}
        for run in self._json["runs"]:
            row = {key: run[key] for key in ("name", "path", "key", "world_size", "traced_ranks")}
            row.update({f"{kind}_efficiency": value for kind, value in run.get("efficiency", {}).items()})
            for name, metric in run["metrics"].items():
                row[name] = metric["value"]
                units[name] = metric["unit"]
            rows.append(row)
        table = pd.DataFrame(rows)
        table.attrs["units"] = units
        return table

    @property
    def changes(self) -> pd.DataFrame:
        """Where the level of a metric changes: metric, run, order, before, after, percent_change, status, chance."""
        columns = ["metric", "run", "order", "before", "after", "percent_change", "status", "chance"]
        return pd.DataFrame(self._json["changes"], columns=columns)


def study(paths: Union[Path, List[Path]], *, by: str = "date") -> Study:
    """Reads the runs one after the other: paths, folders of runs, or a pattern such as "runs/*".

    by: "date", "world_size", "name" or a setting. A run that cannot be read is left out with a NoticeWarning, and
    listed in `left_out`. InputError: none can be read.
    """
    given = [path(one, "paths") for one in (paths if isinstance(paths, (list, tuple)) else [paths])]
    if not given:
        raise UsageError("study() needs the path of a run")
    patterns = [glob.has_magic(one) and not os.path.lexists(one) for one in given]
    found = [run for one, is_pattern in zip(given, patterns) for run in (sorted(glob.glob(one)) if is_pattern else [one])]
    if not found:
        raise InputError(f"no run at {', '.join(given)}")
    printed, lines = _program.run(["--batch", "--study", "--json", "--quiet", "--by", text(by, "by"), "--", *found])
    start = "left out: "
    left_out = [line[len(start):] for line in lines if line.startswith(start)]
    for why in left_out:
        warnings.warn(f"left out of the study: {why}", NoticeWarning, stacklevel=2)
    return Study(json.loads(printed), left_out)
