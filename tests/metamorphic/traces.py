# SPDX-License-Identifier: GPL-3.0-or-later
"""Kineto traces of a run in memory: read, cut to some steps, copied to several ranks, written."""
import gzip
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field, replace
from pathlib import Path

Event = dict
GPU_CATEGORIES = ("kernel", "gpu_memcpy", "gpu_memset", "gpu_user_annotation")
RUNTIME_CATEGORIES = ("cuda_runtime", "cuda_driver")
FLOW_PHASES = ("s", "f", "t")


@dataclass
class RankFile:
    """The trace of one rank. Events are never changed in place: several runs share them."""
    header: dict
    events: list[Event]
    name: str = ""  # of the file; empty: by its rank

    @property
    def rank(self) -> int:
        return self.header["distributedInfo"]["rank"]

    def with_events(self, events: list[Event]) -> "RankFile":
        return replace(self, events=events)


@dataclass
class Run:
    name: str
    ranks: list[RankFile]
    steps: list[int] = field(default_factory=list)  # numbers of its profiler steps

    def map(self, change) -> "Run":
        """change: of one rank's events a new list, given the rank."""
        return replace(self, ranks=[rank.with_events(change(rank)) for rank in self.ranks])

    def map_rank(self, number: int, change) -> "Run":
        return self.map(lambda rank: change(rank) if rank.rank == number else rank.events)

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        for rank in self.ranks:
            text = json.dumps({**rank.header, "traceEvents": rank.events}, separators=(",", ":"))
            (folder / (rank.name or f"rank{rank.rank}.json")).write_text(text)


def is_span(event: Event) -> bool:
    return event.get("ph") == "X" and "dur" in event


def is_gpu(event: Event) -> bool:
    return event.get("cat") in GPU_CATEGORIES


def is_gpu_work(event: Event) -> bool:
    return is_gpu(event) and event["cat"] != "gpu_user_annotation"


def is_runtime(event: Event) -> bool:
    return event.get("cat") in RUNTIME_CATEGORIES


def is_communication(event: Event) -> bool:
    return event.get("cat") == "kernel" and event["name"].startswith("nccl")


def correlation(event: Event):
    return event.get("args", {}).get("correlation")


def step_number(event: Event) -> int | None:
    """Of the host's mark of a step; the GPU's annotation of the same name is none."""
    if is_gpu(event) or not is_span(event):
        return None
    match = re.fullmatch(r"ProfilerStep#(\d+)", event["name"])
    return int(match[1]) if match else None


def is_mark(event: Event) -> bool:
    return event.get("name", "").startswith("ProfilerStep#")


def marks(events: list[Event]) -> list[Event]:
    return sorted((event for event in events if step_number(event) is not None), key=lambda event: event["ts"])


def end(event: Event) -> float:
    return event["ts"] + event.get("dur", 0)


def read(path: Path) -> RankFile:
    if path.suffix == ".zst":
        document = json.loads(subprocess.run(["zstd", "-dcq", path], capture_output=True, check=True).stdout)
    else:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as file:
            document = json.load(file)
    events = document.pop("traceEvents")
    return RankFile(document, [event for event in events if event.get("ph") != "i" and event.get("cat") != "Trace"])


def cut_to_steps(rank: RankFile, count: int) -> RankFile:
    """What the host does in the first steps, and the GPU's work that it launches there or launched before the recording."""
    kept = marks(rank.events)[:count]
    first, last = kept[0]["ts"], end(kept[-1])
    numbers = {step_number(mark) for mark in kept}
    inside = [event for event in rank.events
              if is_span(event) and not is_gpu(event) and first <= event["ts"] and end(event) <= last and
              step_number(event) in numbers | {None}]
    later = {correlation(event) for event in rank.events if is_runtime(event)} - {correlation(event) for event in inside}
    work = [event for event in rank.events if is_gpu_work(event) and correlation(event) not in later]
    flows = {event["id"] for event in rank.events if event.get("ph") == "s" and first <= event["ts"] <= last}
    others = [event for event in rank.events if event.get("ph") == "M" or
              (event.get("ph") in FLOW_PHASES and event["id"] in flows)]
    return rank.with_events(inside + work + others)


def of_rank(rank: RankFile, number: int, world: int) -> RankFile:
    """A copy that says to be another rank, on the device of that number."""
    header = json.loads(json.dumps(rank.header))
    info = header["distributedInfo"]
    info.update(rank=number, world_size=world)
    everybody = list(range(world))
    for group in info.get("pg_config", []):
        group.update(ranks=everybody, pg_size=world)
    header.pop("deviceProperties", None)

    def copied(event: Event) -> Event:
        args = event.get("args", {})
        if "Group size" in args:
            event = {**event, "args": {**args, "Group size": world, "Process Group Ranks": str(everybody)}}
        return on_device(event, number)

    return RankFile(header, [copied(event) for event in rank.events if event.get("ph") != "M"])


def on_device(event: Event, device: int) -> Event:
    if not is_gpu(event):
        return event
    args = event.get("args", {})
    return {**event, "pid": device, "args": {**args, "device": device} if "device" in args else args}


def dlrm(traces: Path) -> Run:
    ranks = [read(path) for path in sorted((traces / "dlrm_v100_8rank").glob("*.json"))]
    return Run("dlrm", ranks, [10])


def rccl(traces: Path) -> Run:
    folder = traces / "rccl_demo" / "56cu_256threads" / "torch_profiler"
    ranks = [cut_to_steps(read(path), 3) for path in sorted(folder.glob("rank*/trace.json.gz"))]
    return Run("rccl", ranks, [15, 16, 17])


def nccl(traces: Path) -> Run:
    rank = cut_to_steps(read(traces / "nccl_a100" / "nccl_data.json.gz"), 2)
    return Run("nccl", [of_rank(rank, number, 4) for number in range(4)], [4, 5])


def trace_diff(traces: Path) -> Run:
    rank = cut_to_steps(read(traces / "trace_diff_test" / "test.json.gz"), 2)
    return Run("trace_diff", [of_rank(rank, number, 4) for number in range(4)], [1009, 1010])


def of_h200(name: str, case: str) -> Run | None:
    """Of this project's own data. None without the program zstd."""
    if shutil.which("zstd") is None:
        return None
    folder = Path(__file__).resolve().parent.parent / "data" / "real" / case
    return Run(name, [read(path) for path in sorted(folder.glob("*.json.zst"))], [2, 3, 4, 5])


def h200(_: Path) -> Run | None:
    return of_h200("h200", "healthy")


def h200_again(_: Path) -> Run | None:
    """The same program once more. In it nothing is known of rank 2's host that could explain a pause."""
    return of_h200("h200 again", "healthy_again")
