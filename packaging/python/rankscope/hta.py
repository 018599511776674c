# SPDX-License-Identifier: GPL-3.0-or-later
"""Holistic Trace Analysis: its analyses under its names, with its columns and by its rules, where it has them wrong too.

    import rankscope as rs
    rs.hta.get_temporal_breakdown(rs.open("my_run/"))

As in HTA the last profiler step is left out, but with `include_last_profiler_step=True`; times are in µs, and cover the
whole run whatever part of it was opened. Unlike in HTA all ranks are in one table, with a column `rank`, and nothing is
plotted. Missing: critical path, frequent patterns, memory timeline, stragglers, trace counters. docs/accuracy.md lists
where Rankscope's own numbers differ from HTA's, and why.
"""
from __future__ import annotations

from typing import Dict, List, Optional, Sequence, Tuple, Union

import pandas as pd

from . import _core
from .frames import frame
from .run import Run

__all__ = [
    "compare_traces", "get_comm_comp_overlap", "get_cuda_kernel_launch_stats", "get_gpu_kernel_breakdown",
    "get_gpu_user_annotation_breakdown", "get_idle_time_breakdown", "get_memory_bw_summary", "get_memory_bw_time_series",
    "get_queue_length_summary", "get_queue_length_time_series", "get_temporal_breakdown",
    "get_time_spent_blocked_on_full_queue", "ops_diff",
]


def _table(
    run: Run, name: str, last: bool = False, memory: bool = True, limit: int = 0, gpu_annotations: bool = False
) -> pd.DataFrame:
    return frame(run._reading.hta(name, last, memory, limit, gpu_annotations))


def get_temporal_breakdown(run: Run, *, include_last_profiler_step: bool = False) -> pd.DataFrame:
    """A row for each rank: idle, compute, non-compute and kernel time (µs), and the first three in percent."""
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
    kernels = _table(run, "kernels", include_last_profiler_step, limit=num_kernels)
    return types, kernels


def get_gpu_user_annotation_breakdown(run: Run, *, use_gpu_annotation: bool = True) -> pd.DataFrame:
    """Time (µs) of each annotation and rank, on the GPU or on the CPU."""
    return _table(run, "annotations", gpu_annotations=use_gpu_annotation)


def get_cuda_kernel_launch_stats(run: Run, *, include_memory_events: bool = True) -> pd.DataFrame:
    """A row for each launch: durations of the call and of its GPU work, and the delay between them (µs)."""
    return _table(run, "launches", memory=include_memory_events)


def get_queue_length_time_series(run: Run) -> pd.DataFrame:
    """How much work waits on each stream: index of the event in its file, ts (µs), stream, queue_length, rank."""
    return _table(run, "queue_time_series")


def get_queue_length_summary(run: Run) -> pd.DataFrame:
    """Statistics of these lengths for each rank and stream."""
    return _table(run, "queue_summary")


def get_time_spent_blocked_on_full_queue(run: Run, *, max_queue_length: int = 1024) -> pd.DataFrame:
    """Time (µs) of each rank and stream with so much work waiting. Rows without any are left out."""
    return _table(run, "full_queue", limit=max_queue_length)


def get_memory_bw_time_series(run: Run) -> pd.DataFrame:
    """Bandwidth (GB/s) of each kind of copy and set over time: ts (µs), name, memory_bw_gbps, rank."""
    return _table(run, "bandwidth_time_series")


def get_memory_bw_summary(run: Run) -> pd.DataFrame:
    """Statistics of these bandwidths for each rank and kind."""
    return _table(run, "bandwidth_summary")


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
    UsageError: a rank has no trace.
    """
    sides = (_side(control, control_rank, control_iteration), _side(test, test_rank, test_iteration))
    return frame(_core.trace_diff(*sides, device_type, use_short_name))


def ops_diff(control: Run, test: Run, *, device_type: str = "ALL", **sides: Union[int, Sequence[int], None]) -> Dict[str, List[str]]:
    """HTA's TraceDiff.ops_diff(): names by what became of their count. Further arguments as compare_traces()."""
    table = compare_traces(control, test, device_type=device_type, **sides)  # type: ignore[arg-type]
    before, after = table["control_counts"], table["test_counts"]
    groups = {
        "added": before == 0, "deleted": after == 0, "increased": (before > 0) & (after > before),
        "decreased": (after > 0) & (after < before), "unchanged": before == after,
    }
    return {group: table.loc[chosen, "name"].tolist() for group, chosen in groups.items()}


def _side(run: Run, rank: Optional[int], steps: Union[int, Sequence[int], None]) -> Tuple[_core.Reading, int, List[int]]:
    number = int(run.ranks["rank"].min()) if rank is None else rank
    chosen = [] if steps is None else [steps] if isinstance(steps, int) else list(steps)
    return run._reading, number, chosen
