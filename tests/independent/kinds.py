# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of random jobs for scoreboard.py. h_...: healthy, with a habit that could be taken for a fault. f_...: with one or two faults.

make(kind, seed, index) draws a job; the same arguments give the same job. The order of the draws is part of a kind: another order changes
all its jobs. Python evaluates arguments from left to right, so the order is that of the text.
"""
from dataclasses import replace
from random import Random
from typing import Callable

from generator import Fault, Job


class Draw(Random):
    # Messages may not name their peers, and the workload card may be missing, in jobs of all kinds.
    varies_peers_and_cards = False


def job(draw: Draw, pp: tuple = (1, 2, 3, 4), dp: tuple = (1, 2, 3, 4), tp: tuple = (1, 2, 4)) -> Job:
    while True:
        sizes = {"pp": draw.choice(pp), "dp": draw.choice(dp), "tp": draw.choice(tp)}
        if 4 <= sizes["pp"] * sizes["dp"] * sizes["tp"] <= 16:
            break
    drawn = Job(
        **sizes,
        seed=draw.randrange(10**6),
        steps=draw.choice([3, 4, 5, 6, 8, 10, 12]),
        annotate=draw.choice([False, False, True]),
        style=draw.choice("AB"),
        load_us=draw.choice([60, 100, 150]),
        reads_loss=draw.choice([False, False, True]),
        jitter=draw.choice([.005, .01, .01, .02, .03]),
        order=draw.choice(["pp,dp,tp", "dp,pp,tp", "pp,tp,dp", "dp,tp,pp"]),
        microbatches=draw.choice([4, 6, 8]) if sizes["pp"] > 1 else draw.choice([2, 4]),
        layers=draw.choice([1, 2, 3]),
        norm=draw.choice(["none", "none", "after", "before"]))
    if draw.varies_peers_and_cards:
        drawn = replace(drawn, names_peers=draw.choice([False, True]), has_card=draw.choice([False, True]))
    return drawn


def pipeline(draw: Draw, dp: tuple = (1, 2), tp: tuple = (1, 2)) -> Job:
    return job(draw, (2, 4), dp, tp)


def long_job(draw: Draw) -> Job:
    return replace(job(draw), steps=draw.choice([6, 8, 10]))


def with_slow_rank(healthy: str, low: float = 1.1) -> Callable[[Draw], Job]:
    return lambda draw: slow(draw, KINDS[healthy](draw), low)


def any_rank(draw: Draw, drawn: Job) -> int:
    return draw.randrange(drawn.pp * drawn.dp * drawn.tp)


def factor(draw: Draw, low: float, high: float) -> float:
    return round(draw.uniform(low, high), 2)


def slow(draw: Draw, drawn: Job, low: float = 1.1, high: float = 2, kind: str = "slow", first_steps: range = range(1)) -> Job:
    """One rank is slow, in all steps or from a later one on."""
    return add(drawn, Fault(kind, [any_rank(draw, drawn)], factor(draw, low, high), first_step=one_of(draw, first_steps)))


def slow_link(draw: Draw, drawn: Job, dimension: str, low: float, high: float, first_steps: range = range(1)) -> Job:
    """The groups of one rank are slow in a dimension."""
    rank = any_rank(draw, drawn)
    return add(drawn, Fault("link", [rank], factor(draw, low, high), dimension=dimension, first_step=one_of(draw, first_steps)))


def add(drawn: Job, fault: Fault) -> Job:
    return replace(drawn, faults=drawn.faults + [fault])


def one_of(draw: Draw, numbers: range) -> int:
    return draw.choice(numbers) if len(numbers) > 1 else numbers[0]


def two_slow(draw: Draw) -> Job:
    drawn, slowness = job(draw), factor(draw, 1.15, 1.6)
    ranks = draw.sample(range(drawn.pp * drawn.dp * drawn.tp), 2)
    return replace(drawn, faults=[Fault("slow", [rank], slowness) for rank in ranks])


def slow_from(draw: Draw) -> Job:
    drawn = long_job(draw)
    return slow(draw, drawn, 1.2, first_steps=range(2, drawn.steps - 1))


def slow_link_from(draw: Draw) -> Job:
    drawn = replace(job(draw, tp=(2, 4)), steps=draw.choice([7, 8, 10]))
    return slow_link(draw, drawn, "tp", 3, 8, range(3, drawn.steps - 1))


def slow_link_in_two_steps(draw: Draw) -> Job:
    drawn = slow_link(draw, replace(job(draw, dp=(2, 4)), steps=draw.choice([8, 10])), "dp", 2, 5)
    drawn.faults[0].only_steps = sorted(draw.sample(range(drawn.steps), 2))
    return drawn


def slow_pair(draw: Draw) -> Job:
    """The connection of two neighbouring stages is slow."""
    drawn = replace(pipeline(draw), order="pp,dp,tp")
    next_stage = drawn.dp * drawn.tp
    rank = draw.randrange((drawn.pp - 1) * next_stage)
    return add(drawn, Fault("link", [rank, rank + next_stage], draw.choice([5, 10, 15]), dimension="pp"))


def slow_card(draw: Draw) -> Job:
    drawn = pipeline(draw)
    return add(drawn, Fault("card", [any_rank(draw, drawn)], draw.choice([4, 6, 10, 15]), dimension="pp"))


def late_data(draw: Draw, recorded: str) -> Job:
    drawn = job(draw)
    return add(drawn, Fault("data", [any_rank(draw, drawn)], milliseconds=draw.choice([1, 3, 6, 9, 15]), recorded=recorded))


def late_data_in_some_steps(draw: Draw) -> Job:
    drawn = long_job(draw)
    return add(drawn, Fault("data", [any_rank(draw, drawn)], milliseconds=draw.choice([6, 12, 25]),
                            recorded=draw.choice(["no", "annotation"]), every=draw.choice([2, 3])))


def garbage_collection(draw: Draw) -> Job:
    drawn = replace(long_job(draw), host_us=draw.choice([0, 100, 200]))
    return add(drawn, Fault("gc", [any_rank(draw, drawn)], milliseconds=draw.choice([10, 20, 40]),
                            recorded=draw.choice(["no", "no", "annotation", "python"]), at_kernel=draw.choice([3, 5, 8]),
                            every=draw.choice([1, 2, 3])))


KINDS: dict[str, Callable[[Draw], Job]] = {
    "h_plain": job,
    "h_eager_late": lambda draw: replace(pipeline(draw, tp=(1, 2, 2)), eager_messages=True,
                                         late_receive_us=draw.choice([500, 1500, 2500, 4000])),
    "h_head": lambda draw: replace(pipeline(draw, dp=(1, 2, 4)), head=draw.choice([.5, 1, 1.5, 2.5]),
                                   order=draw.choice(["dp,pp,tp", "dp,tp,pp", "pp,dp,tp"])),
    "h_zb": lambda draw: replace(pipeline(draw), schedule="zero_bubble"),
    "h_int": lambda draw: replace(pipeline(draw), schedule="interleaved", chunks=draw.choice([2, 3]), microbatches=8, layers=1),
    "h_gpipe": lambda draw: replace(job(draw, (2, 4)), schedule="gpipe"),
    "h_fsdp": lambda draw: replace(job(draw, (1,), (4, 8), (1,)), sharded=True, gather_us=draw.choice([200, 500, 800]),
                                   layers=draw.choice([2, 4])),
    "h_moe": lambda draw: replace(job(draw, (1, 2), (2, 4, 8), (1,)), experts=True, expert_spread=draw.choice([.1, .3, .6])),
    "h_drift": lambda draw: replace(job(draw), clock_drift_ppm=draw.choice([20, 50, 100]), clock_skew_ms=draw.choice([0, 1, 10]),
                                    steps=draw.choice([5, 10])),
    "h_ahead": lambda draw: replace(job(draw), host_runs_ahead=True, steps=draw.choice([6, 10])),
    "h_jit": lambda draw: replace(job(draw), jitter=.03),
    "h_ckpt": lambda draw: replace(job(draw), checkpoint_every=draw.choice([2, 3, 4]), checkpoint_ms=draw.choice([5, 20, 60]),
                                   steps=draw.choice([6, 8, 10])),
    "h_unevenmb": lambda draw: replace(job(draw), length_spread=draw.choice([.1, .3, .5]),
                                       lengths_differ_by_replica=draw.choice([False, True])),
    "h_hostbound": lambda draw: replace(job(draw), host_us=draw.choice([100, 300, 600])),
    "h_overlap": lambda draw: replace(job(draw, dp=(2, 4)), overlapped_reduce=True),
    "h_nocard": lambda draw: replace(job(draw), has_card=False, names_peers=draw.choice([True, False])),
    "f_slow": lambda draw: slow(draw, job(draw), 1.06),
    "f_slow_small": lambda draw: slow(draw, job(draw), 1.05, 1.15),
    "f_slow_ppinner": lambda draw: slow(draw, replace(pipeline(draw, dp=(2, 4)), order=draw.choice(["dp,pp,tp", "dp,tp,pp"]))),
    "f_slow_int": with_slow_rank("h_int"),
    "f_slow_zb": with_slow_rank("h_zb"),
    "f_slow_gn": lambda draw: slow(draw, replace(job(draw, (2, 4)), norm=draw.choice(["after", "before"]))),
    "f_slow_head": with_slow_rank("h_head", 1.2),
    "f_slow_fsdp": with_slow_rank("h_fsdp"),
    "f_slow_moe": with_slow_rank("h_moe", 1.2),
    "f_slow_ahead": with_slow_rank("h_ahead"),
    "f_slow_uneven": with_slow_rank("h_unevenmb", 1.2),
    "f_slow_drift": with_slow_rank("h_drift"),
    "f_slow_eager": lambda draw: slow(draw, replace(pipeline(draw), eager_messages=True)),
    "f_two": two_slow,
    "f_slow_from": slow_from,
    "f_card": slow_card,
    "f_link_dp": lambda draw: slow_link(draw, job(draw, dp=(2, 4)), "dp", 1.3, 4),
    "f_link_tp": lambda draw: slow_link(draw, job(draw, tp=(2, 4)), "tp", 2, 7),
    "f_link_pair": slow_pair,
    "f_link_from": slow_link_from,
    "f_link_some": slow_link_in_two_steps,
    "f_link_fsdp": lambda draw: add(KINDS["h_fsdp"](draw), Fault("link", [0], factor(draw, 2, 4), dimension="dp")),
    "f_data": lambda draw: late_data(draw, "no"),
    "f_data_named": lambda draw: late_data(draw, "annotation"),
    "f_data_every": late_data_in_some_steps,
    "f_gc": garbage_collection,
    "f_host": lambda draw: slow(draw, replace(job(draw), host_us=draw.choice([60, 200, 400])), 1.8, 4, "host"),
    "f_gemm": lambda draw: slow(draw, job(draw), 1.15, kind="gemm"),
    "f_slow_link": lambda draw: slow_link(draw, slow(draw, job(draw, dp=(2, 4)), 1.2, 1.6), "dp", 2, 4),
}


def make(kind: str, seed: int, index: int, varies_peers_and_cards: bool = False) -> Job:
    draw = Draw(f"{kind}/{seed}/{index}")
    draw.varies_peers_and_cards = varies_peers_and_cards
    return KINDS[kind](draw)
