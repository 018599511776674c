# SPDX-License-Identifier: GPL-3.0-or-later
"""What changed between two runs."""
from __future__ import annotations

import copy
import functools
import json
from typing import Any, Dict, Tuple, Union

import pandas as pd

from . import _core
from .frames import csv_frame, frame
from .given import text, whole
from .run import Path, Run, open, save_arguments


class Comparison:
    """A test run beside its baseline, as docs/comparing.md explains it. Percent changes are of the baseline's value."""

    def __init__(self, baseline: Run, test: Run) -> None:
        self.baseline = baseline
        self.test = test
        self._readings = _core.Readings([baseline._reading, test._reading])

    @functools.cached_property
    def _document(self) -> Dict[str, Any]:
        document: Dict[str, Any] = json.loads(self._readings.document())
        return document

    @property
    def _json(self) -> Dict[str, Any]:
        comparison: Dict[str, Any] = self._document["comparison"][0]
        return comparison

    @property
    def comparable(self) -> bool:
        """False: the runs do not do the same work, and `verdict` says so."""
        return bool(self._json["comparability"]["comparable"])

    @property
    def verdict(self) -> str:
        """Why the runs cannot be compared; empty: they can."""
        return str(self._json["comparability"]["verdict"])

    @property
    def sentences(self) -> Tuple[str, ...]:
        """What changed in words; the first says it all."""
        return tuple(self._json["changes"].get("sentences", ()))

    @property
    def parts(self) -> pd.DataFrame:
        """What the change of an iteration's time is made of, the largest part first; index `id`.

        Columns: title, baseline_us, test_us, difference_us, cause. Empty: it cannot be explained.
        """
        columns = ["id", "title", "baseline_us", "test_us", "difference_us", "cause"]
        return pd.DataFrame(self._json["changes"].get("parts", []), columns=columns).set_index("id")

    @property
    def metrics(self) -> pd.DataFrame:
        """A row for each metric that both runs have, index `metric`, values in `unit` (docs/comparing.md).

        `baseline_bound` and `test_bound` are "at_least" or "at_most" if the run's value is a bound.
        """
        before, after = (run["metrics"] for run in self._document["runs"])
        texts = ["baseline_bound", "test_bound", "measured_otherwise", "no_interval", "not_at_equal_batches"]
        rows = [
            {
                **dict.fromkeys(texts), **values, "metric": name, "unit": before[name]["unit"],
                "baseline_bound": before[name].get("bound"), "test_bound": after[name].get("bound"),
            }
            for name, values in self._json["metrics"].items()
        ]
        columns = [
            "metric", "unit", "baseline", "test", "difference", "percent_change", "status", "baseline_spread", "test_spread",
            "interval", "per_iteration", *texts,
        ]
        return pd.DataFrame(rows, columns=columns).set_index("metric")

    @property
    def config(self) -> pd.DataFrame:
        """The settings that differ, index `key`: baseline, test (None: it has none), and metrics it may explain."""
        return pd.DataFrame(copy.deepcopy(self._json["config"]), columns=["key", "baseline", "test", "may_explain"]).set_index("key")

    @property
    def operators(self) -> pd.DataFrame:
        """What ran more or less often, or longer: the rows of ops_diff.csv (docs/cli.md), means over ranks, in µs."""
        return csv_frame(self._readings.csv("operators"), drop=("baseline", "test"))

    @property
    def modules(self) -> pd.DataFrame:
        """The same by module of the model: the rows of modules_diff.csv. Empty: no trace names modules."""
        return csv_frame(self._readings.csv("modules"), drop=("baseline", "test"))

    @property
    def document(self) -> Dict[str, Any]:
        """The JSON document of both runs, as `--batch BASELINE TEST --json` prints it. A new copy."""
        document: Dict[str, Any] = json.loads(self._readings.document())
        return document

    def report(self, columns: int = 100) -> str:
        """The answer in 40 lines, as `--batch BASELINE TEST` prints it."""
        return self._readings.report(whole(columns, "columns", 1))

    def sql(self, query: str) -> pd.DataFrame:
        """Rows of a query over both runs: column `run` is 0 for the baseline and 1 for the test (docs/sql.md)."""
        return frame(self._readings.query(text(query, "query")))

    def save(self, folder: Path, formats: str = "csv,json,xlsx,html,md") -> None:
        """Writes the files of `--batch BASELINE TEST --output` (docs/cli.md). OutputError: one cannot be written."""
        self._readings.save(save_arguments(folder, formats, self.baseline.path))

    def __repr__(self) -> str:
        return f"<rankscope.Comparison {self.baseline.name} -> {self.test.name}>"


def compare(baseline: Union[Run, Path], test: Union[Run, Path]) -> Comparison:
    """Compares two runs, or what is at two paths. InputError: one cannot be read."""
    runs = [run if isinstance(run, Run) else open(run) for run in (baseline, test)]
    return Comparison(*runs)
