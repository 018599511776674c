#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Real runs are changed so that the effect is known without any model, and all that the program says of them is compared.

    tests/metamorphic/metamorphic.py --rankscope build/dev/app/rankscope --traces ../shared/traces [--only nccl] [--change pause]

prints a line for each check. The exit code is 1 if a check fails that is not in EXPECTED_FAILURES, or one passes that is.
"""
import argparse
import multiprocessing
import os
import re
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True  # the source tree stays clean
import changes  # noqa: E402
import traces  # noqa: E402
from documents import (Program, compared_part, differences, findings, run_of, sentences, step_us)  # noqa: E402
from expectations import EXPECTED_FAILURES  # noqa: E402
from propagation import Fault, Propagation  # noqa: E402
from rewriting import doubled, renumbered, without  # noqa: E402

RUNS = {"rccl": traces.rccl, "trace_diff": traces.trace_diff, "nccl": traces.nccl, "dlrm": traces.dlrm, "h200": traces.h200, "h200 again": traces.h200_again}
WHOLE_MICROSECONDS = ("dlrm", "trace_diff")
COPIES = ("nccl", "trace_diff")  # four ranks that are the same one
SLOW_RANK = 2
MISSING_RANK = 3
HELD_UP = (.8, 1.25)  # of what a step is longer, what a rank costs that is held up; the lower one where a cause is known
COST = .1  # how far a cost may be from the change of the step
SMALL = .01  # of a step
STACKS_TOLD = "; Python stacks were recorded, which slows the host"
FAULTS = {"pause of 100 ms": Fault(SLOW_RANK, pause_us=100_000), "kernels x 1.3": Fault(SLOW_RANK, kernels=1.3),
          "20 us before each launch": Fault(SLOW_RANK, before_launch_us=20), "50 us before each launch": Fault(SLOW_RANK, before_launch_us=50)}
# Faults of few steps, of few kernels, and small ones, on four steps.
FAULTS_OF_STEPS = {"products x 1.3 in the second step": Fault(1, kernels=1.3, named="nvjet", step=3),
                   "products x 1.3 in the first step": Fault(0, kernels=1.3, named="nvjet", step=2),
                   "products x 1.15": Fault(1, kernels=1.15, named="nvjet"),
                   "host 2 ms later in each step": Fault(3, pause_in_each_us=2000),
                   "host 2 ms later in each step, rank 2": Fault(2, pause_in_each_us=2000),
                   "host 4 ms later in each step, rank 2": Fault(2, pause_in_each_us=4000),
                   "products x 1.2, rank 2": Fault(2, kernels=1.2, named="nvjet"),
                   "products x 1.5, rank 2": Fault(2, kernels=1.5, named="nvjet"),
                   "pause of 30 ms in the last step": Fault(2, pause_us=30_000, step=5)}


def has(*words: str):
    """Whether a part of a path begins with one of the words."""
    return lambda path: any(str(part).startswith(words) for part in path)


class Checks:
    def __init__(self, program: Program, run: traces.Run) -> None:
        self.program, self.run = program, run
        self.base = program.document(run)
        self.aligned = program.document(run, "--align", "collectives")

    def all(self) -> dict:
        checks = {
            "clock of one rank, 3 ms": lambda: self.clock(changes.later(self.run, SLOW_RANK, 3000)),
            "clock of one rank, 50 ms": lambda: self.clock(changes.later(self.run, SLOW_RANK, 50_000)),
            "clocks of all, a day": lambda: self.same(changes.a_day_later(self.run), absolute=.05),
            "drift of one clock, 30 ppm": self.drift,
            "files renamed and shuffled": lambda: self.same(changes.renamed_files(self.run)),
            "events shuffled": self.shuffled,
            "one file written twice": lambda: self.written_twice(changes.written_twice(self.run, SLOW_RANK)),
            "all files written twice": lambda: self.written_twice(changes.written_twice(self.run)),
            "all steps selected": self.all_selected,
            "kernels renamed": self.renamed,
            "ranks renumbered": self.renumbered,
            "device 0 on every rank": self.device_0,
            "all times doubled": self.doubled,
            "a layer of Python frames": self.python_layer,
            "one file missing": self.missing,
            "marks of steps dropped": lambda: self.less(changes.without_marks(self.run)),
            "cut inside a step": self.cut,
        }
        if self.run.name != "trace_diff":  # its GPUs are behind by other times at the two ends, so that nothing tells how it goes on
            checks["recorded twice"] = self.twice
        if self.run.name == "nccl":
            checks["arguments of collectives dropped"] = lambda: self.less(changes.without_collective_arguments(self.run))
        if self.run.name == "h200 again":  # the same program: only costs are another case
            checks = {}
        for name, fault in {**FAULTS, **(FAULTS_OF_STEPS if self.run.name.startswith("h200") else {})}.items():
            checks[name] = lambda fault=fault: self.slow_rank(fault)
        if self.run.name.startswith("h200"):
            for late_us in (1000, 2000, 4000, 8000):
                checks[f"rank held up for {late_us // 1000} ms in each step"] = lambda late_us=late_us: self.held_up(late_us)
        return checks

    def same(self, run: traces.Run, share: float = 1e-6, absolute: float = .002, may_differ=lambda path: False) -> list[str]:
        return differences(compared_part(self.base), compared_part(self.program.document(run)), share, absolute, may_differ)

    def clock(self, run: traces.Run) -> list[str]:
        """The offset is found, and nothing else changes. Aligned are both, since offsets of 2 us are not worth it by themselves."""
        after = self.program.document(run, "--align", "collectives")
        return differences(compared_part(self.aligned), compared_part(after), 1e-6, .05, has("clock"))

    def drift(self) -> list[str]:
        """Over the run the clock gains that much; what hangs on it may differ by as much."""
        gained_us = 30e-6 * run_of(self.base)["span_us"] + 2
        share = .02 if self.run.name in WHOLE_MICROSECONDS else .001  # each time is rounded again
        after = self.program.document(changes.drifting(self.run, SLOW_RANK, 30), "--align", "collectives")
        per_rank = [{"per_rank": run_of(document)["per_rank"]} for document in (self.aligned, after)]
        return self.same_costs(self.aligned, after, .02) + differences(*per_rank, share, gained_us)

    def shuffled(self) -> list[str]:
        # Which of two calls of operators that take the same whole microseconds holds the other, only their order tells.
        nesting = has("operators", "modules", "host_while_idle") if self.run.name in WHOLE_MICROSECONDS else has()
        return self.same(changes.shuffled_events(self.run), may_differ=nesting)

    def all_selected(self) -> list[str]:
        """What was in flight before the first step is left out, and no cost changes for it."""
        after = self.program.document(self.run, "--iterations", f"{min(self.run.steps)}-{max(self.run.steps)}")
        return self.same_costs(self.base, after, .02)

    def written_twice(self, run: traces.Run) -> list[str]:
        return self.same(run, may_differ=has("notices", "accounting"))

    def renamed(self) -> list[str]:
        after = without(changes.LAYER, compared_part(self.program.document(changes.renamed_kernels(self.run))))
        return differences(compared_part(self.base), after)

    def renumbered(self) -> list[str]:
        count = len(self.run.ranks)
        new = {rank: (3 * rank + 1) % count if count == 8 else (rank + 1) % count for rank in range(count)}
        after = self.program.document(changes.renumbered(self.run, new))
        # "most_rank" and "longest_rank" of what hosts were in are numbers of ranks.
        of_position = has("host_while_idle", "per_stream", "device", "dp_rank", "by_dp_rank", "residual_us", "clock_residual_us", "notices")
        # Of ranks that are the same one, the first is named.
        ties = has("times_first", "times_last", "share_last", "worst_rank", "events", "longest", "busiest_rank", "by_rank_us", "late_rank",
                   "slowest") if self.run.name in COPIES else has()
        return differences(renumbered(compared_part(self.base), new), renumbered(compared_part(after), {rank: rank for rank in new}),
                           may_differ=lambda path: of_position(path) or ties(path))

    def device_0(self) -> list[str]:
        after = self.program.document(changes.on_device_0(self.run))
        named = [f"says {text!r}" for text in sentences(after) if re.search(r"\bmachines?\b|\bnetwork\b", text)]
        base = self.program.document(changes.without_process_names(self.run))
        return named + differences(compared_part(base), compared_part(after), may_differ=has("device", "per_stream", "not_judged", "machine", "machines"))

    def doubled(self) -> list[str]:
        after = self.program.document(changes.twice_as_slow(self.run))
        fixed = has("short_kernels", "idle_causes", "micro_idle", "macro_idle", "clock")  # told by limits in microseconds
        measured = differences(*({"job": doubled(run_of(document), times)} for document, times in ((self.base, 2), (after, 1))),
                               .005, .01, fixed)
        told = differences(*({"findings": doubled(findings(document), times)} for document, times in ((self.base, 2), (after, 1))),
                           .03, .01)
        return measured + told

    def python_layer(self) -> list[str]:
        after = self.program.document(changes.with_python_layer(self.run))
        # More of the host is recorded now, where nothing was before.
        of_host = has("events", "accounting", "modules", "host_us", "unrecorded_us", "host_while_idle", "sentences")
        told = [without(STACKS_TOLD, compared_part(document)) for document in (self.base, after)]
        problems = differences(*told, may_differ=of_host)
        return [problem for problem in problems if changes.FRAME.split("(")[0] not in problem]

    def missing(self) -> list[str]:
        """What is told of the others stays, and nothing is told of the rank itself."""
        after = self.program.document(changes.without_rank(self.run, MISSING_RANK))
        problems = [] if run_of(after)["missing_ranks"] == [MISSING_RANK] else ["the missing rank is not listed"]
        problems += [f"blames the missing rank: {finding['title']}" for finding in findings(after) if finding["ranks"] == [MISSING_RANK]]
        problems += self.not_told_before(after, others=True)
        key = f"rank {MISSING_RANK}"
        return problems + differences({"per_rank": run_of(self.base)["per_rank"]}, {"per_rank": run_of(after)["per_rank"]}, .001, .01,
                                      lambda path: key in path)

    def not_told_before(self, after: dict, others: bool = False, share: float = SMALL) -> list[str]:
        """Findings that the whole recording does not have: of another kind, of more ranks, or of a cost that is higher."""
        known = {finding["code"]: finding for finding in reversed(findings(self.base))}  # why may no longer be known
        problems = []
        for finding in findings(after):
            if finding["share_of_step"] < share:
                continue
            before = known.get(finding["code"])
            if before is None:
                problems.append(f"new: {finding['title']}")
            elif before["ranks"] and not others and not set(finding["ranks"]) <= set(before["ranks"]):
                problems.append(f"other ranks: {before['title']!r} became {finding['title']!r}")
            elif finding["share_of_step"] > before["share_of_step"] * (1 + COST) + share:
                problems.append(f"costs more: {before['title']!r} became {finding['title']!r}")
        return problems

    def less(self, run: traces.Run) -> list[str]:
        return self.not_told_before(self.program.document(run))

    def twice(self) -> list[str]:
        """Each step is recorded again, so that what one costs stays."""
        run = changes.recorded_twice(self.run)
        after = self.program.document(run)
        problems = [] if run_of(after)["iterations"] == run.steps else [f"steps {run_of(after)['iterations']} instead of {run.steps}"]
        if abs(step_us(after) - step_us(self.base)) > .02 * step_us(self.base):
            problems.append(f"a step of {step_us(self.base):.0f} us became one of {step_us(after):.0f}")
        return problems + self.same_costs(self.base, after, .02)

    def same_costs(self, before: dict, after: dict, near: float) -> list[str]:
        def by_kind(document: dict) -> dict:
            return {(finding["code"], finding.get("cause"), tuple(finding["ranks"]), finding.get("group")): finding
                    for finding in reversed(findings(document)) if finding["share_of_step"] >= SMALL}
        old, new = by_kind(before), by_kind(after)
        problems = [f"no longer told: {old[kind]['title']}" for kind in old if kind not in new]
        problems += [f"new: {new[kind]['title']}" for kind in new if kind not in old]
        return problems + [f"{old[kind]['title']!r} became {new[kind]['title']!r}" for kind in old if kind in new and
                           abs(old[kind]["cost_us_per_step"] - new[kind]["cost_us_per_step"]) >
                           near * old[kind]["cost_us_per_step"] + SMALL / 2 * step_us(before)]

    def cut(self) -> list[str]:
        """What is left of the last step is not called one, and of the whole steps the same is said."""
        run = changes.cut_inside_last_step(self.run)
        after = self.program.document(run)
        problems = [] if run_of(after)["iterations"] == run.steps else [f"steps {run_of(after)['iterations']} instead of {run.steps}"]
        if run.steps:
            whole = self.program.document(changes.only_steps(self.run, len(run.steps)))
            return problems + self.same_costs(whole, after, COST)
        return problems + [f"speaks of a step: {text}" for text in sentences(after) if re.search(r" (of|a) (a|the)? ?[\d.]+ .?s step", text)]

    def slow_rank(self, fault: Fault) -> list[str]:
        changed = Propagation(self.run, fault)
        longer = changed.longer_us() / len(self.run.steps)
        after = self.program.document(changed.changed())
        told = [finding for finding in findings(after) if finding["ranks"] == [fault.rank] and finding["kind"] == "fault"]
        told.sort(key=lambda finding: -finding["cost_us_per_step"])
        cost = told[0]["cost_us_per_step"] if told else 0
        before = max((finding["cost_us_per_step"] for finding in findings(self.base) if finding["ranks"] == [fault.rank]), default=0)
        if longer < SMALL * step_us(self.base):
            wrong = cost - before > SMALL * step_us(self.base)
        else:
            wrong = abs(cost - longer) > COST * longer
        problems = [f"a step takes {longer / 1000:.2f} ms longer, rank {fault.rank} is said to cost {cost / 1000:.2f}: "
                    f"{told[0]['title'] if told else run_of(after)['summary']}"] if wrong else []
        return problems + [f"only rank {fault.rank} was changed: {text}" for text in sentences(after)
                           if "now on one rank, now on another" in text and text not in sentences(self.base)]

    def held_up(self, late_us: float) -> list[str]:
        """What is told of the rank costs no more in all than the step is longer, but for what its peers wait for it anyway."""
        problems = []
        for rank in (0, SLOW_RANK, MISSING_RANK):
            run, longer = changes.held_up(self.run, rank, late_us)
            after = self.program.document(run)
            cost = sum(finding["cost_us_per_step"] for finding in findings(after) if finding["ranks"] == [rank])
            if not HELD_UP[0] * longer - SMALL * step_us(self.base) <= cost <= HELD_UP[1] * longer + SMALL * step_us(self.base):
                problems.append(f"a step takes {longer / 1000:.2f} ms longer, rank {rank} is said to cost {cost / 1000:.2f}")
        return problems


def check(task: tuple) -> list[tuple]:
    """All changes of one run. Returns rows of name of the run, change, problems, seconds."""
    program, folder, name, wanted = task
    run = RUNS[name](Path(folder))
    if run is None:
        return []
    checks = Checks(Program(program), run)
    rows = []
    for change, problems_of in checks.all().items():
        if wanted not in change:
            continue
        begin = time.monotonic()
        rows.append((name, change, problems_of(), time.monotonic() - begin))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rankscope", required=True)
    parser.add_argument("--traces", required=True)
    parser.add_argument("--only", default="", help="one run: " + ", ".join(RUNS))
    parser.add_argument("--change", default="", help="a part of the change's name")
    parser.add_argument("--all", action="store_true", help="all problems of a check, not the first three")
    arguments = parser.parse_args()
    tasks = [(arguments.rankscope, arguments.traces, name, arguments.change) for name in RUNS if arguments.only in name]
    failed = expected = passed = 0
    with multiprocessing.Pool(min(2, os.cpu_count() or 1)) as pool:
        for rows in pool.imap(check, tasks):
            for name, change, problems, seconds in rows:
                reason = EXPECTED_FAILURES.get((change, name))
                word = ("passes, though expected to fail: take it off the list" if reason else "passes") if not problems else \
                    f"fails, as expected: {reason}" if reason else "FAILS"
                failed += bool(problems) != bool(reason)
                expected += bool(problems) and bool(reason)
                passed += not problems and not reason
                print(f"{name:11} {change:32} {seconds:5.1f} s  {word}", flush=True)
                shown = problems if arguments.all else problems[:3]
                for problem in shown if not reason or arguments.all else []:
                    print(f"    {problem}")
                if len(problems) > len(shown):
                    print(f"    and {len(problems) - len(shown)} more")
    print(f"{passed} checks pass, {expected} fail as expected, {failed} are wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
