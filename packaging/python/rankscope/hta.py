# SPDX-License-Identifier: GPL-3.0-or-later
"""Holistic Trace Analysis: its analyses under its names and by its rules.

    import rankscope as rs
    rs.hta.get_temporal_breakdown(rs.open("my_run/"))

As in HTA the last profiler step is left out, but with `include_last_profiler_step=True`; times are in µs, and cover the
whole run whatever part of it was opened. Unlike in HTA all ranks are in one table, with a column `rank`, and nothing is
plotted. docs/python.md says which functions and columns are missing, and where a table differs from HTA's;
docs/accuracy.md, where Rankscope's own numbers differ, and why.

Analyses of GPU work raise InputError if no rank has any: they know what a profiler recorded with streams.
"""
from __future__ import annotations

from typing import Dict, List, Optional, Sequence, Tuple, Union

import pandas as pd

from . import _core
from .errors import UsageError
from .frames import frame
from .given import rank_number, text, whole, wholes
from .run import Run, the_run

__all__ = [
    "compare_traces", "get_comm_comp_overlap", "get_cuda_kernel_launch_stats", "get_gpu_kernel_breakdown",
    "get_frequent_cuda_kernel_sequences", "get_gpu_kernels_with_user_annotations", "get_gpu_user_annotation_breakdown",
    "get_idle_time_breakdown", "get_memory_bw_summary", "get_memory_bw_time_series", "get_potential_stragglers",
    "get_profiler_steps", "get_queue_length_summary", "get_queue_length_time_series", "get_temporal_breakdown",
    "get_time_spent_blocked_on_full_queue", "ops_diff", "straggler_metric",
]


def _table(
    run: Run, name: str, last: bool = False, memory: bool = True, limit: int = 0, gpu_annotations: bool = False,
    operator: str = "",
) -> pd.DataFrame:
    return frame(the_run(run)._reading.hta(name, bool(last), bool(memory), limit, bool(gpu_annotations), operator))


def get_temporal_breakdown(run: Run, *, include_last_profiler_step: bool = False) -> pd.DataFrame:
    """A row for each rank: idle, compute, non-compute and kernel time (µs), and the first three in percent.

    Missing values: the rank has no GPU work that HTA counts.
    """
    return _table(run, "temporal_breakdown", include_last_profiler_step)


def get_comm_comp_overlap(run: Run, *, include_last_profiler_step: bool = False) -> pd.DataFrame:
    """A row for each rank: percent of communication beside computation. NaN: no communication."""
    return _table(run, "comm_comp_overlap", include_last_profiler_step)


def get_idle_time_breakdown(
    run: Run, *, show_idle_interval_stats: bool = True, include_last_profiler_step: bool = False
) -> Tuple[pd.DataFrame, Optional[pd.DataFrame]]:
    """Idle time (µs) of each rank, stream and cause; and, if wanted, statistics of its intervals."""
    idle = _table(run, "idle_time_breakdown", include_last_profiler_step)
    stats = _table(run, "idle_interval_stats", include_last_profiler_step) if show_idle_interval_stats else None
    return idle, stats


def get_gpu_kernel_breakdown(
    run: Run, *, num_kernels: int = 10, include_memory_kernels: bool = True, include_last_profiler_step: bool = False
) -> Tuple[pd.DataFrame, pd.DataFrame]:
    """Time (µs) of each type of kernel, over all ranks; and the longest kernels of each type and rank.

    num_kernels: so many of each type, the others in one row; 0: all.
    """
    types = _table(run, "kernel_types", include_last_profiler_step, include_memory_kernels)
    kernels = _table(run, "kernels", include_last_profiler_step, limit=whole(num_kernels, "num_kernels", 0))
    return types, kernels


def get_gpu_user_annotation_breakdown(run: Run, *, use_gpu_annotation: bool = True) -> pd.DataFrame:
    """Time (µs) of each annotation and rank, on the GPU or on the CPU."""
    return _table(run, "annotations", gpu_annotations=use_gpu_annotation)


def get_cuda_kernel_launch_stats(run: Run, *, include_memory_events: bool = True) -> pd.DataFrame:
    """A row for each launch: durations of the call and of its GPU work, and the delay between them (µs). No `correlation`."""
    return _table(run, "launches", memory=include_memory_events)


def get_queue_length_time_series(run: Run) -> pd.DataFrame:
    """How much work waits on each stream: index of the event in its file, ts (µs), stream, queue_length, rank. No `pid`, `tid`."""
    return _table(run, "queue_time_series")


def get_queue_length_summary(run: Run) -> pd.DataFrame:
    """Statistics of these lengths for each rank and stream."""
    return _table(run, "queue_summary")


def get_time_spent_blocked_on_full_queue(run: Run, *, max_queue_length: int = 1024) -> pd.DataFrame:
    """Time (µs) of each rank and stream with so much work waiting. Rows without any are left out.

    HTA keeps the last stream of each rank only.
    """
    return _table(run, "full_queue", limit=whole(max_queue_length, "max_queue_length"))


def get_memory_bw_time_series(run: Run) -> pd.DataFrame:
    """Bandwidth (GB/s) of each kind of copy and set over time: ts (µs), name, memory_bw_gbps, rank. No `pid`."""
    return _table(run, "bandwidth_time_series")


def get_memory_bw_summary(run: Run) -> pd.DataFrame:
    """Statistics of these bandwidths for each rank and kind."""
    return _table(run, "bandwidth_summary")


def get_profiler_steps(run: Run, *, include_last_profiler_step: bool = False) -> List[int]:
    """Numbers of the profiler steps of any rank, ascending."""
    return [int(step) for step in sorted(_table(run, "step_extents", include_last_profiler_step)["iteration"].unique())]


def get_gpu_kernels_with_user_annotations(run: Run, rank: Optional[int] = None) -> pd.DataFrame:
    """A row for each kernel, copy and set, with the shortest annotation of its stream that overlaps it.

    Columns: index of the event in its file, s_name, ts and dur (µs), stream, pid, tid, s_user_annotation (None: there
    is none), rank. rank: of one rank only. UsageError: it has no trace.
    """
    table = _table(run, "annotated_kernels")
    if rank is None:
        return table
    rank = rank_number(rank)
    if rank not in run.ranks["rank"].values:
        raise UsageError(f"rank {rank} has no trace")
    return table[table["rank"] == rank].reset_index(drop=True)


def get_frequent_cuda_kernel_sequences(run: Run, operator_name: str, *, min_pattern_len: int = 3) -> pd.DataFrame:
    """What the outermost operators whose name contains this one launch, the most frequent first.

    The threads of a process count as one stack: operators of the backward thread lie below "## backward ##".

    Columns: pattern (the operator and its kernels), count, GPU kernel duration (us), CPU op duration (us), rank.
    UsageError: no name.
    """
    if not text(operator_name, "operator_name"):
        raise UsageError("get_frequent_cuda_kernel_sequences() needs the name of an operator, or a part of it")
    return _table(run, "kernel_sequences", limit=whole(min_pattern_len, "min_pattern_len"), operator=operator_name)


def straggler_metric(run: Run, *, profiler_steps: Optional[Sequence[int]] = None) -> pd.DataFrame:
    """What get_potential_stragglers() compares: the last long call of each rank and step, of the kernel and stream whose
    durations differ most between ranks.

    Columns: rank, stream, iteration, kernel, ts and dur (µs); normalized_start_time and duration are in mean steps.
    Empty: one rank, no profiler step, or no kernel named ncclKernel... of 1 % of a step.
    """
    extents = _table(run, "step_extents")
    rows = _table(run, "communication_rows").sort_values(["rank", "index"], kind="stable").drop(columns="index")
    if profiler_steps is not None:
        wanted = wholes(profiler_steps, "profiler_steps")
        if missing := sorted(set(wanted) - set(extents["iteration"])):
            raise UsageError(f"no profiler step {', '.join(map(str, missing))}; get_profiler_steps() lists them")
        extents, rows = (table[table["iteration"].isin(wanted)] for table in (extents, rows))
    metric = rows.assign(normalized_start_time=0.0, duration=0.0)
    if extents.empty:
        return metric.iloc[:0]
    begin = extents["start"].min()
    step = (extents["end"].max() - begin) / extents["iteration"].nunique()
    key = ["stream", "iteration", "kernel"]
    last = metric[metric["dur"] >= 0.01 * step].groupby(["rank", *key], as_index=False, sort=True).last()
    last["normalized_start_time"] = (last["ts"] - begin) / step
    last["duration"] = last["dur"] / step
    spread = last.groupby(key)["duration"].std().groupby(["stream", "kernel"]).mean().dropna()
    if spread.empty:
        return last.iloc[:0]
    stream, kernel = spread.idxmax()
    return last[(last["stream"] == stream) & (last["kernel"] == kernel)].reset_index(drop=True)


def get_potential_stragglers(
    run: Run, *, profiler_steps: Optional[Sequence[int]] = None, num_candidates: int = 2
) -> List[int]:
    """The ranks that are most often among the latest to start the call that straggler_metric() chooses.

    Empty where straggler_metric() is. HTA's rule knows no other ranks than the latest: it names num_candidates ranks
    in a healthy run, too. `Run.findings` says whether a rank is slow.
    """
    metric = straggler_metric(run, profiler_steps=profiler_steps)
    most = max(whole(num_candidates, "num_candidates"), 1)
    late = metric.groupby("iteration")["normalized_start_time"].rank(method="min", ascending=False) <= most
    counts = late.groupby(metric["rank"]).sum().sort_values(ascending=False, kind="stable")
    return [int(rank) for rank in counts.index[:most]]


def compare_traces(
    control: Run,
    test: Run,
    *,
    control_rank: Optional[int] = None,
    test_rank: Optional[int] = None,
    control_iteration: Union[int, Sequence[int], None] = None,
    test_iteration: Union[int, Sequence[int], None] = None,
    device_type: str = "ALL",
    use_short_name: bool = False,
) -> pd.DataFrame:
    """HTA's TraceDiff.compare_traces(): counts and durations (µs) of each name in both runs.

    Ranks: by default the lowest. Iterations: by default the lowest. device_type: "ALL", "CPU" or "GPU".
    UsageError: a rank has no trace, or not that iteration.
    """
    sides = (
        _side(control, control_rank, control_iteration, "control"), _side(test, test_rank, test_iteration, "test"),
    )
    return frame(_core.trace_diff(*sides, text(device_type, "device_type"), bool(use_short_name)))


def ops_diff(control: Run, test: Run, *, device_type: str = "ALL", **sides: Union[int, Sequence[int], None]) -> Dict[str, List[str]]:
    """HTA's TraceDiff.ops_diff(): names by what became of their count. Further arguments as compare_traces()."""
    table = compare_traces(control, test, device_type=device_type, **sides)  # type: ignore[arg-type]
    before, after = table["control_counts"], table["test_counts"]
    groups = {
        "added": before == 0, "deleted": after == 0, "increased": (before > 0) & (after > before),
        "decreased": (after > 0) & (after < before), "unchanged": before == after,
    }
    return {group: table.loc[chosen, "name"].tolist() for group, chosen in groups.items()}


def _side(
    run: Run, rank: Optional[int], steps: Union[int, Sequence[int], None], side: str
) -> Tuple[_core.Reading, int, List[int]]:
    number = int(the_run(run).ranks["rank"].min()) if rank is None else rank_number(rank, f"{side}_rank")
    chosen = [] if steps is None else wholes(steps, f"{side}_iteration")
    return run._reading, number, chosen
