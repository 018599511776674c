#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the findings of `rankscope --batch RUN --json` against the truth of random runs. kinds.py draws them, generator.py simulates them.
With --jobs collective, collective_kinds.py and collective_traces.py do.

    tests/independent/scoreboard.py --rankscope build/dev/app/rankscope --runs 3 --seed 200

prints a line for each wrong run, a table by kind, and totals. The exit code is 1 if more than --allowed runs are wrong.
"""
import argparse
import dataclasses
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from typing import Collection

sys.dont_write_bytecode = True  # the source tree stays clean
import collective_kinds  # noqa: E402
import collective_traces  # noqa: E402
import generator  # noqa: E402
import kinds  # noqa: E402
from collective_jobs import CollectiveJob  # noqa: E402
from generator import FIRST_STEP, Fault, Mesh, Truth  # noqa: E402

FAULT_SHARE = .01  # of a step: what costs less is no accusation
SMALLEST_SHARE = .005  # a fault that costs less need not be found
COST_TOLERANCE = .05
STEP_TOLERANCE = .01
NOISE = .001  # of a step: collective jobs have costs as small as the differences between two simulations
JOBS = {"pipeline": kinds, "collective": collective_kinds}  # modules that draw them
# Codes of the findings that may name a fault. A slow link or card of a pipeline job may have any but the straggler's.
CODES = {
    **{kind: ("straggler",) for kind in ("slow", "gemm", "memory", "other names")},
    **{kind: ("straggler", "data_loading") for kind in ("data", "gc", "host")},
    "throttle": ("straggler", "slower_steps"),
    **{kind: ("straggler", "host_pauses", "slower_steps") for kind in ("checkpoint", "async checkpoint")},
    "nvlink": ("slow_link",), "node card": ("slow_link",), "expert": ("expert_imbalance",), "power cap": ()}
Job = generator.Job | CollectiveJob
# In words of the lines that are printed.
MISSED, COST, NOT_FIRST, ACCUSED, LATE_RANK = "missed", "cost", "not first", "accused", "late rank"


class Verdict:
    def __init__(self) -> None:
        self.reasons: list[tuple[str, str]] = []  # why the run is wrong
        self.not_judged = False
        self.too_small = False

    def wrong(self, what: str, text: str) -> None:
        self.reasons.append((what, text))

    def has(self, *whats: str) -> bool:
        return any(what in whats for what, _ in self.reasons)


def expected_ranks(fault: Fault, job: Job) -> list[int]:
    if fault.kind not in ("link", "card") or len(fault.ranks) > 1:
        return fault.ranks
    group = Mesh(job).group(fault.ranks[0], fault.dimension)
    if fault.kind == "link":
        return group
    # A rank at an end of the pipeline has one neighbour, so nothing tells which of the two cards is slow.
    stage = group.index(fault.ranks[0])
    return group[:2] if stage == 0 else group[-2:] if stage == len(group) - 1 else fault.ranks


def names_fault(finding: dict, fault: Fault, job: Job) -> bool:
    ranks, expected = set(finding["ranks"]), set(expected_ranks(fault, job))
    right_code = finding["code"] in CODES[fault.kind] if fault.kind in CODES else finding["code"] != "straggler"
    if fault.kind in ("nvlink", "node card"):
        return right_code and names_slow_groups(finding, fault)
    names_group = fault.kind == "link" and len(fault.ranks) == 1 and ranks <= expected and bool(ranks or finding.get("group"))
    # Two equal faults may be one finding.
    names_both = len(job.faults) == 2 and expected <= ranks
    return right_code and (ranks == expected or names_group or names_both)


def names_slow_groups(finding: dict, fault: Fault) -> bool:
    """Of a collective job, a slow link is named by a dimension, by groups of it or by its GPU."""
    ranks, expected = set(finding["ranks"]), set(fault.ranks)
    if fault.kind == "node card" or not ranks:
        return not ranks or bool(ranks & expected)
    return ranks == expected if finding.get("cause") == "slow_card" else expected <= ranks


def differences(described: Job | Fault) -> str:
    """The fields in which a job or a fault differs from the defaults."""
    return ", ".join(f"{field.name}={getattr(described, field.name)}" for field in dataclasses.fields(described)
                     if field.name not in ("seed", "faults") and getattr(described, field.name) != field.default)


def loads_data_everywhere(finding: dict) -> bool:
    """A cost of the program itself: every rank of these jobs loads its data before the step's work."""
    return finding["code"] == "data_loading" and not finding["ranks"]


def told(finding: dict, truth: Truth) -> str:
    share = 100 * finding["cost_us_per_step"] / truth.step_us
    names = "/".join(word for word in (finding["code"], finding.get("cause")) if word)
    return f"{names} of ranks {finding['ranks']} {finding.get('group') or ''} {finding['cost_us_per_step']:.0f} us ({share:.1f} %)"


def has_nothing_to_compare(job: Job) -> bool:
    """The only fault is a link, slow in all steps, and its dimension has only one group. Nobody can tell it from a slow network."""
    fault = job.faults[0]
    if isinstance(job, CollectiveJob):
        # Groups of several nodes use the cards of all nodes.
        return fault.kind == "node card" or (fault.kind == "nvlink" and job.group_size in (0, job.world))
    one_group = len(expected_ranks(fault, job)) == job.pp * job.dp * job.tp
    return len(job.faults) == 1 and fault.kind == "link" and len(fault.ranks) == 1 and one_group and not fault.is_partial()


def says_so(job: Job, judged: dict) -> bool:
    """Whether the program says that it cannot judge the slow links: no links, or not those of the groups with the fault."""
    if not judged["links"] or not isinstance(job, CollectiveJob):
        return not judged["links"]
    # The groups of a node are described first. Those that connect nodes are described after them, if there are both.
    description = job.descriptions[0] if job.faults[0].kind == "nvlink" else job.descriptions[:2][-1]
    return any(description in text and "cannot be told" in text for text in judged["not_judged"])


def judge_single(job: Job, truth: Truth, faults: list[dict], run: dict, verdict: Verdict) -> None:
    fault, cost = job.faults[0], truth.costs_us[0]
    if cost < SMALLEST_SHARE * truth.step_us:
        verdict.too_small = True
        return
    if fault.kind == "power cap" and not any(finding["ranks"] for finding in faults):  # all ranks are slow alike
        verdict.not_judged = True
        return
    # Kinds f_link_tp with one group and f_link_fsdp: it is right to say that links are not judged, and to tell no other fault.
    if has_nothing_to_compare(job) and says_so(job, run["judged"]) and all(loads_data_everywhere(finding) for finding in faults):
        verdict.not_judged = True
        return
    finding = named(job, truth, fault, cost, faults, verdict)
    if finding is None:
        return
    noise = NOISE * truth.step_us if isinstance(job, CollectiveJob) else 0
    if abs(finding["cost_us_per_step"] - cost) > COST_TOLERANCE * cost + noise:
        wrong_cost(finding, cost, verdict)
    first = next(other for other in faults if not loads_data_everywhere(other))
    if first is not finding:
        verdict.wrong(NOT_FIRST, told(first, truth) + " is")
    if fault.is_partial() and "checkpoint" not in fault.kind:  # it ends a step and delays the next one
        steps = [FIRST_STEP + step for step in range(job.steps) if fault.is_active(step)]
        said = (finding.get("first_iteration"), finding.get("last_iteration"))
        if said != (steps[0], steps[-1]):
            verdict.wrong("steps", f"{said[0]} to {said[1]}, true {steps}")


def judge_two(job: Job, truth: Truth, faults: list[dict], verdict: Verdict) -> None:
    """Either fault may hide the other, so a finding costs what one of them does, or what both do."""
    for fault, cost in sorted(zip(job.faults, truth.costs_us), key=lambda pair: -pair[1]):
        finding = named(job, truth, fault, cost, faults, verdict)
        if finding and not any(abs(finding["cost_us_per_step"] - true) <= COST_TOLERANCE * true + .002 * truth.step_us
                               for true in (cost, truth.total_cost_us)):
            wrong_cost(finding, cost, verdict, f", both {truth.total_cost_us:.0f} us")


def named(job: Job, truth: Truth, fault: Fault, cost: float, faults: list[dict], verdict: Verdict) -> dict | None:
    finding = next((finding for finding in faults if names_fault(finding, fault, job)), None)
    if finding is None:
        first = told(faults[0], truth) if faults else "none"
        verdict.wrong(MISSED, f"{differences(fault)}: {cost:.0f} us ({100 * cost / truth.step_us:.1f} %); first: {first}")
    return finding


def wrong_cost(finding: dict, true: float, verdict: Verdict, also: str = "") -> None:
    said = finding["cost_us_per_step"]
    verdict.wrong(COST, f"{finding['code']} {said:.0f} us, true {true:.0f} us{also} ({100 * (said / true - 1) if true else 0:+.0f} %)")


def judge_others(job: Job, truth: Truth, faults: list[dict], verdict: Verdict) -> None:
    """Findings beside the fault: on other ranks, or twice on its own."""
    expected = [set(expected_ranks(fault, job)) for fault in job.faults]
    large = [finding for finding in faults if finding["cost_us_per_step"] >= FAULT_SHARE * truth.step_us]
    if any(fault.kind in ("nvlink", "node card") for fault in job.faults):  # it may be told of several dimensions
        large = [finding for finding in large if not names_fault(finding, job.faults[0], job)]
    own = [finding for finding in large if any(ranks & set(finding["ranks"]) for ranks in expected)]
    for finding in large:
        if finding not in own and not loads_data_everywhere(finding):
            verdict.wrong(ACCUSED if not job.faults else "extra", told(finding, truth))
    if len(job.faults) == 1 and len(own) > 1:
        verdict.wrong("twice", "; ".join(told(finding, truth) for finding in own))


def judge_late_rank(job: Job, truth: Truth, metrics: dict, verdict: Verdict) -> None:
    lag = metrics["straggler_lag"]
    late = lag["details"].get("late_rank") if lag["available"] else None
    if late is None or len(job.faults) > 1:
        return
    if not job.faults or job.faults[0].kind == "power cap":
        wrong = late >= 0
    elif job.faults[0].kind in ("link", "card", "nvlink", "node card"):
        wrong = late not in expected_ranks(job.faults[0], job)
    else:
        wrong = late not in job.faults[0].ranks and truth.costs_us[0] > FAULT_SHARE * truth.step_us
    if wrong:
        verdict.wrong(LATE_RANK, f"{late}, true: {expected_ranks(job.faults[0], job) if job.faults else 'none'}")


def judge_step(job: Job, truth: Truth, metrics: dict, verdict: Verdict) -> None:
    step = metrics["iter_time"]
    if step["available"]:
        said = 1000 * ((job.host_runs_ahead and step["details"].get("gpu_step_ms")) or step["value"])
        if abs(said / truth.step_us - 1) > STEP_TOLERANCE:
            verdict.wrong("step", f"{said:.0f} us, true {truth.step_us:.0f} us")


def judge_waits(run: dict, verdict: Verdict) -> None:
    """What is charged to ranks and what is unexplained add up to all waits."""
    waiting = run.get("waiting")
    if waiting:
        direct = sum(rank["direct_us"] for rank in waiting["charged"]) + waiting["unexplained_us"]
        with_passed_on = direct + sum(rank["passed_on_us"] for rank in waiting["charged"])
        if min(abs(direct - waiting["total_us"]), abs(with_passed_on - waiting["total_us"])) > .01:
            verdict.wrong("waits", f"charged {direct:.3f} or {with_passed_on:.3f} of {waiting['total_us']:.3f} us")


def judge(job: Job, truth: Truth, document: dict) -> Verdict:
    verdict, run = Verdict(), document["runs"][0]
    faults = [finding for finding in document["findings"] if finding["kind"] == "fault" and not finding.get("hidden")]
    judge_step(job, truth, run["metrics"], verdict)
    if len(job.faults) == 1:
        judge_single(job, truth, faults, run, verdict)
    elif job.faults:
        judge_two(job, truth, faults, verdict)
    judge_others(job, truth, faults, verdict)
    judge_late_rank(job, truth, run["metrics"], verdict)
    judge_waits(run, verdict)
    if not run["judged"]["ranks"] or not run["judged"]["host"]:
        verdict.wrong("judged", json.dumps(run["judged"]))
    return verdict


def analyse(program: str, traces: str, config: str) -> tuple[dict | None, str]:
    """The program's document, or why there is none. It neither reads nor writes settings of the user."""
    environment = dict(os.environ, XDG_CONFIG_HOME=config, XDG_CACHE_HOME=config)
    result = subprocess.run([program, "--batch", traces, "--json", "--no-cache", "--quiet", "--jobs", "1"], capture_output=True,
                            text=True, env=environment, timeout=600)
    if result.returncode != 0:
        return None, f"exit code {result.returncode}: {result.stderr[:200]}"
    return json.loads(result.stdout), ""


def score(program: str, job: Job, name: str, keep: str | None) -> Verdict:
    folder = tempfile.mkdtemp(prefix=f"{name}.", dir=keep)
    verdict = Verdict()
    try:
        traces = os.path.join(folder, "traces")
        os.mkdir(traces)
        truth = (collective_traces if isinstance(job, CollectiveJob) else generator).write_run(job, traces)
        with open(os.path.join(folder, "truth.json"), "w", encoding="utf-8") as file:
            json.dump({"job": dataclasses.asdict(job), **dataclasses.asdict(truth)}, file, indent=1)
        document, failure = analyse(program, traces, os.path.join(folder, "config"))
        if document is None:
            verdict.wrong("failed", failure)
        else:
            verdict = judge(job, truth, document)
    finally:
        if not (keep and verdict.reasons):
            shutil.rmtree(folder)
    return verdict


def chosen_kinds(names: Collection[str], words: list[str]) -> list[str]:
    """A word is the name of a kind or a part of the names of several."""
    chosen = [kind for kind in names if not words or any(kind == word or (word not in names and word in kind) for word in words)]
    if not chosen:
        sys.exit(f"no kind is called {' or '.join(words)}: {' '.join(names)}")
    return chosen


def print_totals(counts: dict[str, Counter]) -> None:
    print(f"{'kind':16}{'runs':>6}{'right':>7}{'not judged':>12}")
    for kind, count in counts.items():
        print(f"{kind:16}{count['runs']:6}{count['right']:7}{count['not judged']:12}")
    total = sum(counts.values(), Counter())
    print(f"Faults named first with the right ranks and a cost within 5 %: {total['named']} of {total['measurable']}; "
          f"not judged, rightly: {total['not judged']}; too small to count: {total['too small']}")
    print(f"Healthy runs accused of a fault of 1 % or more: {total['accused']} of {total['healthy']}")
    print(f"Wrong late ranks: {total['late rank']} of {total['runs']}")
    print(f"Wrong runs, for these or other reasons: {total['runs'] - total['right']} of {total['runs']}")


def count_run(count: Counter, job: Job, verdict: Verdict) -> None:
    count["runs"] += 1
    count["right"] += not verdict.reasons
    count["healthy"] += not job.faults
    count["not judged"] += verdict.not_judged
    count["too small"] += verdict.too_small
    count["late rank"] += verdict.has(LATE_RANK)
    count["accused"] += verdict.has(ACCUSED)
    if job.faults and not verdict.not_judged and not verdict.too_small:
        count["measurable"] += 1
        count["named"] += not verdict.has(MISSED, COST, NOT_FIRST, "failed")


def main() -> int:
    parser = argparse.ArgumentParser(description="Holds findings of Rankscope against independently simulated runs.")
    parser.add_argument("--rankscope", required=True, metavar="PROGRAM")
    parser.add_argument("--jobs", choices=JOBS, default="pipeline", help="kinds of jobs; the default is pipeline")
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="runs of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", default=[], metavar="WORD", help="only kinds with this word in their name; repeatable")
    parser.add_argument("--keep", metavar="DIR", help="existing folder that keeps traces and truth of wrong runs")
    parser.add_argument("--no-peers-and-cards", action="store_true",
                        help="messages may not name their peers, and the workload card may be missing")
    parser.add_argument("--allowed", type=int, default=0, metavar="K", help="runs that may be wrong")
    options = parser.parse_args()
    counts: dict[str, Counter] = {}
    drawing = JOBS[options.jobs]
    for kind in chosen_kinds(drawing.KINDS, options.kind):
        counts[kind] = Counter()
        for index in range(options.runs):
            name = f"{kind}_{options.seed}_{index}"
            job = drawing.make(kind, options.seed, index, options.no_peers_and_cards)
            verdict = score(options.rankscope, job, name, options.keep)
            count_run(counts[kind], job, verdict)
            if verdict.reasons:
                print(f"{name}: {' | '.join(f'{what}: {text}' for what, text in verdict.reasons)} [{differences(job)}]", flush=True)
    print_totals(counts)
    wrong = sum(count["runs"] - count["right"] for count in counts.values())
    return 0 if wrong <= options.allowed else 1


if __name__ == "__main__":
    sys.exit(main())
