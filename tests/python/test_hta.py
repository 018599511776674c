# SPDX-License-Identifier: GPL-3.0-or-later
"""rankscope.hta gives what HTA printed for the shared traces (../shared/oracle/hta), as tests/core/test_conformance*.cpp compare it.

docs/python.md lists what differs.
"""
import json
import re

import numpy as np
import pandas as pd
import pytest

import rankscope as rs
from conftest import SHARED, open_quietly

ORACLE = SHARED / "oracle" / "hta"
TRACES = {
    "nccl_data": "nccl_a100", "ns_resolution": "resnet_v100_ns", "negative_queue": "sendrecv_1of16", "amd_mi250": "amd_mi250",
    "cp_alexnet": "critical_path/alexnet", "cp_event_sync": "critical_path/cuda_event_sync",
    "cp_event_sync_multi": "critical_path/cuda_event_sync_multi_stream", "cp_simple_add": "critical_path/simple_add",
    "trace_diff_control": "trace_diff_control", "trace_diff_test": "trace_diff_test",
    "derived_sendrecv_4rank": "derived_sendrecv_4rank",
}
DIFF = ORACLE / "diff__trace_diff_control__trace_diff_test"

if not ORACLE.is_dir():
    pytest.skip("the tables of HTA are not here (../shared/oracle)", allow_module_level=True)


@pytest.fixture(scope="module", params=sorted(TRACES))
def case(request):
    return ORACLE / request.param, open_quietly(SHARED / "traces" / TRACES[request.param])


def read(folder, name, **how):
    path = folder / f"{name}.csv"
    return pd.read_csv(path, **how) if path.exists() and path.stat().st_size > 2 else None


def same(ours, theirs, keys, values=None):
    """Every row of theirs is in ours, with the same values, and there is no other row."""
    values = values or [c for c in theirs.columns if c not in keys]
    assert len(ours) == len(theirs)
    ours, theirs = (table.sort_values(keys, kind="stable").reset_index(drop=True) for table in (ours, theirs))
    for key in keys:
        assert ours[key].tolist() == theirs[key].tolist()
    for value in values:
        np.testing.assert_allclose(ours[value].astype(float), theirs[value].astype(float), rtol=1e-9, atol=1e-9, err_msg=value)


@pytest.mark.parametrize("last", [False, True], ids=["without_last", "with_last"])
def test_breakdowns(case, last):
    folder, run = case
    suffix = "_inclast" if last else ""
    same(rs.hta.get_temporal_breakdown(run, include_last_profiler_step=last), read(folder, "temporal_breakdown" + suffix), ["rank"])
    same(rs.hta.get_comm_comp_overlap(run, include_last_profiler_step=last), read(folder, "comm_comp_overlap" + suffix), ["rank"])
    types, kernels = rs.hta.get_gpu_kernel_breakdown(run, num_kernels=0, include_last_profiler_step=last)
    expected = read(folder, "kernel_type_breakdown" + suffix)
    same(types, expected[expected["sum"] > 0], ["kernel_type"])  # HTA may list a combination of no time
    same(kernels, read(folder, "kernel_breakdown_all" + suffix), ["rank", "kernel_type", "name"])
    idle, _ = rs.hta.get_idle_time_breakdown(run, include_last_profiler_step=last)
    expected = read(folder, "idle_time_breakdown" + suffix)
    if expected is not None and len(expected):
        same(idle, expected, ["rank", "stream", "idle_category"])


def test_top_kernels_and_types_without_memory(case):
    folder, run = case
    types, kernels = rs.hta.get_gpu_kernel_breakdown(run, include_memory_kernels=False)
    expected = read(folder, "kernel_type_breakdown_nomem")
    same(types, expected[expected["sum"] > 0], ["kernel_type"])
    same(kernels, read(folder, "kernel_breakdown_top10"), ["rank", "kernel_type", "name"])


def test_idle_intervals(case):
    folder, run = case
    expected = read(folder, "idle_interval_stats")
    if expected is None or expected.empty:
        pytest.skip("HTA printed none")
    same(rs.hta.get_idle_time_breakdown(run)[1], expected, ["rank", "stream", "idle_category"])


@pytest.mark.parametrize("kind", ["gpu", "cpu"])
def test_annotations(case, kind):
    folder, run = case
    expected = read(folder, f"{kind}_user_annotation_breakdown")
    if expected is None or expected.empty:
        pytest.skip("HTA printed none")
    same(rs.hta.get_gpu_user_annotation_breakdown(run, use_gpu_annotation=kind == "gpu"), expected, ["rank", "name"])


@pytest.mark.parametrize("memory", [True, False], ids=["with_memory", "without_memory"])
def test_launches(case, memory):
    folder, run = case
    expected = read(folder, "cuda_kernel_launch_stats" + ("" if memory else "_nomem"))
    if expected is None or expected.empty:
        pytest.skip("HTA printed none")
    same(rs.hta.get_cuda_kernel_launch_stats(run, include_memory_events=memory), expected, ["rank"],
         ["cpu_duration", "gpu_duration", "launch_delay"])


def test_queues(case):
    folder, run = case
    expected = read(folder, "queue_length_time_series")
    if expected is not None and len(expected):
        same(rs.hta.get_queue_length_time_series(run), expected, ["rank", "stream"], ["index", "ts", "queue_length"])
    summary = described(folder, "queue_length_summary", "stream")
    if summary is not None:
        same(rs.hta.get_queue_length_summary(run), summary, ["rank", "stream"])


@pytest.mark.parametrize("limit", [10, 1024])
def test_full_queues(case, limit):
    folder, run = case
    expected = read(folder, f"blocked_on_full_queue_{limit}")
    ours = rs.hta.get_time_spent_blocked_on_full_queue(run, max_queue_length=limit)
    if expected is None:
        pytest.skip("HTA printed none")
    keys = ["rank", "stream"]
    listed = ours.merge(expected[keys], on=keys)  # HTA keeps one stream of each rank
    expected = expected[expected["duration_at_max_queue_length"] > 0]
    same(listed, expected, keys)
    assert set(ours["rank"]) == set(expected["rank"])


def test_bandwidths(case):
    folder, run = case
    expected = read(folder, "memory_bw_time_series")
    if expected is not None and len(expected):
        same(rs.hta.get_memory_bw_time_series(run), expected, ["rank", "name"], ["ts", "memory_bw_gbps"])
    summary = described(folder, "memory_bw_summary", "name")
    if summary is not None:
        same(rs.hta.get_memory_bw_summary(run), summary, ["rank", "name"])


def test_kernels_with_annotations(case):
    folder, run = case
    expected = read(folder, "gpu_kernels_with_user_annotations_rank0")
    if expected is None or expected.empty:
        pytest.skip("HTA printed none")
    ours = rs.hta.get_gpu_kernels_with_user_annotations(run, rank=0)
    same(ours, expected, ["index", "s_name", "stream"], ["ts", "dur"])
    ours, expected = (table.sort_values("index", kind="stable") for table in (ours, expected))
    for name in ("pid", "tid"):
        assert ours[name].tolist() == expected[name].astype(str).tolist()
    assert ours["s_user_annotation"].fillna("").tolist() == expected["s_user_annotation"].fillna("").tolist()


def test_profiler_steps(case):
    folder, run = case
    path = folder / "profiler_steps.json"
    if not path.exists():
        pytest.skip("HTA printed none")
    assert rs.hta.get_profiler_steps(run) == json.loads(path.read_text())


def test_kernel_sequences(case):
    folder, run = case
    files = sorted(folder.glob("frequent_patterns_*.csv"))
    if not files:
        pytest.skip("HTA printed none")
    for path in files:
        operator = re.sub("^aten_", "aten::", path.stem[len("frequent_patterns_"):])
        operator = {"Optimizer_step": "Optimizer.step", "autograd_engine": "autograd::engine"}.get(operator, operator)
        expected = pd.read_csv(path)
        for length, of_length in expected.groupby("min_pattern_len"):
            ours = rs.hta.get_frequent_cuda_kernel_sequences(run, operator, min_pattern_len=length)
            if (folder.name, operator) == ("negative_queue", "autograd::engine"):  # HTA takes most of them for inner ones (docs/python.md)
                counts = ours.set_index("pattern")["count"]
                assert all(counts[pattern] >= count for pattern, count in of_length[["pattern", "count"]].itertuples(index=False))
                continue
            same(ours, of_length.drop(columns="min_pattern_len"), ["rank", "pattern"])
            assert ours["pattern"].tolist() == of_length["pattern"].tolist(), path


def test_straggler_metric():
    run = open_quietly(SHARED / "traces" / TRACES["derived_sendrecv_4rank"])
    expected = read(ORACLE / "derived_sendrecv_4rank", "straggler_metric")
    same(rs.hta.straggler_metric(run), expected, ["rank", "stream", "iteration", "kernel"])
    assert rs.hta.get_potential_stragglers(run) == [2, 3]  # the latest in each of the four steps
    assert rs.hta.get_potential_stragglers(run, num_candidates=1, profiler_steps=[551]) == [3]


def described(folder, name, key):
    """A summary, which has three lines of header; None: HTA printed none."""
    path = folder / f"{name}.csv"
    if not path.exists() or len(path.read_text().splitlines()) <= 3:
        return None
    return pd.read_csv(path, skiprows=3, names=["rank", key, "count", "mean", "std", "min", "25%", "50%", "75%", "max"])


@pytest.fixture(scope="module")
def sides():
    return [open_quietly(SHARED / "traces" / name) for name in ("trace_diff_control", "trace_diff_test")]


VERSIONS = {"v0": None, "v1": [1010], "v2": [1010, 1011, 1012]}


@pytest.mark.parametrize("names", ["full", "short"])
@pytest.mark.parametrize("device", ["ALL", "CPU", "GPU"])
@pytest.mark.parametrize("version", VERSIONS)
def test_trace_diff(sides, version, device, names):
    steps = {"control_iteration": VERSIONS[version], "test_iteration": VERSIONS[version]}
    ours = rs.hta.compare_traces(*sides, device_type=device, use_short_name=names == "short", **steps)
    expected = read(DIFF, f"compare_{version}_{device}_{names}")
    key = expected.columns[0]
    same(ours, expected, [key, "counts_change_categories"])
    if names == "full":
        lists = rs.hta.ops_diff(*sides, device_type=device, **steps)
        theirs = json.loads((DIFF / f"ops_diff_{version}_{device}.json").read_text())
        assert {group: sorted(found) for group, found in lists.items()} == {group: sorted(found) for group, found in theirs.items()}
