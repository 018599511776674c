#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Real runs, changed by hand so that the effect is known, compared with the original:
comparisons.py PROGRAM TRACES [CASE...]

It shares nothing with the program: a trace is JSON, and what changed is told by moving events in it. Exit code 77:
skipped, because the traces are not there."""
import bisect
import concurrent.futures
import copy
import gzip
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

GPU = ("kernel", "gpu_memcpy", "gpu_memset")
STEP = "ProfilerStep#"


class Job:
    """The traces of a run by rank, in memory; times are us."""

    def __init__(self, traces, form):
        self.traces = traces
        self.form = form  # of a file's name, with {} for the rank
        self.extra = {}   # other files of the folder: name -> text

    @staticmethod
    def read(folder, form, pattern):
        traces = {}
        for path in sorted(pathlib.Path(folder).glob(pattern)):
            with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as file:
                trace = json.load(file)
            traces[trace["distributedInfo"]["rank"]] = trace
        return Job(traces, form)

    def changed(self, ranks=None):
        """A copy of which these ranks, or all, may be changed."""
        def own(rank):
            return ranks is None or rank in ranks
        job = Job({rank: dict(trace, traceEvents=[dict(event) for event in trace["traceEvents"]]) if own(rank)
                   else trace for rank, trace in self.traces.items()}, self.form)
        job.extra = dict(self.extra)
        return job

    def write(self, folder):
        for rank, trace in self.traces.items():
            path = pathlib.Path(folder, self.form.format(rank))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(trace))
        for name, text in self.extra.items():
            pathlib.Path(folder, name).write_text(text)
        return folder

    def events(self, rank):
        return self.traces[rank]["traceEvents"]


def gpu_events(job, rank, cat="kernel", name=""):
    found = [e for e in job.events(rank) if e.get("ph") == "X" and e.get("cat") in ((cat,) if cat else GPU)
             and name in e["name"]]
    return sorted(found, key=lambda e: e["ts"])


def is_collective(event):
    return "nccl" in event["name"].lower()


def end_of(event):
    return event["ts"] + event["dur"]


def launched(job, rank, of_steps=False):
    """What was launched before the recording started belongs to no step. of_steps: by the steps."""
    steps = [e for e in job.events(rank) if e.get("cat") == "user_annotation" and e["name"].startswith(STEP)]
    return {e["args"]["correlation"] for e in job.events(rank) if e.get("cat") == "cuda_runtime"
            and "correlation" in e.get("args", {})
            and (not of_steps or any(step["ts"] <= e["ts"] < end_of(step) for step in steps))}


def warp(job, rank, insertions):
    """Time goes on for `length` us at each point: what is there then takes longer, what follows comes later."""
    points = sorted(insertions)

    def moved(time, is_end):
        return time + sum(length for at, length in points if time > at or (time == at and not is_end))
    for event in job.events(rank):
        if "ts" not in event or event.get("ph") == "M":
            continue
        start = moved(event["ts"], False)
        if "dur" in event:
            event["dur"] = moved(end_of(event), True) - start
        event["ts"] = start


def longer_with_all(job, late, insertions):
    """A rank takes longer at these points of its time; the others wait for it in the next collective."""
    for rank in job.traces:
        if rank == late:
            continue
        theirs = [e for e in gpu_events(job, rank) if is_collective(e)]
        own = [e for e in gpu_events(job, late) if is_collective(e)]
        waits = {}
        for at, length in insertions:
            after = next((i for i, call in enumerate(own) if end_of(call) > at), None)
            if after is not None:
                waits[after] = waits.get(after, 0) + length
        warp(job, rank, [(end_of(theirs[i]) - 0.5, length) for i, length in waits.items()])
    warp(job, late, insertions)


class Checks:
    """What the program says of two runs, and what is wrong with it."""

    def __init__(self, said, reverse=None):
        """reverse: what is said with baseline and test in each other's place, where the case wants it."""
        self.document = said
        self.reverse = reverse and Checks(reverse)
        self.comparison = said["comparison"][0]
        self.changes = self.comparison["changes"]
        self.metrics = self.comparison["metrics"]
        self.said = " ".join(self.changes.get("sentences", []))
        self.wrong = []

    def that(self, holds, what):
        if not holds:
            self.wrong.append(what)

    def available(self):
        self.that(self.changes["available"], f"nothing is told: {self.changes.get('reason')}")
        return self.changes["available"]

    def near(self, what, is_us, should_us, tolerance_us):
        self.that(abs(is_us - should_us) <= tolerance_us, f"{what}: {is_us:.1f} us instead of {should_us:.1f} us")

    def statuses(self, *words):
        return sorted(name for name, metric in self.metrics.items() if metric["status"] in words)

    def nothing_changed(self, tolerance_us=0.01):
        if not self.available():
            return
        self.near("the step", self.changes["difference_us"], 0, tolerance_us)
        for part in self.changes["parts"]:
            self.near(part["id"], part["difference_us"], 0, tolerance_us)
        self.that(not self.changes["slow_rank"], f"blames: {self.changes['slow_rank']}")
        self.none_judged()

    def none_judged(self):
        self.that(not self.statuses("better", "worse"),
                  "judged: " + ", ".join(f"{n} {self.metrics[n]['baseline']:.6g} -> {self.metrics[n]['test']:.6g} "
                                         f"{self.metrics[n]['status']}" for n in self.statuses("better", "worse")))

    def sums_up(self):
        rest = self.changes["difference_us"] - sum(part["difference_us"] for part in self.changes["parts"])
        self.near("what the parts leave", rest - self.changes["residual_us"], 0, 0.05)
        self.near("the residual", self.changes["residual_us"], 0, 0.001 * self.changes["baseline_us"])

    def one_story(self):
        """Sentences, table and gates are of the same step, and do not contradict each other."""
        step = self.metrics.get("step_time")
        if step and self.changes["available"]:
            self.near("the step of the table", 1000 * step["difference"], self.changes["difference_us"], 0.1)
        comparable = self.comparison["comparability"]["comparable"]
        for gate in self.document["gates"]:
            metric = self.metrics.get(gate["expression"].split("<")[0])
            if not comparable or gate["value"] is None:
                self.that(not gate["passed"], f"{gate['text']}: passed")
            elif gate["value"] > 1 and metric["status"] in ("worse", "changed"):
                self.that(not gate["passed"], f"{gate['text']}: passed, but {metric['status']}")
            elif metric["status"] == "similar":
                self.that(gate["passed"] or gate["value"] > 1, f"{gate['text']}: failed, but similar within 1 %")
        for name, metric in self.metrics.items():
            self.that((metric["interval"] is None) == ("no_interval" in metric), f"{name}: an interval, and none")

    def part(self, name):
        return sum(part["difference_us"] for part in self.changes["parts"] if part["id"] == name)

    def says(self, *texts):
        for text in texts:
            self.that(text in self.said, f"does not say \"{text}\"")

    def says_nothing_of(self, *texts):
        for text in texts:
            self.that(text not in self.said, f"says \"{text}\"")


class Cases:
    def __init__(self, traces):
        self.rccl = Job.read(traces / "rccl_demo/56cu_256threads", "torch_profiler/rank{}/trace.json", "*/*/*.json.gz")
        self.nccl = Job.read(traces / "nccl_a100", "rank{}.json", "*.json*")
        self.dlrm = Job.read(traces / "dlrm_v100_8rank", "rank{}.json", "*.json")

    # What changes nothing.
    def copy_of_all(self):
        calls = sum(len([e for e in gpu_events(self.rccl, rank) if is_collective(e)
                         and e["args"]["correlation"] in launched(self.rccl, rank, of_steps=True)])
                    for rank in self.rccl.traces)
        return self.rccl, self.rccl, lambda c: (
            c.nothing_changed(), c.sums_up(),
            c.that(c.metrics["coll_call_num"]["baseline"] == calls / 3,
                   f"{c.metrics['coll_call_num']['baseline']} collective calls an iteration instead of {calls / 3}"))

    def files_renamed(self):
        job = self.dlrm.changed(())
        job.form = "other_{}_name.pt.trace.json"
        return self.dlrm, job, Checks.nothing_changed

    def other_names(self):
        """Processes and threads of other numbers and names."""
        job = self.dlrm.changed()
        for rank in job.traces:
            for event in job.events(rank):
                if event.get("cat") not in GPU and isinstance(event.get("pid"), int) and event["pid"] > 1000:
                    event["pid"] += 40000
                    if isinstance(event.get("tid"), int) and event["tid"] > 1000:
                        event["tid"] += 40000
                if event.get("name") == "process_name":
                    event["args"] = {"name": "python3.11 train.py"}
        return self.dlrm, job, Checks.nothing_changed

    def clocks(self):
        """The clock of every rank is another one."""
        job = self.dlrm.changed()
        for rank in job.traces:
            for event in job.events(rank):
                if "ts" in event and event.get("ph") != "M":
                    event["ts"] += (rank * 7919) % 1000 * 10
        return self.dlrm, job, lambda c: c.nothing_changed(5)

    def jitter(self):
        """Every kernel takes up to 1 us more or less."""
        job = self.rccl.changed()
        noise = random.Random(3)
        for rank in job.traces:
            for event in gpu_events(job, rank):
                event["dur"] = max(0.1, event["dur"] + noise.uniform(-1, 1))
        return self.rccl, job, lambda c: (c.near("the step", c.changes["difference_us"], 0, 60), c.none_judged())

    def one_file_missing(self):
        return self.dlrm, self.without(self.dlrm, [3]), lambda c: (c.nothing_changed(), c.says("7"))

    def four_files_missing(self):
        return self.dlrm, self.without(self.dlrm, [1, 3, 4, 6]), lambda c: (c.nothing_changed(), c.says("4"))

    def file_missing_of_baseline(self):
        return self.without(self.rccl, [3]), self.rccl, Checks.nothing_changed

    @staticmethod
    def without(job, ranks):
        less = job.changed(())
        for rank in ranks:
            del less.traces[rank]
        return less

    def one_step_fewer(self):
        job = self.rccl.changed()
        for rank, trace in job.traces.items():
            last = max((e for e in trace["traceEvents"] if e.get("cat") == "user_annotation"
                        and e["name"].startswith(STEP)), key=lambda e: e["ts"])
            launched = {e["args"]["correlation"] for e in trace["traceEvents"] if e.get("cat") == "cuda_runtime"
                        and e["ts"] >= last["ts"] and "correlation" in e.get("args", {})}

            def stays(e, start=last["ts"], gone=launched):
                if e.get("cat") in GPU:
                    return e["args"].get("correlation") not in gone
                if e.get("cat") in ("ac2g", "fwdbwd"):
                    return e["id"] not in gone
                return "ts" not in e or e["ts"] < start or e.get("cat") == "gpu_user_annotation"
            trace["traceEvents"] = [e for e in trace["traceEvents"] if stays(e) and not (
                e.get("cat") == "gpu_user_annotation" and e["name"] == last["name"])]
        # The last step of a recording is cut elsewhere: a little may move.
        return self.rccl, job, lambda c: (c.near("the step", c.changes["difference_us"], 0, 150), c.none_judged(),
                                          c.that(not c.statuses("changed"), f"changed: {c.statuses('changed')}"),
                                          c.says("2"))

    def renumbered(self):
        job = self.dlrm.changed()
        traces = {}
        for rank, trace in job.traces.items():
            number = (rank + 3) % 8
            trace["distributedInfo"] = dict(trace["distributedInfo"], rank=number)
            traces[number] = trace
        job.traces = dict(sorted(traces.items()))

        def check(c):
            c.near("the step", c.changes["difference_us"], 0, 1)
            c.none_judged()
            c.says("on other ranks")
            c.says_nothing_of("straggler")
        return self.dlrm, job, check

    def card_only(self):
        """A card beside the same traces names how the job is split."""
        job = self.dlrm.changed(())
        job.extra["workload_card.yaml"] = (
            "workload:\n  model:\n    model_family: dlrm\n  data:\n    batch_size: 64\n    seq_len: 1\n"
            "Model-executor:\n  model_plan_parallelization:\n    dp: 8\n    tp: 1\n    pp_stage: 1\n")
        return self.dlrm, job, lambda c: (c.nothing_changed(),
                                          c.says_nothing_of("in the test only", "in the baseline only"))

    # What changes by so much.
    def all_slower(self):
        job = self.rccl.changed()
        first = min(e["ts"] for rank in job.traces for e in job.events(rank) if e.get("ph") == "X")
        for rank in job.traces:
            for event in job.events(rank):
                if "ts" in event and event.get("ph") != "M":
                    event["ts"] = first + 1.1 * (event["ts"] - first)
                    if "dur" in event:
                        event["dur"] *= 1.1

        def check(c):
            c.near("the step", c.changes["difference_us"], 0.1 * c.changes["baseline_us"], 3)
            c.sums_up()
            c.that(not c.statuses("better"), f"better: {c.statuses('better')}")
            c.that("step_time" in c.statuses("worse") or "iter_time" in c.statuses("worse"), "the step is not worse")
            c.that(not c.changes["slow_rank"], f"blames: {c.changes['slow_rank']}")
        return self.rccl, job, check

    def longest_kernel(self):
        sums = {}
        for event in gpu_events(self.rccl, 0):
            if not is_collective(event):
                sums[event["name"]] = sums.get(event["name"], 0) + event["dur"]
        return max(sums, key=sums.get)

    def slower_kernel(self, ranks):
        """One kernel takes 1.3 times as long. Returns the runs and by how much the steps of a rank grow, us."""
        job = self.rccl.changed()
        name = self.longest_kernel()
        for rank in ranks:
            own = [(end_of(e), 0.3 * e["dur"]) for e in gpu_events(job, rank) if e["name"] == name]
            in_steps = launched(job, rank)
            grown = sum(0.3 * e["dur"] for e in gpu_events(job, rank)
                        if e["name"] == name and e["args"]["correlation"] in in_steps)
            if len(ranks) == 1:
                longer_with_all(job, rank, own)
            else:
                warp(job, rank, own)
        for rank in ranks:  # the time that was added is the kernel's own
            before = [e for e in gpu_events(self.rccl, rank) if e["name"] == name]
            after = [e for e in gpu_events(job, rank) if e["name"] == name]
            for was, now in zip(before, after):
                now["dur"] = 1.3 * was["dur"]
        return job, name, grown

    def kernel_slower_everywhere(self):
        job, name, grown = self.slower_kernel(list(self.rccl.traces))

        def check(c):
            c.near("computation", c.part("compute"), grown / 3, 0.25 * grown / 3)
            c.that(c.changes["difference_us"] > 0, "the step is not longer")
            c.sums_up()
            c.that(not c.changes["slow_rank"], f"blames: {c.changes['slow_rank']}")
            c.says(name[:20])
            c.that("gpu_timeline" not in c.statuses("better"), "idle time is better")
        return self.rccl, job, check

    def kernel_slower_on_one(self):
        job, name, grown = self.slower_kernel([5])

        def check(c):
            c.near("the step", c.changes["difference_us"], grown / 3, 0.3 * grown / 3)
            c.sums_up()
            c.says("rank 5")
            c.that(not c.statuses("better"), f"better: {c.statuses('better')}")
        return self.rccl, job, check

    @staticmethod
    def between_operators(job, rank, step, kernels, calls):
        """The last kernel of an outermost operator after which the host has a moment, in the middle of the step; and
        the operator's end."""
        ops = sorted((e for e in job.events(rank) if e.get("cat") == "cpu_op" and e["tid"] == step["tid"]
                      and step["ts"] <= e["ts"] < end_of(step)), key=lambda e: (e["ts"], -e["dur"]))
        outermost = []
        for op in ops:
            if not outermost or op["ts"] >= end_of(outermost[-1]):
                outermost.append(op)
        found = []
        for op, following in zip(outermost, outermost[1:]):
            inside = [e for e in kernels if op["ts"] <= calls[e["args"]["correlation"]]["ts"] < end_of(op)]
            if inside and following["ts"] - end_of(op) > 0.6:
                found.append((inside[-1], end_of(op)))
        return found[len(found) // 2]

    def with_operator(self):
        """A new operator with a kernel of 800 us in each step of every rank."""
        job = self.rccl.changed()
        length = 800.0
        for rank in job.traces:
            steps = [e for e in job.events(rank) if e.get("cat") == "user_annotation" and e["name"].startswith(STEP)]
            calls = {e["args"]["correlation"]: e for e in job.events(rank) if e.get("cat") == "cuda_runtime"
                     and "correlation" in e.get("args", {})}
            kernels = [e for e in gpu_events(job, rank) if not is_collective(e) and e["args"]["correlation"] in calls]
            places = [self.between_operators(job, rank, step, kernels, calls) for step in steps]
            added = []
            for n, (after, end) in enumerate(places):
                call = calls[after["args"]["correlation"]]
                number = 9_000_000 + n
                shift = sum(length for other, _ in places if end_of(other) < end_of(after))
                added.append(dict(copy.deepcopy(after), name="void at::native::indexFuncLargeIndex<float, long>(int)",
                                  ts=end_of(after) + shift, dur=length,
                                  args={**after["args"], "correlation": number, "External id": number}))
                host = [dict(copy.deepcopy(call), ts=end + 0.2, dur=0.2,
                             args={**call["args"], "correlation": number, "External id": number,
                                   "kernel": "indexFuncLargeIndex"}),
                        {"ph": "X", "cat": "cpu_op", "name": "aten::index_add_", "pid": call["pid"],
                         "tid": call["tid"], "ts": end + 0.1, "dur": 0.4, "args": {"External id": number}}]
                job.events(rank).extend(host)
            places = [place for place, _ in places]
            moved = [(end_of(place), length) for place in places]
            warp(job, rank, moved)
            job.events(rank).extend(e for e in added if e.get("cat") == "kernel")
        return job, length

    def operator_added(self):
        job, length = self.with_operator()

        def check(c):
            c.near("computation", c.part("compute"), length, 60)
            c.sums_up()
            c.says("aten::index_add_", "new")
            c.says_nothing_of("times as long on average")
        return self.rccl, job, check

    def operator_removed(self):
        job, length = self.with_operator()

        def check(c):
            c.near("computation", c.part("compute"), -length, 60)
            c.says("aten::index_add_", "gone")
            c.says_nothing_of("times as long on average")
        return job, self.rccl, check

    def host_of_one(self):
        """The host of rank 2 does nothing for 25 ms."""
        job = self.dlrm.changed()
        length = 25000
        calls = {e["args"]["correlation"]: e["ts"] for e in job.events(2) if e.get("cat") == "cuda_runtime"
                 and "correlation" in e.get("args", {})}
        work = gpu_events(job, 2, cat=None)
        step = next(e for e in job.events(2) if e["name"].startswith(STEP))
        for event in work:  # a moment at which the GPU has nothing to do, and nothing is launched
            at = calls.get(event["args"].get("correlation"), 0) - 1
            busy = any(e["ts"] <= at < end_of(e) for e in work)
            ahead = any(e["ts"] > at and calls.get(e["args"].get("correlation"), 0) <= at for e in work)
            if step["ts"] + 2000 < at and not busy and not ahead:
                break
        longer_with_all(job, 2, [(at, length)])

        def check(c):
            c.near("the step", c.changes["difference_us"], length, 0.1 * length)
            c.sums_up()
            c.says("rank 2", "host")
            c.that(not c.statuses("better"), f"better: {c.statuses('better')}")
        return self.dlrm, job, check

    def pause(self):
        """Nobody does anything for 30 ms in the middle of the second step."""
        job = self.rccl.changed()
        for rank in job.traces:
            steps = sorted((e for e in job.events(rank) if e.get("cat") == "user_annotation"
                            and e["name"].startswith(STEP)), key=lambda e: e["ts"])
            end = max(end_of(e) for e in gpu_events(job, rank, cat=None))
            for event in job.events(rank):
                if "ts" in event and event.get("ph") != "M" and event.get("cat") not in GPU and \
                        event["ts"] > end_of(steps[-1]):
                    event["ts"] += 30000
            warp(job, rank, [(end + 1, 30000)])

        def check(c):  # after the last work of all: no step is longer
            c.near("the step", c.changes["difference_us"], 0, 20)
            c.none_judged()
        return self.rccl, job, check

    def pause_in_a_step(self):
        """Rank 2 takes 30 ms longer in the second of three steps."""
        job = self.rccl.changed()
        step = sorted((e for e in job.events(2) if e.get("cat") == "user_annotation" and e["name"].startswith(STEP)),
                      key=lambda e: e["ts"])[1]
        at = next(end_of(e) for e in gpu_events(job, 2) if e["ts"] > step["ts"] + step["dur"] / 2)
        longer_with_all(job, 2, [(at + 0.1, 30000)])

        def check(c):
            c.near("the step", c.changes["difference_us"], 10000, 1000)
            c.sums_up()
            c.says("but only in step", "rank 2")
            c.that("step_time" in c.statuses("worse"), "the step is not worse")
        return self.rccl, job, check

    def slower_launches(self):
        """The host takes 20 us more before each launch; its GPU is never ahead of it."""
        job = self.nccl.changed()
        more = 20
        for rank in job.traces:
            times = sorted(e["ts"] for e in job.events(rank) if e.get("cat") == "cuda_runtime"
                           and "LaunchKernel" in e["name"])
            calls = {e["args"]["correlation"]: e["ts"] for e in job.events(rank) if e.get("cat") == "cuda_runtime"
                     and "correlation" in e.get("args", {})}
            free = {}  # by stream
            moved = {}
            for event in gpu_events(job, rank, cat=None):
                launch = calls.get(event["args"].get("correlation"), event["ts"])
                start = max(event["ts"] + more * bisect.bisect_right(times, launch), free.get(event["tid"], 0))
                free[event["tid"]] = start + event["dur"]
                moved[id(event)] = start
            for event in job.events(rank):
                if "ts" not in event or event.get("ph") == "M":
                    continue
                before = event["ts"]
                event["ts"] = moved.get(id(event), before + more * bisect.bisect_right(times, before))
                if id(event) not in moved and "dur" in event and "LaunchKernel" not in event["name"]:
                    event["dur"] += more * (bisect.bisect_right(times, before + event["dur"]) -
                                            bisect.bisect_right(times, before))

        def check(c):
            c.near("the step", c.changes["difference_us"], 900 * more, 200)  # 900 launches a step
            c.sums_up()
            c.says("from one launch to the next")
        return self.nccl, job, check

    def swapped(self):
        job, _, _ = self.slower_kernel(list(self.rccl.traces))

        def check(c):
            c.that(c.changes["difference_us"] < 0, "the step is not shorter")
            c.that(not c.statuses("worse"), f"worse: {c.statuses('worse')}")
            c.that(c.statuses("better"), "nothing is better")
            mirror = {"better": "worse", "worse": "better"}
            for name, metric in c.metrics.items():
                other = c.reverse.metrics[name]
                c.that((metric["baseline"], metric["test"]) == (other["test"], other["baseline"]), f"{name}: not mirrored")
                c.that(mirror.get(metric["status"], metric["status"]) == other["status"],
                       f"{name}: {metric['status']} one way, {other['status']} the other")
            for part in c.changes["parts"]:
                c.near(part["id"], part["difference_us"], -c.reverse.part(part["id"]), 0.01)
        return job, self.rccl, check

    def larger_inputs(self):
        """Batches of 20, not of 10, and all takes twice as long: no step is worse for that."""
        job = self.rccl.changed()
        first = min(e["ts"] for rank in job.traces for e in job.events(rank) if e.get("ph") == "X")
        for rank in job.traces:
            for event in job.events(rank):
                if "ts" in event and event.get("ph") != "M":
                    event["ts"] = first + 2 * (event["ts"] - first)
                    if "dur" in event:
                        event["dur"] *= 2
                if "Input Dims" in event.get("args", {}):
                    dims = [[20, *dim[1:]] if isinstance(dim, list) and dim[:1] == [10] else dim
                            for dim in event["args"]["Input Dims"]]
                    event["args"] = dict(event["args"], **{"Input Dims": dims})

        def check(c):
            c.near("the step", c.changes["difference_us"], c.changes["baseline_us"], 3)
            c.says("inputs of other sizes", "[10, ", "-> [20, ")
            c.that(not c.statuses("worse", "better"), f"judged: {c.statuses('worse', 'better')}")
        return self.rccl, job, check

    def other_version(self):
        """A setting of the card that explains it stands in the first sentence."""
        before, after = self.rccl.changed(()), self.all_slower()[1]
        for job, version in ((before, "0.8.2"), (after, "0.9.0")):
            job.extra["workload_card.yaml"] = (
                "workload:\n  model:\n    model_family: resnet\n"
                f"Model-executor:\n  framework:\n    name: vllm\n    vllm_version: {version}\n")
        return before, after, lambda c: (c.says("vLLM 0.8.2 -> vLLM 0.9.0"), c.says_nothing_of("vllm_version"),
                                         c.that("step_time" in c.statuses("worse"), "the step is not worse"))

    def three_runs(self):
        """The first takes 1.1 times as long as the second; the third does other work."""
        slower = self.all_slower()[1]

        def check(c):
            rows = c.document["side_by_side"]
            c.that([row["best"] for row in rows] == [False, True, False], "the second is not the best")
            c.that(rows[1]["against_first"]["status"] == "better" and rows[0]["against_best"]["status"] == "worse",
                   "the first is not worse")
            c.near("the first against the best", rows[0]["against_best"]["percent_change"], 10, 0.1)
            c.that("ot the same work" in rows[2]["verdict"] and rows[2]["against_first"]["status"] == "changed",
                   "the third is compared")
        return slower, self.rccl, check, self.dlrm

    # What is not to be compared.
    def other_work(self):
        def check(c):
            c.none_judged()
            c.says("ot the same work")
            c.says_nothing_of("times as long", "straggler", "longer", "slower")
            c.that(all(not part["cause"] for part in c.changes["parts"]), "a part has a cause")
        return self.dlrm, self.rccl, check


CASES = [name for name in vars(Cases) if name not in ("longest_kernel", "slower_kernel", "with_operator", "between_operators",
                                                      "without") and not name.startswith("_")]


GATES = ("step_time<+1%", "iter_time<+1%", "kernel_breakdown<+1%", "straggler_lag<+1%")


def compare(program, folders):
    gates = [word for gate in GATES for word in ("--gate", gate)]
    done = subprocess.run([program, "--batch", "--json", "--quiet", "--no-cache", *gates, *folders], capture_output=True,
                          text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def main():
    program, traces = sys.argv[1], pathlib.Path(sys.argv[2])
    if not (traces / "rccl_demo").is_dir():
        print("skipped: no traces in", traces)
        return 77
    cases = Cases(traces)
    failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        written = {}

        def folder_of(job, name):
            if id(job) not in written:
                written[id(job)] = (job, job.write(os.path.join(folder, name)))
            return written[id(job)][1]

        def run(name):
            before, after, check, *more = getattr(cases, name)()
            folders = [folder_of(before, name + "_before"), folder_of(after, name + "_after"),
                       *(folder_of(job, f"{name}_{n}") for n, job in enumerate(more))]
            reverse = compare(program, folders[::-1]) if name == "swapped" else None
            checks = Checks(compare(program, folders), reverse)
            checks.one_story()
            check(checks)
            return checks
        names = sys.argv[3:] or CASES
        for name, future in [(name, pool.submit(run, name)) for name in names]:
            try:
                checks = future.result()
            except Exception as error:  # one case is no reason to be without the others
                print(f"WRONG {name}: {type(error).__name__}: {error}")
                failed += 1
                continue
            failed += bool(checks.wrong)
            print("WRONG" if checks.wrong else "right", name)
            for what in checks.wrong:
                print("   ", what)
            if checks.wrong or len(names) < 4:
                print("    said:", "\n          ".join(checks.changes.get("sentences", ["nothing"])))
    print(f"{len(names) - failed} of {len(names)} cases are right")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
