# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of NumPy and of the package's own tables are numbers; what cannot be meant is a UsageError of one line."""
import numpy as np
import pytest

import rankscope as rs
from conftest import SHARED, open_quietly


def test_numbers_of_tables(small):
    row = small.kernels.query("name == 'gemm' and rank == 1").iloc[0]
    assert len(small.events(row["rank"], row["lane"])) == 2
    assert small.breakdown(rank=np.int32(1))["computation_us"] == small.breakdown(rank=1)["computation_us"] == 400
    assert small.breakdown(step=np.uint8(1))["computation_us"] == 300
    step = small.steps.iloc[-1]  # a row of numbers has floats
    assert (small.why(step["step"], step["rank"]).step, small.why(np.int64(1), np.int64(1)).rank) == (1, 1)
    assert len(small.around(row["id"], pad_us=np.float32(1)))
    assert len(small.timeline(steps=small.steps["step"].unique()).html) == len(small.timeline(steps=[0, 1]).html)
    assert len(small.timeline(steps=np.int64(1), height=np.int64(9)).html) and small.report(np.int64(80)) == small.report(80)
    kernels = rs.hta.get_gpu_kernel_breakdown(small, num_kernels=np.int64(1))[1]
    assert len(kernels) == len(rs.hta.get_gpu_kernel_breakdown(small, num_kernels=1)[1])
    assert set(rs.hta.get_gpu_kernels_with_user_annotations(small, rank=np.int64(1))["rank"]) == {1}
    compared = rs.hta.compare_traces(small, small, control_iteration=np.int64(0), test_iteration=np.array([0, 1]), control_rank=np.int64(1))
    assert compared.set_index("name").loc["gemm", ["control_counts", "test_counts"]].tolist() == [1, 2]


WRONG = {
    "events": lambda run: run.events("0", "compute"), "events_lane": lambda run: run.events(0, -1), "events_none": lambda run: run.events(0, None),
    "events_half": lambda run: run.events(0.5, 0), "events_large": lambda run: run.events(2**40, 0), "events_huge": lambda run: run.events(0, 2**70),
    "sql": lambda run: run.sql(None), "table": lambda run: run.table(3), "what_if": lambda run: run.what_if(3), "report": lambda run: run.report(-5),
    "report_text": lambda run: run.report("wide"), "breakdown": lambda run: run.breakdown(rank="1"), "breakdown_step": lambda run: run.breakdown(step=[1]),
    "why": lambda run: run.why(step=None, rank=0), "why_nan": lambda run: run.why(step=float("nan"), rank=0), "around": lambda run: run.around("gemm"),
    "around_row": lambda run: run.around(run.ranks.iloc[0]), "pad": lambda run: run.around(1, pad_us="2"), "timeline": lambda run: run.timeline(steps="1"),
    "timeline_none": lambda run: run.timeline(steps=[]), "height": lambda run: run.timeline(height="tall"), "save": lambda run: run.save(3),
    "formats": lambda run: run.save("there", formats=["csv"]), "export": lambda run: run.export_trace(None), "digest": lambda run: run.digest(None),
    "open": lambda run: rs.open(3), "metrics_file": lambda run: rs.open(run.path, metrics_file=3), "compare": lambda run: rs.compare(run, None),
    "compare_sql": lambda run: rs.compare(run, run).sql(3), "gate": lambda run: rs.gate(run, None), "gate_run": lambda run: rs.gate(run.path, "step_time<1"),
    "gate_baseline": lambda run: rs.gate(run, "step_time<+1%", baseline=run.path), "history": lambda run: rs.gate(run, "step_time<1", history=3),
    "study": lambda run: rs.study([run]), "study_none": lambda run: rs.study([]), "study_by": lambda run: rs.study(run.path, by=None),
    "hta": lambda run: rs.hta.get_temporal_breakdown(run.path), "hta_limit": lambda run: rs.hta.get_time_spent_blocked_on_full_queue(run, max_queue_length="x"),
    "hta_rank": lambda run: rs.hta.get_gpu_kernels_with_user_annotations(run, rank=9), "hta_name": lambda run: rs.hta.get_frequent_cuda_kernel_sequences(run, 3),
    "hta_steps": lambda run: rs.hta.get_potential_stragglers(run, profiler_steps=[9]), "device": lambda run: rs.hta.compare_traces(run, run, device_type=None),
    "iteration": lambda run: rs.hta.compare_traces(run, run, control_iteration=9), "iterations": lambda run: rs.hta.compare_traces(run, run, test_iteration=[0, 9]),
    "sheets": lambda run: rs.tracelens.sheets(None),
}


@pytest.mark.parametrize("call", WRONG.values(), ids=list(WRONG))
def test_a_wrong_argument(small, call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rs.UsageError) as raised:
        call(small)
    assert "\n" not in str(raised.value) and len(str(raised.value)) < 200
    assert not list(tmp_path.iterdir())


def test_steps_that_are_repetitions():
    path = SHARED / "traces" / "nsys" / "two_h100_before.sqlite"
    if not path.exists():
        pytest.skip("the shared traces are not here")
    run = open_quietly(path)
    assert run.steps.empty and len(run.iterations) == 16 and run.breakdown(step=3).sum() > 0
    for call in (lambda: run.timeline(steps=[3]), lambda: run.why(step=3, rank=0)):
        with pytest.raises(rs.UsageError, match="no profiler steps: its 16 steps are work that repeats"):
            call()


def test_a_study_without_one_of_its_runs(small_path, tmp_path):
    with pytest.warns(rs.NoticeWarning, match="left out of the study: .*nothing does not exist"):
        study = rs.study([small_path, tmp_path / "nothing"])
    assert study.table()["name"].tolist() == ["small_run"] and len(study.left_out) == 1
    assert rs.study(small_path).left_out == ()
    with pytest.raises(rs.InputError, match="nothing does not exist; no run of the study can be read"):
        rs.study(tmp_path / "nothing")


def test_a_path_with_the_signs_of_a_pattern(tmp_path):
    import small_run

    assert rs.study(small_run.write(tmp_path / "run[1]")).table()["name"].tolist() == ["run[1]"]
