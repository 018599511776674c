# SPDX-License-Identifier: GPL-3.0-or-later
"""What an analysis tells, as immutable values, each reader's own. Numbers have the names and units of the JSON document (docs/cli.md)."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional, Tuple

import pandas as pd


@dataclass(frozen=True)
class Notice:
    """A problem found in the data, or what was asked of it and is not there."""

    code: str  #: as in docs/notices.md
    message: str
    file: str  #: the file concerned; empty: none
    count: int  #: how often

    def __str__(self) -> str:
        where = f"{self.file}: " if self.file else ""
        times = f" x{self.count}" if self.count > 1 else ""
        return f"{where}{self.message} [{self.code}{times}]"


@dataclass(frozen=True)
class Metric:
    """One metric of a run. `value` is in `unit`; None: not available, and `why_not` says why."""

    id: str
    title: str
    unit: str
    better: str  #: "lower", "higher" or "none"
    value: Optional[float]
    why_not: Optional[str]
    details: Mapping[str, Any] = field(repr=False)
    bound: Optional[str] = None  #: "at_least" or "at_most": the value is a bound, and `bound_reason` says why. None: it is no bound
    bound_reason: Optional[str] = None

    @property
    def by_rank(self) -> Optional[pd.DataFrame]:
        """The details of each rank, index `rank`; units are in the names of the columns. None: it has none."""
        rows = self.details.get("per_rank")
        if not isinstance(rows, list) or not rows or not isinstance(rows[0], dict) or "rank" not in rows[0]:
            return None
        return pd.DataFrame(rows).set_index("rank")


@dataclass(frozen=True)
class FindingEvent:
    """An event that shows a finding."""

    rank: int
    name: str
    start_us: float  #: since the first event of the run
    duration_us: float


@dataclass(frozen=True)
class Finding:
    """What costs time in a step."""

    title: str  #: the finding in words
    kind: str  #: "fault" or "inherent"
    code: str  #: "straggler", "host_bound" ... (docs/finding-kinds.md)
    cause: Optional[str]
    cost_us: float  #: how much shorter a step would be without it; a bound of that if `cost_bound` is given
    share_of_step: float  #: the same, 0 to 1
    confidence: float  #: 0 to 1
    ranks: Tuple[int, ...]  #: empty: all
    group: Optional[str]  #: process group or dimension
    hidden: bool  #: other findings hide it
    events: Tuple[FindingEvent, ...] = field(repr=False)  #: the clearest first
    evidence: Mapping[str, Any] = field(repr=False)  #: its numbers, by name
    cost_bound: Optional[str] = None  #: "at_least" or "at_most": the costs and the share are bounds
    victims: Tuple[int, ...] = ()  #: ranks that pass the delay on
    first_iteration: Optional[int] = None  #: of the steps that have it; None: all have
    last_iteration: Optional[int] = None
    iterations_affected: Optional[int] = None  #: how many steps have it; None: all
    cost_us_per_affected_iteration: Optional[float] = None  #: None: all steps have it, and it is `cost_us`


@dataclass(frozen=True)
class Prediction:
    """A step without something (docs/findings.md, What if)."""

    changes: Tuple[str, ...]
    measured_us: Optional[float]
    predicted_us: Optional[float]  #: None: it cannot be predicted, and `why_not` says why
    percent_change: Optional[float]
    why_not: Optional[str]
    notes: Tuple[str, ...] = ()
    assumes: Tuple[str, ...] = ()  #: what it takes for granted
    throughput_percent_change: Optional[float] = None  #: of what a step does


@dataclass(frozen=True)
class Facts:
    """What was counted, without a model (docs/findings.md, Facts)."""

    sentences: Tuple[str, ...]
    step_is: Optional[str]  #: "profiler_step", "repetition" or "recording"
    steps: int
    machines: Optional[int]  #: None: the recording does not tell
    by_rank: pd.DataFrame = field(repr=False)  #: SQL's table fact_rank
    by_step: pd.DataFrame = field(repr=False)  #: SQL's table fact_step
    host_while_idle: pd.DataFrame = field(repr=False)  #: SQL's table fact_host


def notice_of(value: Mapping[str, Any]) -> Notice:
    return Notice(value["code"], value["message"], value.get("file", ""), value.get("count", 1))


def metric_of(name: str, value: Mapping[str, Any]) -> Metric:
    return Metric(
        name, value["title"], value["unit"], value["better"], value.get("value") if value["available"] else None,
        None if value["available"] else value.get("reason", ""), value.get("details") or {}, value.get("bound"),
        value.get("bound_reason"),
    )


def finding_of(value: Mapping[str, Any]) -> Finding:
    evidence: Dict[str, Any] = dict(value.get("evidence", {}))
    events = tuple(
        FindingEvent(event["rank"], event["name"], event["start_us"], event["duration_us"])
        for event in evidence.pop("events", [])
    )
    return Finding(
        value["title"], value["kind"], value["code"], value.get("cause"), value["cost_us_per_step"],
        value["share_of_step"], value["confidence"], tuple(value["ranks"]), value.get("group"),
        value.get("hidden", False), events, evidence, value.get("cost_bound"), tuple(value.get("victims", ())),
        value.get("first_iteration"), value.get("last_iteration"), value.get("iterations_affected"),
        value.get("cost_us_per_affected_iteration"),
    )


def prediction_of(value: Mapping[str, Any]) -> Prediction:
    return Prediction(
        tuple(value["changes"]), value.get("measured_us"), value.get("predicted_us"), value.get("percent_change"),
        value.get("unavailable"), tuple(value.get("notes", ())), tuple(value.get("assumes", ())),
        value.get("throughput_percent_change"),
    )
