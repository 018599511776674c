# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of random jobs of collective_jobs.py for scoreboard.py. healthy_...: without a fault. Every other has one.

make(kind, seed, index) draws a job; the same arguments give the same job. The order of the draws is part of a kind.
"""
from dataclasses import replace
from random import Random
from typing import Callable

from collective_families import PROGRAMS
from collective_jobs import BANDWIDTH_IN_NODE, BANDWIDTH_OF_CARD, CollectiveJob
from collective_machine import GPUS_PER_NODE
from generator import Fault

WARM_UP = -9  # a first step before all steps that are simulated
FAMILIES = tuple(PROGRAMS)
DENSE = tuple(family for family in FAMILIES if family != "moe")


def job(draw: Random, families: tuple = FAMILIES, worlds: tuple = (8, 8, 16, 16), least_steps: int = 2) -> CollectiveJob:
    family, world, amd = draw.choice(families), draw.choice(worlds), draw.random() < .3
    drawn = CollectiveJob(
        family=family, seed=draw.randrange(10**6), world=world, amd=amd,
        gpu="AMD Instinct MI300X" if amd else draw.choice(["NVIDIA H100 80GB HBM3", "NVIDIA A100-SXM4-80GB", "NVIDIA H200"]),
        any_collective_kernel=draw.choice(["ncclDevKernel_Generic", "ncclDevKernel_Generic_4"]),
        steps=max(least_steps, draw.choice([2, 3, 4, 4, 5, 6, 6, 8])), first_step=draw.choice([2, 5, 10, 103]),
        warm_up=draw.choice([0, 1, 2]), layers=draw.choice([2, 2, 3] if family in ("tpsp", "cp") else [2, 3, 4]),
        gemm_us=draw.choice([120, 200, 300]), attention_us=draw.choice([90, 150]),
        optimizer_us=draw.choice([200, 500]), jitter=draw.choice([.004, .008, .015]),
        transfer_jitter=draw.choice([.01, .03, .06]), gpu_spread=draw.choice([0, .001, .002]), slow_down=draw.choice([0, 0, .06, .15]),
        host_us=draw.choice([6, 9, 14]), hiccups=draw.choice([0, .001, .003]), load_us=draw.choice([40, 90, 200]),
        copy_us=draw.choice([0, 120, 300]), copy_stream=draw.choice(["compute", "copy"]), clock_skew_us=draw.choice([0, 200, 5000]),
        clock_drift_ppm=draw.choice([0, 5, 40]), start_skew_us=draw.choice([20, 20, 400]),
        end_of_step=draw.choice(["item", "device", "some", "none"]), clips_norm=draw.random() < .5, names_peers=True,
        records_groups=draw.random() < .7, records_host_names=draw.random() < .5, distinct_names=draw.random() < .5 and family != "moe")
    drawn = replace(drawn, **FAMILY_FIELDS[family](draw, drawn))
    return drawn if draw.random() < .5 else replace(drawn, card={})


def layer_elements(drawn: CollectiveJob, gemms: float, bandwidth: float) -> int:
    """What the bandwidth carries in the time of so many matrix kernels, in whole KiB."""
    return int(drawn.gemm_us * gemms * bandwidth) // 1024 * 1024


def sharded(draw: Random, drawn: CollectiveJob) -> dict:
    whole = drawn.family == "fsdp"
    shards = drawn.world if whole else draw.choice([4, 8] if drawn.world > 8 else [4])
    return {"group_size": shards, "prefetch": draw.choice([1, 2]), "limits_gathers": draw.random() < .6,
            "scatter_stream": draw.choice(["scatter", "scatter", "gather"]), "scatters_each_microbatch": draw.random() < .5,
            "accumulation": draw.choice([1, 1, 2]), "elements": layer_elements(drawn, 2 * draw.choice([.4, .8, 1.1]), BANDWIDTH_IN_NODE),
            "descriptions": (draw.choice(["mesh_default", "default_pg"]),) if whole else ("mesh_dp_shard", "mesh_dp_replicate"),
            "card": {"dp_shard": shards, "dp_replicate": drawn.world // shards}}


def replicated(draw: Random, drawn: CollectiveJob) -> dict:
    return {"clips_norm": False, "accumulation": draw.choice([1, 1, 2, 4]), "bucket_layers": draw.choice([1, 2]),
            "elements": layer_elements(drawn, draw.choice([.4, .8, 1.2]), BANDWIDTH_IN_NODE),
            "descriptions": (draw.choice(["default_pg", "mesh_dp"]),), "card": {"dp_replicate": drawn.world}}


def tensor(draw: Random, drawn: CollectiveJob) -> dict:
    size = draw.choice([4, 8] if drawn.world > 8 else [4])
    return {"group_size": size, "accumulation": draw.choice([1, 2]), "shards_optimizer": draw.random() < .5,
            "activations": draw.choice([2, 4, 8]) * 1024 * 1024,
            "elements": layer_elements(drawn, 5 * draw.choice([.3, .8]), BANDWIDTH_OF_CARD),
            "descriptions": draw.choice([("mesh_tp", "mesh_dp"), ("TENSOR_MODEL_PARALLEL_GROUP", "DATA_PARALLEL_GROUP")]),
            "card": {"tp": size, "dp_replicate": drawn.world // size}}


def experts(draw: Random, drawn: CollectiveJob) -> dict:
    size = draw.choice([4, 8])
    return {"group_size": size, "tokens": draw.choice([4096, 8192]), "token_spread": draw.choice([.05, .15, .3]),
            "reads_token_counts": draw.random() < .4, "elements": layer_elements(drawn, 1.5, BANDWIDTH_OF_CARD),
            "descriptions": draw.choice([("mesh_ep", "mesh_dp", "mesh_dp_mod_ep"),
                                         ("EXPERT_MODEL_PARALLEL_GROUP", "DATA_PARALLEL_GROUP", "EXPERT_DATA_PARALLEL_GROUP")]),
            "card": {"ep": size, "dp_replicate": drawn.world}}


def contexts(draw: Random, drawn: CollectiveJob) -> dict:
    size = draw.choice([4, 8] if drawn.world > 8 else [4])
    return {"group_size": size, "message_elements": draw.choice([1, 4]) * 1024 * 1024, "accumulation": draw.choice([1, 1, 2]),
            "elements": layer_elements(drawn, 2, BANDWIDTH_OF_CARD),
            "descriptions": draw.choice([("mesh_cp", "mesh_dp_cp"), ("CONTEXT_PARALLEL_GROUP", "DATA_PARALLEL_GROUP_WITH_CP")]),
            "card": {"cp": size, "dp_replicate": drawn.world // size}}


FAMILY_FIELDS = {"fsdp": sharded, "hsdp": sharded, "ddp": replicated, "tpsp": tensor, "moe": experts, "cp": contexts}


def faulty(drawn: CollectiveJob, kind: str, ranks: list[int], factor: float = 1.0, **more: object) -> CollectiveJob:
    return replace(drawn, faults=[Fault(kind, ranks, factor, first_step=WARM_UP, **more)])


def on_one_rank(draw: Random, drawn: CollectiveJob, kind: str, low: float = 1, high: float = 1, **more: object) -> CollectiveJob:
    return faulty(drawn, kind, [draw.randrange(drawn.world)], round(draw.uniform(low, high), 2), **more)


def on_one_node(draw: Random, drawn: CollectiveJob, kind: str, factors: list[float]) -> CollectiveJob:
    first = draw.randrange(0, drawn.world, GPUS_PER_NODE)
    return faulty(drawn, kind, list(range(first, first + GPUS_PER_NODE)), draw.choice(factors))


def slow_launches(draw: Random, worlds: tuple[int, ...], endings: list[str]) -> CollectiveJob:
    return replace(job(draw, worlds=worlds), host_us=draw.choice([14, 25]), end_of_step=draw.choice(endings))


def checkpoint(draw: Random, drawn: CollectiveJob, kind: str, steps: list[int], milliseconds: float) -> CollectiveJob:
    return faulty(drawn, kind, [0], milliseconds=milliseconds, only_steps=[draw.choice(steps)])


def accumulating(draw: Random, numbers: list[int], steps: int) -> CollectiveJob:
    return replace(job(draw, ("ddp",)), accumulation=draw.choice(numbers), steps=steps)


def power_cap(draw: Random) -> CollectiveJob:
    drawn = job(draw)
    return faulty(drawn, "power cap", list(range(drawn.world)), 1.35)


KINDS: dict[str, Callable[[Random], CollectiveJob]] = {
    **{f"healthy_{family}": lambda draw, family=family: job(draw, (family,)) for family in FAMILIES},
    "healthy_spread_starts": lambda draw: replace(job(draw), start_skew_us=3000),
    **{f"slow_{family}": lambda draw, family=family: on_one_rank(draw, job(draw, (family,)), "slow", 1.06, 1.5) for family in FAMILIES},
    "slow_gemm": lambda draw: on_one_rank(draw, job(draw), "gemm", 1.1, 1.5),
    "slow_memory": lambda draw: on_one_rank(draw, job(draw), "memory", 1.5, 3),
    "throttled": lambda draw: on_one_rank(draw, job(draw, least_steps=8), "throttle", 1.2, 1.5),
    "other_names": lambda draw: on_one_rank(draw, replace(job(draw, DENSE), slow_down=0), "other names", 1.2, 1.2),
    "host_rank": lambda draw: on_one_rank(draw, slow_launches(draw, (8, 16), ["item", "some", "none"]), "host", 2, 5),
    "host_node": lambda draw: on_one_node(draw, slow_launches(draw, (16,), ["item"]), "host", [2, 3, 5]),
    "late_data": lambda draw: on_one_rank(draw, job(draw), "data", milliseconds=round(draw.uniform(1, 6), 2)),
    "checkpoint": lambda draw: checkpoint(draw, job(draw, DENSE, least_steps=4), "checkpoint", [1, 2, 3], draw.choice([8, 30])),
    "checkpoints": lambda draw: faulty(replace(job(draw, DENSE), steps=8), "checkpoint", [0], milliseconds=10, only_steps=[1, 3, 5, 7]),
    "async_checkpoint": lambda draw: checkpoint(draw, replace(job(draw, DENSE), steps=6, end_of_step="device"), "async checkpoint", [2], 0),
    "nvlink": lambda draw: on_one_rank(draw, job(draw), "nvlink", 1.6, 4),
    "node_card": lambda draw: on_one_node(draw, job(draw, worlds=(16,)), "node card", [1.6, 2.5, 4]),
    "accum_slow": lambda draw: on_one_rank(draw, accumulating(draw, [2, 3], 6), "slow", 1.3, 1.3),
    "accum_data": lambda draw: on_one_rank(draw, accumulating(draw, [2, 4], 8), "data", milliseconds=3),
    "hot_expert": lambda draw: on_one_rank(draw, job(draw, ("moe",)), "expert", 2, 2),
    "power_cap": power_cap,
}


def make(kind: str, seed: int, index: int, varies_peers_and_cards: bool = False) -> CollectiveJob:
    draw = Random(f"collective/{kind}/{seed}/{index}")
    drawn = KINDS[kind](draw)
    return replace(drawn, names_peers=draw.choice([False, True])) if varies_peers_and_cards else drawn
