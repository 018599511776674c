# SPDX-License-Identifier: GPL-3.0-or-later
"""What a fault of one rank does to a recorded run: later launches, longer kernels and their consequences.

The dependencies are those that the recording shows. A rank's host runs its launches and calls one after the other. A kernel starts after
its launch, after the work before it in its stream, and after what an event made its stream wait for. A call that waited for the GPU ends
after the work it waited for. A collective ends on each rank as long after its last member's start as it did.
A kernel that starts beside communication now, and did not, or the other way round, takes as much longer or shorter as the recording shows of
its kind. Without a fault every time is the recorded one.
"""
import bisect
import statistics
from collections import defaultdict
from dataclasses import dataclass, field, replace

from traces import Event, RankFile, Run, correlation, end, is_communication, is_gpu, is_gpu_work, is_runtime, is_span, marks, step_number

UNEXPLAINED_US = 15  # a kernel that starts that long after all it is known to wait for ...
AT_ONCE_US = 20  # ... waits for work of another stream that ended at most this long before
FEWEST = 20  # kernels beside communication, and as many without, that tell how much slower a kind of them is there
LONG_US = 50  # such kernels; shorter ones are mostly their own start
NO_SHORTER = .85  # of the median: nine of ten such kernels take at least that


@dataclass
class Fault:
    rank: int
    before_launch_us: float = 0
    kernels: float = 1  # times as long
    pause_us: float = 0  # once, in the middle of the step
    pause_in_each_us: float = 0  # in the middle of every step
    step: int | None = None  # the only one that has it; of a pause, instead of the first
    named: str = ""  # kernels with that in their names only


@dataclass(eq=False)
class Work:
    """A kernel or copy. event: as recorded; start and end: with the fault."""
    event: Event
    launch: float | None  # recorded
    stream: tuple
    call: int | None = None  # its number among the rank's collectives
    before: list["Work"] = field(default_factory=list)  # what it waits for on the GPU
    start: float = 0
    end: float | None = None  # not yet known


@dataclass
class Wait:
    """A call of the host that waits for work of the GPU, or would if that took longer."""
    event: Event
    work: Work


class Host:
    """How much later the host is, by the recorded time."""

    def __init__(self) -> None:
        self.times, self.delays = [float("-inf")], [0.0]

    def delay(self) -> float:
        return self.delays[-1]

    def set_delay(self, time: float, delay: float) -> None:
        if delay != self.delays[-1]:
            self.times.append(time)
            self.delays.append(delay)

    def at(self, time: float) -> float:
        i = bisect.bisect_right(self.times, time) - 1
        later = time + self.delays[i]
        return later if i + 1 == len(self.times) else min(later, self.times[i + 1] + self.delays[i + 1])


def kind(work: Work) -> tuple:
    return work.event["name"], str(work.event["args"].get("grid"))


def of_one_size(times: list[float]) -> bool:
    """Long enough to tell, and none of them much shorter: what disturbs a kernel makes it longer."""
    if len(times) < FEWEST:
        return False
    median = statistics.median(times)
    return median >= LONG_US and statistics.quantiles(times, n=10)[0] >= NO_SHORTER * median


def stays_on_device(copy: Work) -> bool:
    """No call waits for such a copy, though a short one may end before its call does."""
    return any(words in copy.event["name"] for words in ("DtoD", "DeviceToDevice"))


def launched_before(earlier: Work, later: Work) -> bool:
    """What has no launch in the recording was launched before it."""
    return earlier.launch is None or (later.launch is not None and earlier.launch < later.launch)


class RankModel:
    def __init__(self, rank: RankFile) -> None:
        self.number = rank.rank
        self.host = Host()
        spans = sorted((event for event in rank.events if is_span(event)), key=lambda event: event["ts"])
        calls = [event for event in spans if is_runtime(event)]
        launch = {correlation(call): call["ts"] for call in calls}
        self.works = [Work(event, launch.get(correlation(event)), (event["args"].get("device"), event["args"].get("stream")))
                      for event in spans if is_gpu_work(event)]
        self.launched = sorted((work for work in self.works if work.launch is not None), key=lambda work: work.launch)
        self.launches = sorted({work.launch for work in self.launched})
        self.collectives = [work for work in self.works if is_communication(work.event)]
        for number, work in enumerate(self.collectives):
            work.call = number
        self.add_stream_order()
        self.latency = self.latency_of_launches()
        self.add_event_waits([call["ts"] for call in calls if "StreamWaitEvent" in call["name"]])
        self.add_unexplained_waits()
        self.waits = self.waiting_calls(calls)
        self.marks = marks(rank.events)
        self.middles = [self.middle_of(mark) for mark in self.marks]

    def middle_of(self, mark: Event) -> float:
        """The launch in the middle of the step."""
        inside = [time for time in self.launches if mark["ts"] <= time < end(mark)]
        return inside[len(inside) // 2]

    def step_of(self, launch: float) -> int | None:
        return next((step_number(mark) for mark in self.marks if mark["ts"] <= launch < end(mark)), None)

    def began_beside(self, work: Work) -> bool:
        """In the recording."""
        return any(call.event["ts"] <= work.event["ts"] < end(call.event) for call in self.collectives)

    def begins_beside(self, work: Work) -> bool:
        """With the fault. A call whose end is not known yet goes on."""
        return any(call.start and call.start <= work.start and (call.end is None or work.start < call.end) for call in self.collectives)

    def add_stream_order(self) -> None:
        last: dict[tuple, Work] = {}
        for work in self.works:
            if work.stream in last:
                work.before.append(last[work.stream])
            last[work.stream] = work

    def latency_of_launches(self) -> float:
        """From a launch to the start of its work, median of those that found their stream idle: work in a queue starts later for that. Where
        none did, nothing tells: 0."""
        at_once = [work.event["ts"] - work.launch for work in self.launched if all(end(other.event) <= work.launch for other in work.before)]
        return statistics.median(at_once) if at_once else 0

    def add_event_waits(self, waits: list[float]) -> None:
        """A stream that is made to wait just before a launch waits for what was launched last in the others, if that ended in time."""
        newest: dict[tuple, Work] = {}
        seen = 0
        for work in self.launched:
            made = bisect.bisect_right(waits, work.launch)
            if made > seen:
                work.before += [other for stream, other in newest.items()
                                if stream != work.stream and end(other.event) <= work.event["ts"]]
            seen = made
            newest[work.stream] = work

    def add_unexplained_waits(self) -> None:
        """Nothing waits for what is launched after it."""
        by_end = sorted(self.works, key=lambda work: end(work.event))
        ends = [end(work.event) for work in by_end]
        for work in self.works:
            start = work.event["ts"]
            if start - self.recorded_ready(work) > UNEXPLAINED_US:
                i = bisect.bisect_right(ends, start) - 1
                if i >= 0 and start - ends[i] <= AT_ONCE_US and by_end[i].stream != work.stream and launched_before(by_end[i], work):
                    work.before.append(by_end[i])

    def waiting_calls(self, calls: list[Event]) -> list[Wait]:
        copies = {correlation(work.event): work for work in self.works}
        waits = []
        newest: dict[tuple, Work] = {}  # by stream
        last: Work | None = None  # launched
        launched = 0
        for call in calls:
            while launched < len(self.launched) and self.launched[launched].launch < call["ts"]:
                last = self.launched[launched]
                newest[last.stream] = last
                launched += 1
            awaited = None
            if "emcpy" in call["name"]:
                awaited = copies.get(correlation(call))
                if awaited is not None and "Async" in call["name"] and stays_on_device(awaited):
                    awaited = None
            elif "Synchronize" in call["name"] and last is not None:
                everything = "DeviceSynchronize" in call["name"]
                awaited = max(newest.values(), key=lambda work: end(work.event)) if everything else newest[last.stream]
            if awaited is not None and end(awaited.event) <= end(call):
                waits.append(Wait(call, awaited))
        return waits

    def recorded_ready(self, work: Work) -> float:
        """When all that it waits for had happened."""
        start = work.event["ts"]
        times = [end(other.event) if end(other.event) <= start else start for other in work.before]
        if work.launch is not None:
            times.append(work.launch + min(self.latency, start - work.launch))
        return max(times, default=start)

    def ready(self, work: Work) -> float:
        start = work.event["ts"]
        times = [other.end if end(other.event) <= start else other.start + start - other.event["ts"] for other in work.before]
        if work.launch is not None:
            times.append(self.host.at(work.launch) + min(self.latency, start - work.launch))
        return max(times, default=start)


def slowdowns(ranks: list[RankModel]) -> dict[tuple, float]:
    """How many times as long kernels take that start beside communication, by kind: medians over all ranks. Kinds of several sizes tell
    nothing."""
    times: dict[tuple, dict[bool, list[float]]] = defaultdict(lambda: {True: [], False: []})
    for rank in ranks:
        for work in rank.works:
            if work.call is None and work.event["cat"] == "kernel":
                times[kind(work)][rank.began_beside(work)].append(work.event["dur"])
    return {named: max(1, statistics.median(of[True]) / statistics.median(of[False]))
            for named, of in times.items() if of_one_size(of[True]) and of_one_size(of[False])}


class Propagation:
    def __init__(self, run: Run, fault: Fault) -> None:
        self.run, self.fault = run, fault
        self.ranks = [RankModel(rank) for rank in run.ranks]
        self.slower_beside = slowdowns(self.ranks)
        self.members: dict[int, list[Work]] = defaultdict(list)  # of each collective
        for rank in self.ranks:
            for work in rank.collectives:
                self.members[work.call].append(work)
        self.play()

    def play(self) -> None:
        """All points in the order in which they were recorded: whatever a point depends on comes before it."""
        points = []
        for r, rank in enumerate(self.ranks):
            points += [(time, 0, 0, r, time) for time in rank.launches]
            for i, work in enumerate(rank.works):
                points += [(work.event["ts"], 1, 2 * i, r, work), (max(work.event["ts"], end(work.event)), 1, 2 * i + 1, r, work)]
            points += [(end(wait.event), 2, i, r, wait) for i, wait in enumerate(rank.waits)]
        points.sort(key=lambda point: point[:4])
        for _, kind, order, r, what in points:
            rank = self.ranks[r]
            if kind == 0:
                rank.host.set_delay(what, rank.host.delay() + self.added_before(rank, what))
            elif kind == 2:
                self.wait(rank, what)
            elif order % 2 == 0:
                what.start = what.event["ts"] + rank.ready(what) - rank.recorded_ready(what)
            else:
                what.end = self.end_of(rank, what)

    def added_before(self, rank: RankModel, launch: float) -> float:
        if rank.number != self.fault.rank:
            return 0
        pause_at = rank.middles[[step_number(mark) for mark in rank.marks].index(self.fault.step) if self.fault.step else 0]
        return self.fault.before_launch_us + (self.fault.pause_us if launch == pause_at else 0) + \
            (self.fault.pause_in_each_us if launch in rank.middles else 0)

    @staticmethod
    def wait(rank: RankModel, wait: Wait) -> None:
        begin, until = wait.event["ts"], end(wait.event)
        rest = until - max(begin, end(wait.work.event))  # of the call, once there is nothing to wait for
        delay = max(rank.host.at(begin), wait.work.end) + rest - until
        by_others = rank.host.delay() if rank.host.times[-1] > begin else delay  # of threads that did not wait
        rank.host.set_delay(until, max(delay, by_others))

    def end_of(self, rank: RankModel, work: Work) -> float:
        event = work.event
        members = self.members[work.call] if work.call is not None else []
        last = max((member.event["ts"] for member in members), default=0)
        if len(members) == len(self.ranks) and last < end(event):
            return end(event) + max(member.start for member in members) - last
        # What was launched before the recording belongs to none of its steps.
        is_slower = rank.number == self.fault.rank and event["cat"] == "kernel" and work.call is None and work.launch is not None
        if is_slower and self.fault.kernels != 1:
            is_slower = self.fault.named in event["name"] and self.fault.step in (None, rank.step_of(work.launch))
        factor = self.slower_beside.get(kind(work), 1)
        if factor != 1:
            factor **= rank.begins_beside(work) - rank.began_beside(work)
        return work.start + event["dur"] * factor * (self.fault.kernels if is_slower else 1)

    def longer_us(self) -> float:
        """By how much the recording of a rank, host and GPU, mean over the ranks: as much as its steps take longer."""
        def ends(run: Run) -> float:
            return statistics.mean(max(end(event) for event in rank.events if is_span(event)) for rank in run.ranks)
        return ends(self.changed()) - ends(self.run)

    def changed(self) -> Run:
        return replace(self.run, ranks=[rank.with_events(self.moved(rank, model))
                                        for rank, model in zip(self.run.ranks, self.ranks)])

    @staticmethod
    def moved(rank: RankFile, model: RankModel) -> list[Event]:
        works = {id(work.event): work for work in model.works}
        events = []
        for event in rank.events:
            if id(event) in works:
                work = works[id(event)]
                events.append({**event, "ts": round(work.start, 3), "dur": round(work.end - work.start, 3)})
            elif is_span(event) and not is_gpu(event):
                start = model.host.at(event["ts"])
                events.append({**event, "ts": round(start, 3), "dur": round(model.host.at(end(event)) - start, 3)})
            elif event.get("ph") == "M":
                events.append(event)
        return events
