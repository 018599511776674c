# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of a run whose effect is known without any model."""
import json
import random
import re
from dataclasses import replace

from traces import (FLOW_PHASES, Event, RankFile, Run, correlation, end, is_gpu, is_gpu_work, is_mark, is_runtime, is_span, marks,
                    on_device, step_number)

DAY_US = 86_400_000_000
FRAME = "train.py(42): train_step"
LAYER = "renamed::"
COLLECTIVE_ARGUMENTS = ("Collective name", "In msg nelems", "Out msg nelems", "Group size", "dtype", "In split size", "Out split size",
                        "Process Group Name", "Process Group Description", "Process Group Ranks", "Seq", "Rank")


def moved(event: Event, by_us: float) -> Event:
    return {**event, "ts": event["ts"] + by_us} if "ts" in event and event.get("ph") != "M" else event


def later(run: Run, number: int, by_us: float) -> Run:
    """The clock of one rank."""
    return run.map_rank(number, lambda rank: [moved(event, by_us) for event in rank.events])


def a_day_later(run: Run) -> Run:
    return run.map(lambda rank: [moved(event, DAY_US) for event in rank.events])


def first_time(run: Run) -> float:
    return min(event["ts"] for rank in run.ranks for event in rank.events if is_span(event))


def stretched(events: list[Event], times: float, from_us: float) -> list[Event]:
    """In whole nanoseconds; whole microseconds stay whole."""
    from_ns = round(from_us * 1000)

    def at(time_ns: int, whole_us: bool) -> int:
        moved_ns = from_ns + round((time_ns - from_ns) * times)
        return round(moved_ns / 1000) * 1000 if whole_us else moved_ns

    def one(event: Event) -> Event:
        if "ts" not in event or event.get("ph") == "M":
            return event
        whole_us = isinstance(event["ts"], int)
        begin_ns = round(event["ts"] * 1000)
        new_begin_ns = at(begin_ns, whole_us)
        longer = {**event, "ts": new_begin_ns // 1000 if whole_us else new_begin_ns / 1000}
        if "dur" in event:
            length_ns = at(begin_ns + round(event["dur"] * 1000), whole_us) - new_begin_ns
            longer["dur"] = length_ns // 1000 if whole_us else length_ns / 1000
        return longer
    return [one(event) for event in events]


def drifting(run: Run, number: int, ppm: float) -> Run:
    begin = first_time(run)
    return run.map_rank(number, lambda rank: stretched(rank.events, 1 + ppm * 1e-6, begin))


def twice_as_slow(run: Run) -> Run:
    begin = first_time(run)
    return run.map(lambda rank: stretched(rank.events, 2, begin))


def renamed_files(run: Run) -> Run:
    names = [f"{chr(ord('a') + i)}.json" for i in range(len(run.ranks))]
    random.Random(1).shuffle(names)
    return replace(run, ranks=[replace(rank, name=name) for rank, name in zip(run.ranks, names)])


def shuffled_events(run: Run) -> Run:
    def shuffle(rank: RankFile) -> list[Event]:
        events = list(rank.events)
        random.Random(rank.rank).shuffle(events)
        return events
    return run.map(shuffle)


def renamed_kernels(run: Run) -> Run:
    """Each name of a kernel of the program gets a namespace, wherever it stands; so its class stays what it is."""
    def new_name(name: str) -> str:
        return re.sub(r"^(void )?", lambda match: (match[1] or "") + LAYER, name, count=1)

    def one(event: Event) -> Event:
        if event.get("cat") == "kernel" and not event["name"].startswith("nccl"):
            return {**event, "name": new_name(event["name"])}
        args = event.get("args", {})
        if is_runtime(event) and "kernel" in args and not args["kernel"].startswith("nccl"):
            return {**event, "args": {**args, "kernel": new_name(args["kernel"])}}
        return event
    return run.map(lambda rank: [one(event) for event in rank.events])


def renumbered(run: Run, new: dict[int, int]) -> Run:
    """Other numbers for the ranks. Each keeps its GPU."""
    def header(rank: RankFile) -> dict:
        copy = json.loads(json.dumps(rank.header))
        copy["distributedInfo"]["rank"] = new[rank.rank]
        return copy
    return replace(run, ranks=sorted((replace(rank, header=header(rank)) for rank in run.ranks), key=lambda rank: rank.rank))


def on_device_0(run: Run) -> Run:
    return run.map(lambda rank: [on_device(event, 0) for event in rank.events if event.get("ph") != "M"])


def without_process_names(run: Run) -> Run:
    return run.map(lambda rank: [event for event in rank.events if event.get("ph") != "M"])


def with_python_layer(run: Run) -> Run:
    """One frame on each thread of the host, around each of its steps."""
    def add(rank: RankFile) -> list[Event]:
        frames = []
        for i, mark in enumerate(marks(rank.events)):
            frames.append({"ph": "X", "cat": "python_function", "name": FRAME, "pid": mark["pid"], "tid": mark["tid"], "ts": mark["ts"],
                           "dur": mark["dur"], "args": {"Python id": i + 1, "Python parent id": None}})
        return frames + rank.events
    return run.map(add)


def without_rank(run: Run, number: int) -> Run:
    return replace(run, ranks=[rank for rank in run.ranks if rank.rank != number])


def without_marks(run: Run) -> Run:
    return run.map(lambda rank: [event for event in rank.events if not is_mark(event)])


def without_collective_arguments(run: Run) -> Run:
    def one(event: Event) -> Event:
        args = event.get("args", {})
        if "Collective name" not in args:
            return event
        return {**event, "args": {key: value for key, value in args.items() if key not in COLLECTIVE_ARGUMENTS}}
    return run.map(lambda rank: [one(event) for event in rank.events])


def written_twice(run: Run, number: int | None = None) -> Run:
    """All events of one rank's file, or of every file, a second time."""
    return run.map(lambda rank: rank.events * (2 if number in (None, rank.rank) else 1))


def recorded_twice(run: Run) -> Run:
    """The same again as soon as each host and each GPU has done with it, with the next numbers of steps. What was launched before the
    recording is what the steps before left to do, so that it does not come again."""
    ids = 1 << 24

    def of_its_own(rank: RankFile) -> list[Event]:
        launches = {correlation(event) for event in rank.events if is_runtime(event)}
        return [event for event in rank.events if event.get("ph") != "M" and
                (not is_gpu_work(event) or correlation(event) in launches)]

    own = {rank.rank: of_its_own(rank) for rank in run.ranks}

    def length(rank: RankFile, gpu: bool) -> float:
        spans = [event for event in own[rank.rank] if is_span(event) and is_gpu(event) == gpu]
        return max(map(end, spans)) - min(event["ts"] for event in spans)

    shift = max(length(rank, gpu) for rank in run.ranks for gpu in (False, True))

    def again(event: Event) -> Event:
        event = moved(event, shift)
        if is_mark(event):
            number = int(event["name"].split("#")[1]) + len(run.steps)
            event = {**event, "name": f"ProfilerStep#{number}"}
        if event.get("ph") in FLOW_PHASES:
            event = {**event, "id": event["id"] + ids}
        args = event.get("args")
        if args:
            event = {**event, "args": {key: value + ids if key in ("correlation", "External id") and isinstance(value, int) else value
                                       for key, value in args.items()}}
        return event

    twice = run.map(lambda rank: rank.events + [again(event) for event in own[rank.rank]])
    return replace(twice, steps=run.steps + [number + len(run.steps) for number in run.steps])


def cut_inside_last_step(run: Run) -> Run:
    """The profiler was stopped in the middle: what had not ended then on the host is not recorded, nor what it would have launched."""
    def cut(rank: RankFile) -> list[Event]:
        last = marks(rank.events)[-1]
        at = last["ts"] + last["dur"] / 2
        return until(rank.events, at)
    return replace(run.map(cut), steps=run.steps[:-1])


def until(events: list[Event], time: float) -> list[Event]:
    """What ended on the host by then, and what that launched."""
    host = [event for event in events if is_span(event) and not is_gpu(event) and end(event) <= time]
    launches = {correlation(event) for event in host if is_runtime(event)}
    return host + [event for event in events if event.get("ph") == "M" or
                   (is_gpu_work(event) and correlation(event) in launches)]


def only_steps(run: Run, count: int) -> Run:
    numbers = run.steps[:count]

    def keep(rank: RankFile) -> list[Event]:
        return until(rank.events, max(end(mark) for mark in marks(rank.events) if step_number(mark) in numbers))
    return replace(run.map(keep), steps=numbers)


def held_up(run: Run, number: int, by_us: float) -> tuple[Run, float]:
    """The host of one rank stands still as each of its steps begins; its peers stay in the step's collectives until it has come.
    Nothing follows dependencies: what the rank does in the step starts later by by_us, what the peers do after the step's last
    collective by what that ends later. Returns the run and by how much a step is longer, in us."""
    events = {rank.rank: [dict(event) for event in rank.events] for rank in run.ranks}
    longer = 0.0
    for step in run.steps:
        calls = {}
        begin = {}
        for rank, own in events.items():
            mark = next(event for event in own if is_mark(event) and step_number(event) == step and not is_gpu(event))
            begin[rank] = mark["ts"]
            calls[rank] = sorted((event for event in own if event.get("cat") == "kernel" and "nccl" in event["name"]
                                  and mark["ts"] <= event["ts"] < end(mark)), key=lambda event: event["ts"])
        later_us = calls[number][0]["ts"] + by_us - max(own[0]["ts"] for own in calls.values())
        assert later_us > 0, "another rank comes later still"
        longer += later_us
        arrivals = [max(own[i]["ts"] for own in calls.values()) for i in range(len(calls[number]))]
        ends = [end(call) for call in calls[number]]
        for rank, own in events.items():
            last_end = end(calls[rank][-1])
            collectives = {id(call) for call in calls[rank]}
            after = begin[rank] + 5 if rank == number else last_end
            by = by_us if rank == number else later_us

            def moved_by(at: float) -> float:
                # Where the step's collectives are over, the rank is as late as its peers.
                return 0 if at < after else later_us if rank == number and at >= last_end else by

            for event in own:
                if "ts" not in event or event.get("ph") == "M" or id(event) in collectives:
                    continue
                end_us = end(event)
                event["ts"] += moved_by(event["ts"])
                if "dur" in event:
                    event["dur"] = end_us + moved_by(end_us) - event["ts"]
            free = 0.0
            for call, arrival, was_end in zip(calls[rank], arrivals, ends):
                begin_us = arrival + later_us if rank == number else max(call["ts"], free + 3)
                call_end = (was_end if rank == number else end(call)) + later_us
                call["ts"], call["dur"] = begin_us, call_end - begin_us
                free = call_end
    return replace(run, ranks=[rank.with_events(events[rank.rank]) for rank in run.ranks]), longer / len(run.steps)
