# SPDX-License-Identifier: GPL-3.0-or-later
"""Executes the programs of all ranks of a job event by event.

This is another machine than that of generator.py. It has a clock and a queue of events, streams that wait for streams, collectives that
spin until their last member starts, and kernels that run slower beside communication. It shares no code with Rankscope.
"""
import heapq
from collections import deque
from dataclasses import dataclass, field
from functools import partial
from typing import Callable

GPUS_PER_NODE = 8


def node_of(rank: int) -> int:
    return rank // GPUS_PER_NODE


@dataclass(eq=False, slots=True, kw_only=True)
class Call:
    """A collective or a message, as one member calls it."""
    key: tuple  # equal on all members
    members: list[int]  # of a message: source and destination
    group: list[int]
    name: str
    annotation: str
    description: str
    sent: int  # elements
    received: int
    dtype: str = "BFloat16"
    splits: tuple[str, str] = ("[]", "[]")
    is_message: bool = False


@dataclass(eq=False, slots=True, kw_only=True)
class Work:
    """GPU work and its launch. kind: gemm, memory, attention, copy or communication. Times are in µs."""
    kind: str
    name: str
    operator: str
    stream: int
    duration: float  # of communication: from the start of the last member
    waits: list["Work"]  # of the same rank, on other streams
    thread: int
    backward: str  # the autograd function that launches it, if any
    before_launch: float
    launch_cost: float
    call: Call | None = None
    end_skew: float = 0.0  # members do not end at quite the same time
    size: int = 0  # of a copy, in bytes
    host_start: float = 0.0
    host_end: float = 0.0
    launch_start: float = 0.0
    launch_end: float = 0.0
    start: float | None = None
    end: float | None = None
    left: float = 0.0  # of the duration, when the rate last changed
    rate: float = 1.0
    changed: float = 0.0
    version: int = 0  # of the planned end
    at_end: list[Callable[[], None]] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Action:
    """What the host does. kind: busy, open and close (a range), wait (for all work, or for targets), recording, step or step end."""
    kind: str
    name: str = ""
    duration: float = 0.0
    category: str = "user_annotation"
    thread: int = 0
    targets: list[Work] | None = None
    start: float = 0.0
    end: float = 0.0


Program = list[Action | Work]


class Stream:
    def __init__(self) -> None:
        self.queue: deque[Work] = deque()
        self.running: Work | None = None
        self.free = float("-inf")
        self.last_launched: Work | None = None


class Rank:
    """The state of one rank, and its history."""

    def __init__(self, number: int, program: Program):
        self.number, self.program = number, program
        self.next = 0
        self.streams: dict[int, Stream] = {}
        self.communicating = 0  # running kernels of collectives and messages
        self.awaited = 0  # work that the host waits for
        self.open: list[Action] = []
        self.recording_start = 0.0
        self.work = [item for item in program if isinstance(item, Work)]
        self.actions = [item for item in program if isinstance(item, Action)]
        self.steps = [item for item in self.actions if item.kind == "step"]


class Machine:
    """slow_down: by how much longer kernels take beside communication of their GPU, as a share."""

    def __init__(self, programs: list[Program], slow_down: float):
        self.ranks = [Rank(number, program) for number, program in enumerate(programs)]
        self.rate_beside_communication = 1 / (1 + slow_down)
        self.now = 0.0
        self.events: list[tuple[float, int, Callable[[], None]]] = []
        self.scheduled = 0
        self.started: dict[tuple, list[tuple[Rank, Work]]] = {}  # members of each call

    def at(self, time: float, action: Callable[..., None], *arguments: object) -> None:
        self.scheduled += 1  # events of the same time happen in the order in which they were scheduled
        heapq.heappush(self.events, (time, self.scheduled, partial(action, *arguments)))

    def execute(self) -> None:
        for rank in self.ranks:
            self.at(0, self.run_host, rank)
        while self.events:
            self.now, _, action = heapq.heappop(self.events)
            action()
        for rank in self.ranks:
            if rank.next < len(rank.program) or any(work.end is None for work in rank.work):
                raise RuntimeError(f"deadlock: rank {rank.number} at {rank.program[min(rank.next, len(rank.program) - 1)]}")

    def run_host(self, rank: Rank) -> None:
        """Until the next item that takes time."""
        while rank.next < len(rank.program):
            item = rank.program[rank.next]
            rank.next += 1
            if isinstance(item, Work):
                self.launch(rank, item)
                return
            if item.kind == "busy":
                item.start, item.end = self.now, self.now + item.duration
                self.at(item.end, self.run_host, rank)
                return
            if item.kind == "wait":
                self.wait(rank, item)
                return
            if item.kind in ("open", "step"):
                item.start = self.now
                rank.open.append(item)
            elif item.kind in ("close", "step end"):
                rank.open.pop().end = self.now
            elif item.kind == "recording":
                rank.recording_start = self.now

    def launch(self, rank: Rank, work: Work) -> None:
        work.host_start = self.now
        work.launch_start = self.now + work.before_launch
        work.launch_end = work.launch_start + work.launch_cost * .45 + 1.2
        work.host_end = work.launch_start + work.launch_cost + 1.6
        stream = rank.streams.setdefault(work.stream, Stream())
        stream.last_launched = work
        self.at(work.launch_end + 2.2, self.arrive, rank, stream, work)
        self.at(work.host_end, self.run_host, rank)

    def wait(self, rank: Rank, action: Action) -> None:
        targets = [stream.last_launched for stream in rank.streams.values()] if action.targets is None else action.targets
        unfinished = [work for work in targets if work.end is None]
        action.start = self.now
        rank.awaited = len(unfinished)
        if not unfinished:
            action.end = self.now + 3
            self.at(self.now + 4, self.run_host, rank)
        for work in unfinished:
            work.at_end.append(partial(self.awaited_work_ended, rank, action))

    def awaited_work_ended(self, rank: Rank, action: Action) -> None:
        rank.awaited -= 1
        if rank.awaited == 0:
            action.end = self.now + 4
            self.at(self.now + 5, self.run_host, rank)

    def arrive(self, rank: Rank, stream: Stream, work: Work) -> None:
        stream.queue.append(work)
        self.start_next(rank, stream)

    def start_next(self, rank: Rank, stream: Stream) -> None:
        """Starts the first work of the queue, or plans the next attempt."""
        if not stream.queue or stream.running:
            return
        work, earliest = stream.queue[0], stream.free
        for other in work.waits:
            if other.end is None:
                other.at_end.append(lambda: self.at(self.now + 1.6, self.start_next, rank, stream))
                return
            earliest = max(earliest, other.end + 1.6)
        if earliest > self.now + 1e-9:
            self.at(earliest, self.start_next, rank, stream)
            return
        stream.queue.popleft()
        stream.running, work.start = work, self.now
        if work.call:
            self.start_communication(rank, work)
        else:
            work.left, work.changed, work.rate = work.duration, self.now, self.rate(rank, work)
            self.plan_end(rank, work)

    def rate(self, rank: Rank, work: Work) -> float:
        return self.rate_beside_communication if rank.communicating and work.kind != "copy" else 1.0

    def start_communication(self, rank: Rank, work: Work) -> None:
        """The kernel spins until all members have started. Then all end together."""
        self.change_communicating(rank, 1)
        members = self.started.setdefault(work.call.key, [])
        members.append((rank, work))
        if len(members) == len(work.call.members):
            for member_rank, member in self.started.pop(work.call.key):
                self.at(self.now + member.duration + member.end_skew, self.end, member_rank, member, member.version)

    def change_communicating(self, rank: Rank, change: int) -> None:
        rank.communicating += change
        for stream in rank.streams.values():
            work = stream.running
            if work and not work.call and self.rate(rank, work) != work.rate:
                work.left -= (self.now - work.changed) * work.rate
                work.changed, work.rate = self.now, self.rate(rank, work)
                self.plan_end(rank, work)

    def plan_end(self, rank: Rank, work: Work) -> None:
        work.version += 1
        self.at(self.now + work.left / work.rate, self.end, rank, work, work.version)

    def end(self, rank: Rank, work: Work, version: int) -> None:
        if version != work.version:
            return  # the rate has changed since
        stream = rank.streams[work.stream]
        work.end, stream.running, stream.free = self.now, None, self.now + 1
        if work.call:
            self.change_communicating(rank, -1)
        for action in work.at_end:
            action()
        work.at_end.clear()
        self.start_next(rank, stream)


def step_time(machine: Machine) -> float:
    """Mean over ranks: from the start of the first step to the end of all work, divided by the number of steps."""
    total = 0.0
    for rank in machine.ranks:
        first = rank.steps[0].start
        start = max([first, *(work.end for work in rank.work if work.host_start < first)])
        end = max([rank.steps[-1].end, *(work.end for work in rank.work)])
        total += (end - start) / len(rank.steps)
    return total / len(machine.ranks)
