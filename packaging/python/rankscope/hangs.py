# SPDX-License-Identifier: GPL-3.0-or-later
"""A job that hangs, as immutable values: `hang` of the JSON document (docs/cli.md)."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Tuple


@dataclass(frozen=True)
class HangRank:
    """What a rank did when the job stood still."""

    rank: int
    why: str  #: in words; empty: it waits for others and is not to blame
    waits_for: Tuple[int, ...]  #: ranks that hold up its oldest open call
    waits_in: Optional[str]  #: that call: "all_reduce 52 of group 0"; None: none is open
    last_completed: Optional[str]  #: the last call that it finished; None: not recorded
    open_calls: int
    frames: Tuple[Mapping[str, Any], ...] = field(repr=False)  #: of its last call, where recorded; innermost first


@dataclass(frozen=True)
class Hang:
    """Who is to blame, of a run with Flight Recorder dumps (docs/hangs.md)."""

    outcome: str  #: "stuck", "none open" (nothing hangs) or "not known"
    stuck_in: Optional[str]  #: the call in which the job stands still: "all_reduce 52 of group 0"
    problem: Optional[str]  #: "missing", "mismatch", "stuck inside", "deadlock" or "no dump"
    culprits: Tuple[HangRank, ...]  #: proved to be at fault
    possible: Tuple[HangRank, ...]  #: nothing proves it, and nothing clears them
    victims: Tuple[HangRank, ...]  #: only wait for others
    waiting: Tuple[int, ...]  #: ranks that wait in stuck_in
    absent: Tuple[int, ...]  #: ranks that did not come to it
    deadlock: Tuple[int, ...]  #: ranks that wait for each other in a circle
    no_dump: Tuple[int, ...]  #: ranks that left no dump
    mismatches: Tuple[Mapping[str, Any], ...] = field(repr=False)  #: calls in which ranks called different things
    sentences: Tuple[str, ...] = field(repr=False)  #: all of it in words, with what to do


def _call(value: Optional[Mapping[str, Any]]) -> Optional[str]:
    if value is None:
        return None
    if "from" in value:
        return f"message {value['seq']} from rank {value['from']} to rank {value['to']} in group {value['group']}"
    return f"{value['kind'] or 'call'} {value['seq']} of group {value['group']}"


def _rank(value: Mapping[str, Any]) -> HangRank:
    return HangRank(
        value["rank"], value.get("why", ""), tuple(value["waits_for"]), _call(value["waits_in"]),
        _call(value["last_completed"]), value["open_calls"], tuple(value.get("frames", ())),
    )


def hang_of(value: Mapping[str, Any]) -> Hang:
    stuck: Mapping[str, Any] = value["first_stuck"] or {}
    culprits, possible, victims = (tuple(map(_rank, value[key])) for key in ("culprits", "possible", "victims"))
    return Hang(
        value["outcome"], _call(value["first_stuck"]), stuck.get("problem"), culprits, possible, victims,
        tuple(stuck.get("ranks", ())), tuple(stuck.get("absent", ())), tuple(value["deadlock"]), tuple(value["no_dump"]),
        tuple(value["mismatches"]), tuple(value["sentences"]),
    )
