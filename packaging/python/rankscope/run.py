# SPDX-License-Identifier: GPL-3.0-or-later
"""A run, and how to open it."""
from __future__ import annotations

import copy
import functools
import json
import os
import warnings
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import pandas as pd

from . import _core, _program
from .causes import AnyEvent, Why, around, no_steps, numbers_words, why
from .errors import NoticeWarning, UsageError
from .events import Events
from .frames import frame, table_columns
from .given import path as path_of, rank_number, shown as in_words, text, whole, wholes
from .hangs import Hang, hang_of
from .html import Timeline, summary
from .progress import OnProgress, ProgressLine, shown
from .values import Facts, Finding, Metric, Notice, Prediction, finding_of, metric_of, notice_of, prediction_of

Path = Union[str, "os.PathLike[str]"]

_CLASSES = ("compute", "communication", "memcpy", "memset")


def tables() -> pd.DataFrame:
    """What SQL can read: a row for each column, with table, column, type, unit and what it is."""
    rows = [
        {"table": table, "column": c["name"], "type": c["type"], "unit": c["unit"], "what": c["what"]}
        for table, columns in table_columns().items()
        for c in columns
    ]
    return pd.DataFrame(rows)


class Run:
    """A run that was read. Each analysis is computed when it is first asked for.

    A table is read again each time: keep it in a variable. They have no column `run`, but SQL has, and it is 0.
    """

    def __init__(self, reading: _core.Reading, arguments: List[str], profile_mode: Optional[str]) -> None:
        self._reading = reading
        self._arguments = arguments  #: of the command line: options, "--", path
        self._profile_mode = profile_mode
        self._readings = _core.Readings([reading])

    # What it is

    @functools.cached_property
    def _row(self) -> Dict[str, Any]:
        row: Dict[str, Any] = self.table("run").iloc[0].to_dict()
        return row

    @property
    def name(self) -> str:
        """Name of the folder or file."""
        return str(self._row["label"])

    @property
    def path(self) -> str:
        """The path that was opened."""
        return str(self._row["path"])

    @property
    def source(self) -> str:
        """"kineto", "nsys" ... (docs/inputs.md)."""
        return str(self._row["source"])

    @property
    def world_size(self) -> int:
        """Ranks of the job, recorded or not."""
        return int(self._row["world_size"])

    @functools.cached_property
    def notices(self) -> Tuple[Notice, ...]:
        """Problems found in the data."""
        return tuple(notice_of(value) for value in json.loads(self._reading.notices()))

    # What the analysis says

    @functools.cached_property
    def _json(self) -> Dict[str, Any]:
        document: Dict[str, Any] = json.loads(self._readings.document())
        return document

    @property
    def document(self) -> Dict[str, Any]:
        """The JSON document `rankscope.metrics.v1` (docs/cli.md), as `--batch --json` prints it. A new copy."""
        document: Dict[str, Any] = json.loads(self._readings.document())
        return document

    @property
    def headline(self) -> str:
        """The largest cost, what else counts, and what cannot be judged."""
        return str(self._json["runs"][0]["summary"])

    @property
    def facts(self) -> Facts:
        """What was counted: sentences, and tables by rank, by step and of the host (in ns, as in SQL)."""
        facts = self._json["runs"][0]["facts"]
        return Facts(
            tuple(facts["sentences"]), facts.get("step_is"), facts.get("steps", 0), facts.get("machines"),
            self.table("fact_rank"), self.table("fact_step"), self.table("fact_host"),
        )

    def breakdown(self, rank: Optional[int] = None, step: Optional[int] = None) -> pd.Series:
        """What fills a step: of all ranks and steps on mean, of one rank, or of one step.

        Eight parts in µs, whose names end in `_us`; they sum up to the step. Empty: there is no GPU work.
        UsageError: the rank or step has no facts, or both are given.
        """
        facts = self._json["runs"][0]["facts"]
        if rank is not None and step is not None:
            raise UsageError("breakdown() takes a rank or a step, not both")
        found = facts
        if rank is not None:
            found = _the_one(facts.get("by_rank", []), "rank", rank_number(rank))
        elif step is not None:
            found = _the_one(facts.get("by_step", []), "number", whole(step, "step"))
        fill = {name: value for name, value in (found.get("fill") or {}).items() if name != "step_us"}
        return pd.Series(fill, name="us", dtype="float64")

    @property
    def findings(self) -> Tuple[Finding, ...]:
        """What costs time (docs/findings.md). The first costs most in a step that has it.

        So a fault of some steps may stand before one that costs more on the mean of all (`cost_us`). Clocks that do not
        fit are before all others, hidden findings after them, uneven stages before the bubbles that they make.
        """
        return tuple(finding_of(copy.deepcopy(value)) for value in self._json["findings"])

    @property
    def hang(self) -> Optional[Hang]:
        """Who is to blame, of a job that hangs: `hang.culprits`, `hang.waiting`. None: the run has no Flight Recorder dumps."""
        value = self._json["runs"][0].get("hang")
        return None if value is None else hang_of(copy.deepcopy(value))

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """By id, as `rankscope --list-metrics` lists them (docs/metrics.md)."""
        return _Metrics(self._json["runs"][0]["metrics"])

    def what_if(self, *changes: str) -> Prediction:
        """A step with these changes, such as "straggler=median" (docs/findings.md, What if).

        Several are predicted together. UsageError: not a change.
        """
        if not changes:
            raise UsageError("what_if() needs a change, such as straggler=median")
        arguments = [argument for change in changes for argument in ("--what-if", text(change, "a change"))]
        predictions = json.loads(self._reading.predict(self._arguments[:1] + arguments + self._arguments[1:]))
        return prediction_of(predictions[-1])

    # Tables

    def sql(self, query: str) -> pd.DataFrame:
        """The rows of one query (docs/sql.md), as many as there are.

        Integers are int64, with missing values Int64; reals float64; texts str, or None. UsageError: a wrong query.
        """
        return frame(self._readings.query(text(query, "query")))

    def table(self, name: str) -> pd.DataFrame:
        """A whole table of SQL without its column `run`. `attrs["units"]` has the units by column.

        UsageError: there is no such table.
        """
        columns = table_columns().get(text(name, "name"))
        if columns is None:
            raise UsageError(f"no table {name}; rankscope.tables() lists them")
        names = [column["name"] for column in columns if column["name"] != "run"]
        return frame(self._readings.table(name, names), name)

    @property
    def ranks(self) -> pd.DataFrame:
        """A row for each rank with a trace: its GPU's time, and its part in waits."""
        return self.table("rank")

    @property
    def steps(self) -> pd.DataFrame:
        """A row for each rank and profiler step, with the GPU work that was launched in it. Empty: none were recorded."""
        return self.table("step")

    @property
    def iterations(self) -> pd.DataFrame:
        """A row for each step: what fills it, on mean of its ranks.

        Without profiler steps they are those of work that repeats, or the recording is one.
        """
        return self.table("fact_step")

    @property
    def collectives(self) -> pd.DataFrame:
        """A row for each collective call and message of all ranks."""
        return self.table("collective")

    @property
    def kernels(self) -> pd.DataFrame:
        """A row for each kernel of all ranks. Copies and sets of memory are in `table("event")`."""
        return self.table("kernel")

    @property
    def operators(self) -> pd.DataFrame:
        """A row for each call of an operator of the framework."""
        return self.table("operator")

    @property
    def lanes(self) -> pd.DataFrame:
        """A row for each stream and thread."""
        return self.table("lane")

    def events(self, rank: int, lane: Union[int, str]) -> Events:
        """The events of one lane as NumPy columns.

        lane: its number, its name ("stream 7"), or a class of GPU work ("compute", "communication", "memcpy",
        "memset"), for the stream that has most time of it. UsageError: no such rank or lane.
        """
        rank = rank_number(rank)
        number = self._lane_of(rank, lane) if isinstance(lane, str) else whole(lane, "lane", 0)
        return Events(self._reading, self._readings, rank, number)

    def _lane_of(self, rank: int, lane: str) -> int:
        quoted = lane.replace("'", "''")
        found = self.sql(f"select lane from lane where rank = {rank} and name = '{quoted}'")
        if found.empty and lane in _CLASSES:
            found = self.sql(
                f"select lane from event where rank = {rank} and class = '{lane}' "
                "group by lane order by sum(dur_ns) desc limit 1"
            )
        if found.empty:
            raise UsageError(f"rank {rank} has no lane {lane}; lanes lists them")
        return int(found["lane"].iloc[0])

    # Why

    def why(self, step: int, rank: int) -> Why:
        """Why a step of a rank takes so long: its critical path, the rank's waits and who came last, and its peers.

        UsageError: the rank has no such step; the message says which it has.
        """
        return why(self, whole(step, "step"), rank_number(rank))

    def around(self, event: AnyEvent, pad_us: float = 0) -> pd.DataFrame:
        """What overlaps an event on any rank and lane: rows of SQL's table event.

        event: an id, a row of a table of events, or an event of a finding. pad_us: so much before and after it as well.
        UsageError: there is no such event.
        """
        return around(self, event, pad_us)

    # To keep

    def save(self, folder: Path, formats: str = "csv,json,xlsx,html,md") -> None:
        """Writes the files of `--output` (docs/cli.md) into the folder. OutputError: one cannot be written."""
        self._readings.save(save_arguments(folder, formats, self.path))

    def export_trace(self, file: Path, *, ranks: Optional[str] = None, lanes: Optional[str] = None) -> None:
        """Writes all ranks as one trace for Perfetto: FILE.pftrace, or FILE.json or FILE.json.gz.

        ranks: "0-3,7"; lanes: a regular expression. OutputError: it cannot be written.
        """
        options = {"--export-trace": path_of(file, "file"), "--export-ranks": ranks, "--export-lanes": lanes}
        self._readings.export_trace(_arguments(self.path, options, {}))

    def digest(self, folder: Path) -> None:
        """Writes a small digest of each rank, which opens like a run (docs/large-runs.md).

        It reads the run again, all of it, whatever part was opened.
        """
        mode = [] if self._profile_mode is None else ["--profile-mode", self._profile_mode]
        _program.run(["--batch", "--quiet", *mode, "--digest", path_of(folder, "folder"), "--", self._arguments[-1]])

    # To look at

    def report(self, columns: int = 100) -> str:
        """The answer in 40 lines, as `--batch` prints it."""
        return self._readings.report(whole(columns, "columns", 1))

    def timeline(self, steps: Optional[Sequence[int]] = None, height: int = 640) -> Timeline:
        """The interactive timeline of these steps; by default of whole steps from the first one on.

        height: of the notebook's cell, in pixels. UsageError: one of the steps is not among `Run.steps`.
        """
        height = whole(height, "height", 1)
        if steps is None:
            return Timeline(self._readings.timeline(None), height)
        wanted = wholes(steps, "steps")
        table = self.steps
        chosen = table[table["step"].isin(wanted)]
        if table.empty:
            raise UsageError(no_steps(self))
        if not wanted:
            raise UsageError("timeline() needs a step; without steps= it shows the first ones")
        if missing := sorted(set(wanted) - set(chosen["step"])):
            raise UsageError(f"no step {', '.join(map(str, missing))}; there are steps {numbers_words(table['step'])}")
        end = (chosen["start_ns"] + chosen["dur_ns"].fillna(chosen["gpu_total_ns"])).max()
        return Timeline(self._readings.timeline((int(chosen["start_ns"].min()), int(end))), height)

    def _repr_html_(self) -> str:
        return summary(self.name, self.headline, self.breakdown(), self.findings)

    def __repr__(self) -> str:
        return f"<rankscope.Run {self.name}: {self._row['ranks']} ranks, {self._row['events']} events>"


def save_arguments(folder: Path, formats: str, path: str) -> List[str]:
    """Of --output."""
    return _arguments(path, {"--output": path_of(folder, "folder"), "--format": text(formats, "formats")}, {})


class _Metrics(Mapping[str, Metric]):
    """Makes each metric anew from the document, so that what one reader does with its details is not seen by others."""

    def __init__(self, values: Mapping[str, Mapping[str, Any]]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> Metric:
        return metric_of(name, copy.deepcopy(self._values[name]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<{len(self)} metrics: {', '.join(self)}>"


def the_run(value: Any) -> Run:
    if not isinstance(value, Run):
        raise UsageError(f"what rankscope.open() returns is needed, not {in_words(value)}")
    return value


def _the_one(rows: List[Dict[str, Any]], key: str, value: int) -> Dict[str, Any]:
    for row in rows:
        if row[key] == value:
            return row
    raise UsageError(f"there are no facts of {'rank' if key == 'rank' else 'step'} {value}")


def _arguments(path: Path, options: Mapping[str, Any], flags: Mapping[str, bool]) -> List[str]:
    """As on the command line, so that its rules and messages hold."""
    arguments = ["--batch", "--quiet"]
    for name, value in options.items():
        if value is not None:
            values = value if isinstance(value, (list, tuple)) else [value]
            arguments += [part for one in values for part in (name, str(one))]
    arguments += [name for name, given in flags.items() if given]
    return arguments + ["--", path_of(path)]


def open(  # noqa: A001 - as rs.open
    path: Path,
    *,
    iterations: Optional[str] = None,
    time_range: Optional[str] = None,
    memory: Optional[str] = None,
    profile_mode: Optional[str] = None,
    align: Optional[str] = None,
    gpus_per_machine: Optional[int] = None,
    metrics_file: Union[Path, List[Path], None] = None,
    jobs: Optional[int] = None,
    cache: bool = True,
    install_remote: bool = False,
    progress: Union[bool, OnProgress, None] = None,
) -> Run:
    """Reads a run: a folder, a file, digests, or `ssh://[user@]host[:port]/path`.

    The options are those of the command line (docs/cli.md): `iterations="4-6,9"`, `time_range="1.5s/2s"`,
    `memory="8G"`, and so on. progress: a function of (ranks read, ranks, bytes read, bytes), True for a line on
    stderr; by default there is a line in a terminal and in a notebook. Notices become warnings, once each.

    Ctrl+C ends reading. InputError: there is nothing to analyse. UsageError: an option is wrong.
    """
    if metrics_file is not None:
        files = metrics_file if isinstance(metrics_file, (list, tuple)) else [metrics_file]
        metrics_file = [path_of(file, "metrics_file") for file in files]
    options = {
        "--iterations": iterations, "--time-range": time_range, "--memory": memory, "--profile-mode": profile_mode,
        "--align": align, "--gpus-per-machine": gpus_per_machine, "--metrics-file": metrics_file, "--jobs": jobs,
    }
    arguments = _arguments(path, options, {"--no-cache": not cache, "--install-remote": install_remote})
    line = shown(progress, arguments[-1])
    try:
        run = Run(_core.open(arguments, line), arguments, profile_mode)
    finally:
        if isinstance(line, ProgressLine):
            line.close()
    for notice in run.notices:
        warnings.warn(str(notice), NoticeWarning, stacklevel=2)
    return run
