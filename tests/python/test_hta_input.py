# SPDX-License-Identifier: GPL-3.0-or-later
"""What rankscope.hta says of runs that lack what HTA's analyses need: never zeros."""
import json

import pytest

import rankscope as rs
import small_run
from conftest import SHARED, open_quietly

OF_GPU_WORK = [
    rs.hta.get_temporal_breakdown, rs.hta.get_comm_comp_overlap, rs.hta.get_idle_time_breakdown, rs.hta.get_gpu_kernel_breakdown,
    rs.hta.get_cuda_kernel_launch_stats, rs.hta.get_queue_length_time_series, rs.hta.get_queue_length_summary,
    rs.hta.get_time_spent_blocked_on_full_queue, rs.hta.get_memory_bw_time_series, rs.hta.get_memory_bw_summary,
    rs.hta.get_gpu_kernels_with_user_annotations,
]


def without_kernels(file):
    trace = json.loads(file.read_text())
    trace["traceEvents"] = [event for event in trace["traceEvents"] if event["cat"] != "kernel"]
    file.write_text(json.dumps(trace))


def test_a_rank_without_gpu_work(tmp_path):
    folder = small_run.write(tmp_path / "run")
    without_kernels(folder / "rank1.pt.trace.json")
    table = rs.hta.get_temporal_breakdown(open_quietly(folder)).set_index("rank")
    assert table.loc[0, "kernel_time(us)"] == 500 and table.loc[1].isna().all()  # of step 0: HTA drops the last one


def test_a_run_without_gpu_work(tmp_path):
    folder = small_run.write(tmp_path / "run")
    for file in folder.iterdir():
        without_kernels(file)
    run = open_quietly(folder)
    for analysis in OF_GPU_WORK:
        with pytest.raises(rs.InputError, match="has no GPU work that HTA counts"):
            analysis(run)
    assert rs.hta.get_profiler_steps(run) == [0] and rs.hta.get_potential_stragglers(run) == []
    assert len(rs.hta.get_gpu_user_annotation_breakdown(run, use_gpu_annotation=False)) == 2


def test_traces_are_compared_by_profiler_steps(tmp_path):
    folder = small_run.write(tmp_path / "run")
    file = folder / "rank0.pt.trace.json"
    trace = json.loads(file.read_text())
    trace["traceEvents"] = [event for event in trace["traceEvents"] if not event["name"].startswith("ProfilerStep")]
    file.write_text(json.dumps(trace))
    run = open_quietly(folder)
    with pytest.raises(rs.InputError, match="rank 0 has no profiler steps"):
        rs.hta.compare_traces(run, run)


@pytest.mark.parametrize("name", ["operations_st", "flight_recorder/gpu_error_1st", "dlrm_v100_8rank_et"])
def test_other_kinds_of_runs(name):
    path = SHARED / "traces" / name
    if not path.is_dir():
        pytest.skip("the shared traces are not here")
    with pytest.raises(rs.InputError, match="has no GPU work that HTA counts"):
        rs.hta.get_temporal_breakdown(open_quietly(path))
