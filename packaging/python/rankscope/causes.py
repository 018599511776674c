# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a step of a rank takes as long as it does, and what runs around an event."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Tuple, Union

import pandas as pd

from .errors import UsageError
from .frames import csv_frame
from .given import real, whole
from .values import FindingEvent

if TYPE_CHECKING:
    from .run import Run

AnyEvent = Union[int, pd.Series, FindingEvent]

_PARTS = (
    "computation_ns", "exposed_communication_ns", "waiting_ns", "exposed_memcpy_ns", "idle_ns", "gpu_total_ns", "dur_ns",
)


@dataclass(frozen=True)
class Why:
    """Three views of a step of a rank. Times of the critical path are in µs, those of tables in ns."""

    step: int
    rank: int
    by_class_us: Mapping[str, float]  #: the critical path of the step over all ranks, by class of its parts
    by_rank_us: Mapping[int, float]  #: the same by rank: which rank the step runs over
    critical_path: pd.DataFrame = field(repr=False)  #: its rows of critical_path.csv (docs/cli.md), the longest first
    waits: pd.DataFrame = field(repr=False)  #: the rank's waits in collectives, the longest first, with `last_rank`
    against_peers: pd.DataFrame = field(repr=False)  #: index part; rank_ns, peers_median_ns, difference_ns


def _or_nan(value: Any) -> float:
    """NaN where it is not known: when the last step of a serving engine ends."""
    return float("nan") if pd.isna(value) else float(value)


def why(run: Run, step: int, rank: int) -> Why:
    """See Run.why()."""
    steps = run.steps
    of_step = steps[steps["step"] == step]
    own = of_step[of_step["rank"] == rank]
    if own.empty:
        raise UsageError(_why_no_step(run, steps, step, rank))
    paths: Dict[int, Dict[str, Any]] = {path["step"]: path for path in run._json["runs"][0]["critical_path"]}
    path = paths.get(step, {})
    rows = csv_frame(run._readings.csv("critical_path"), drop=("run",))
    waits = run.sql(
        "select c.call, c.kind, c.group_name, m.event_id, m.start_ns, m.dur_ns, m.wait_ns, c.last_rank "
        "from collective_member m join collective c on c.run = m.run and c.call = m.call join event e on e.id = m.event_id "
        f"where m.rank = {rank} and e.step = {step} and m.wait_ns is not null order by m.wait_ns desc"
    )
    peers = of_step[of_step["rank"] != rank]
    table = pd.DataFrame(
        {part: {"rank_ns": _or_nan(own[part].iloc[0]), "peers_median_ns": _or_nan(peers[part].median())} for part in _PARTS}
    ).T.astype("float64")
    table.index.name = "part"
    table["difference_ns"] = table["rank_ns"] - table["peers_median_ns"]
    return Why(
        step, rank, dict(path.get("by_class_us", {})), {int(r): us for r, us in path.get("by_rank_us", {}).items()},
        rows[rows["step"] == step].reset_index(drop=True) if len(rows) else rows, waits, table,
    )


def _why_no_step(run: Run, steps: pd.DataFrame, step: int, rank: int) -> str:
    ranks = run.ranks["rank"]
    if rank not in ranks.values:
        return f"rank {rank} has no trace; there are ranks {numbers_words(ranks)}"
    if steps.empty:
        return no_steps(run)
    own = steps.loc[steps["rank"] == rank, "step"]
    if own.empty:
        return f"rank {rank} has no profiler steps"
    return f"rank {rank} has no step {step}; it has {numbers_words(own)}"


def no_steps(run: Run) -> str:
    """Why nothing can be told of a step by its number, of a run without profiler steps."""
    facts = run.facts
    if facts.step_is != "repetition":
        return "the run has no profiler steps"
    return (
        f"the run has no profiler steps: its {facts.steps} steps are work that repeats, and of these only breakdown(step) "
        "and iterations know more"
    )


def numbers_words(values: pd.Series) -> str:
    """"2 to 5, 9"."""
    stretches: List[List[int]] = []
    for value in sorted(int(value) for value in values.unique()):
        if stretches and value == stretches[-1][1] + 1:
            stretches[-1][1] = value
        else:
            stretches.append([value, value])
    words = [str(first) if first == last else f"{first} to {last}" for first, last in stretches]
    return ", ".join(words[:8] + (["and more"] if len(words) > 8 else []))


def around(run: Run, event: AnyEvent, pad_us: float) -> pd.DataFrame:
    """See Run.around()."""
    begin, end = _window(run, event)
    pad = round(real(pad_us, "pad_us") * 1000)
    columns = "rank, lane, start_ns, dur_ns, name, kind, class, depth, step, id"
    return run.sql(
        f"select {columns} from event where start_ns <= {end + pad} and end_ns >= {begin - pad} order by rank, lane, start_ns, depth"
    )


def _window(run: Run, event: AnyEvent) -> Tuple[int, int]:
    """Start and end in ns since the first event of the run: of an id, a finding's event, or a row with an id or times."""
    if isinstance(event, FindingEvent):
        begin = round(event.start_us * 1000)
        return begin, begin + round(event.duration_us * 1000)
    if isinstance(event, pd.Series) and "start_ns" in event and "dur_ns" in event:
        return int(event["start_ns"]), int(event["start_ns"] + event["dur_ns"])
    if isinstance(event, pd.Series) and "id" not in event:
        raise UsageError("the row has neither id nor start_ns and dur_ns")
    number = whole(event["id"] if isinstance(event, pd.Series) else event, "event")
    found = run.sql(f"select start_ns, end_ns from event where id = {number}")
    if found.empty:
        raise UsageError(f"no event has the id {number}")
    return int(found["start_ns"].iloc[0]), int(found["end_ns"].iloc[0])
