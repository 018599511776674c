#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real report of Nsight Systems without marks of steps, in which the host of one rank pauses once.

    tests/metamorphic/nsys_pause.py --rankscope build/dev/app/rankscope --traces ../shared/traces

Rank 0 launches one message later by the pause, and rank 1, which waits in the same message, goes on later by as much: one step is
longer by the pause. The message had been launched some time before it started: for so long it now waits, and nothing recorded says
why. The headline has to name the rank, the step and the rest of the pause as the cost. The exit code is 1 if it does not.
"""
import argparse
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # the source tree stays clean
from documents import findings, run_of  # noqa: E402

REPORT = "nsys/two_h100_before.sqlite"
PAUSE_NS = 20_000_000
COST = .1  # how far the cost may be from the pause
GPU_TABLES = ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET")
HOST_TABLES = ("CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_OVERHEAD",
               "PROFILER_OVERHEAD")
A_PROCESS = 0x1000000  # ids of processes differ by that, those of threads by less


class Report:
    def __init__(self, path: Path) -> None:
        self.tables = sqlite3.connect(path)
        names = dict(self.tables.execute("select id, value from StringIds"))
        kernels = self.tables.execute("select rowid, start, end, deviceId, shortName, globalPid, correlationId "
                                      "from CUPTI_ACTIVITY_KIND_KERNEL order by start").fetchall()
        self.messages = [[k for k in kernels if k[3] == device and "nccl" in names[k[4]].lower()] for device in (0, 1)]
        self.process = [messages[0][5] for messages in self.messages]

    def of(self, rank: int, table: str) -> str | None:
        """Which rows are of the rank; None: the table is not there, or its rows are of nobody."""
        columns = [row[1] for row in self.tables.execute(f"pragma table_info({table})")]
        id_of = next((column for column in ("globalPid", "globalTid") if column in columns), None)
        low = self.process[rank]
        return f"{id_of} >= {low} and {id_of} < {low + A_PROCESS}" if id_of and "end" in columns else None

    def later(self, rank: int, table: str, from_ns: int, spanning: bool) -> None:
        """What starts from then on, and the end of what goes on then."""
        if (where := self.of(rank, table)) is None:
            return
        if spanning:
            self.tables.execute(f"update {table} set end = end + {PAUSE_NS} where {where} and start < {from_ns} and end > {from_ns}")
        self.tables.execute(f"update {table} set start = start + {PAUSE_NS}, end = end + {PAUSE_NS} where {where} and start >= {from_ns}")

    def pause(self) -> int:
        """Returns how much of the pause makes the launch late, ns."""
        late = [i for i, (own, other) in enumerate(zip(*self.messages)) if own[1] > other[1]]
        own, other = (messages[late[len(late) // 2]] for messages in self.messages)
        launch, = self.tables.execute(f"select start from CUPTI_ACTIVITY_KIND_RUNTIME where correlationId = {own[6]} and "
                                      f"{self.of(0, 'CUPTI_ACTIVITY_KIND_RUNTIME')}").fetchone()
        launched = {table: [row for row, in self.tables.execute(
            f"select work.rowid from {table} work join CUPTI_ACTIVITY_KIND_RUNTIME call on call.correlationId = work.correlationId and "
            f"call.globalTid >= {self.process[0]} and call.globalTid < {self.process[0] + A_PROCESS} where work.globalPid = {self.process[0]} "
            f"and work.start >= {launch} and call.start < {launch}")] for table in GPU_TABLES}
        for table in HOST_TABLES:
            self.later(0, table, launch, spanning=True)
            self.later(1, table, other[1], spanning=True)
        for table in GPU_TABLES:
            self.later(0, table, launch, spanning=False)
            for row in launched[table]:  # before the pause
                self.tables.execute(f"update {table} set start = start - {PAUSE_NS}, end = end - {PAUSE_NS} where rowid = {row}")
            self.later(1, table, other[1], spanning=True)
        # Its own call starts where the pause begins, and moved with the rest: it waits from there.
        self.tables.execute(f"update CUPTI_ACTIVITY_KIND_KERNEL set start = {other[1]} where rowid = {other[0]}")
        self.tables.commit()
        self.tables.close()
        return PAUSE_NS - (own[1] - launch)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rankscope", required=True)
    parser.add_argument("--traces", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rankscope_metamorphic_") as folder:
        path = Path(folder) / "paused.sqlite"
        shutil.copyfile(Path(arguments.traces) / REPORT, path)
        late_ns = Report(path).pause()
        done = subprocess.run([arguments.rankscope, "--batch", path, "--json", "--no-cache", "--quiet"], capture_output=True, text=True,
                              timeout=120, check=True)
    document = json.loads(done.stdout)
    told = findings(document)[0]
    headline = run_of(document)["summary"]
    lengths = {step["number"]: step["fill"]["step_us"] for step in run_of(document)["facts"]["by_step"]}
    longest = max(lengths, key=lengths.get)
    steps = (told.get("first_iteration"), told.get("last_iteration"))
    wrong = [] if told["ranks"] == [0] and steps == (longest, longest) else [f"step {longest} is the longest: {told['title']}"]
    cost_us = told.get("cost_us_per_affected_iteration", 0)
    if abs(cost_us * 1000 - late_ns) > COST * PAUSE_NS:
        wrong.append(f"a launch that is {late_ns / 1e6:.2f} ms late is said to cost {cost_us / 1000:.2f}")
    if told["title"] not in headline:
        wrong.append(f"the headline is another one: {headline}")
    print(f"nsys        one pause of {PAUSE_NS / 1e6:.0f} ms, no marks     {'FAILS' if wrong else 'passes'}")
    for problem in wrong:
        print(f"    {problem}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
