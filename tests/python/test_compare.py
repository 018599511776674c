# SPDX-License-Identifier: GPL-3.0-or-later
"""Two runs beside each other, gates and series: the program's values, and numbers worked out by hand."""
import filecmp

import pytest

import rankscope as rs
import small_run
from conftest import SHARED, open_quietly, program, program_json

PAIRS = [("trace_diff_control", "trace_diff_test"), ("rccl_demo/32cu_512threads", "rccl_demo/56cu_256threads"),
         ("nsys/two_h100_before.sqlite", "nsys/two_h100_after.sqlite"), ("dlrm_v100_8rank", "nccl_a100")]


@pytest.fixture(scope="module")
def slower_path(tmp_path_factory):
    return small_run.write(tmp_path_factory.mktemp("slower") / "slower_run", slowdown=1.1)


@pytest.fixture(scope="module")
def compared(small, slower_path):
    return rs.compare(small, open_quietly(slower_path))


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_the_comparison_is_that_of_batch(pair):
    paths = [SHARED / "traces" / name for name in pair]
    if not all(path.exists() for path in paths):
        pytest.skip("the shared traces are not here")
    expected = program_json("--batch", *paths)
    compared = rs.compare(*map(open_quietly, paths))
    assert compared.document == expected
    one = expected["comparison"][0]
    assert compared.parts["difference_us"].to_dict() == {p["id"]: p["difference_us"] for p in one["changes"].get("parts", [])}
    assert compared.metrics["percent_change"].dropna().to_dict() == {
        name: m["percent_change"] for name, m in one["metrics"].items() if m["percent_change"] is not None
    }
    assert list(compared.config.index) == [row["key"] for row in one["config"]]
    assert compared.report() == program("--batch", "--quiet", *paths)


def test_parts_by_hand(compared):
    # Rank 0 computes 220 instead of 200 µs, rank 1 440 instead of 400: 30 µs on mean.
    assert compared.comparable and compared.verdict == ""
    assert compared.parts.loc["compute", "difference_us"] == pytest.approx(30)
    assert compared.metrics.loc["step_time", "unit"] == "ms"
    both = compared.sql("select run, sum(dur_ns) ns from kernel where class = 'compute' group by run")
    assert both["ns"].tolist() == [1_200_000, 1_320_000]
    gemm = compared.operators.query("name == 'gemm'").iloc[0]
    assert (gemm["baseline_us"], gemm["test_us"], gemm["status"]) == (600, 660, "unchanged")  # two calls, mean of two ranks
    assert compared.baseline.name == "small_run" and compared.test.name == "slower_run"


def test_gates(small, slower_path, small_path, tmp_path):
    assert rs.gate(small, "step_time<=1.5").passed
    failed = rs.gate(small, "step_time<0.5")
    assert (failed.passed, failed.value, failed.limit) == (False, 1.0, 0.5)
    slower = open_quietly(slower_path)
    against = rs.gate(slower, "kernel_breakdown<+3%", baseline=small)
    expected = program_json_of_gate(small_path, slower_path, "kernel_breakdown<+3%")
    assert (against.passed, against.value, against.text) == (expected["passed"], expected["value"], expected["text"])
    with pytest.raises(rs.UsageError):
        rs.gate(small, "step_time<+3%")
    with pytest.raises(rs.UsageError):
        rs.gate(small, "lateness<3")
    history = tmp_path / "history"
    for day in range(1, 4):
        small_run.write(history / str(day), start_us=day * 86_400_000_000)
    assert rs.gate(small, "step_time<=max(history)", history=history).passed


def program_json_of_gate(baseline, test, expression):
    import json
    import subprocess

    from conftest import PROGRAM

    done = subprocess.run([PROGRAM, "--batch", str(baseline), str(test), "--gate", expression, "--json", "--quiet"], capture_output=True, text=True)
    return json.loads(done.stdout)["gates"][0]


def test_a_series(small_path, slower_path):
    series = rs.study([small_path, slower_path], by="name")
    table = series.table()
    assert table["name"].tolist() == ["slower_run", "small_run"]
    assert table["step_time"].tolist() == [1.0, 1.0] and table.attrs["units"]["step_time"] == "ms"
    assert rs.study(str(small_path.parent / "*")).table()["name"].tolist() == ["small_run"]
    with pytest.raises(rs.InputError):
        rs.study("/nothing/*")


def test_why_a_step_takes_so_long(small):
    why = small.why(step=1, rank=0)
    assert why.waits["wait_ns"].tolist() == [200_000] and why.waits["last_rank"].tolist() == [1]
    assert why.against_peers.loc["computation_ns", "difference_ns"] == -200_000
    assert sum(why.by_class_us.values()) == pytest.approx(sum(why.by_rank_us.values()))
    assert set(why.critical_path["step"]) == {1} and {"aten::mm", "cudaLaunchKernel", None} <= set(why.critical_path["name"])
    with pytest.raises(rs.UsageError, match="no step 7"):
        small.why(step=7, rank=0)


def test_what_runs_around_an_event(small):
    gemm = small.kernels.query("name == 'gemm' and rank == 0").iloc[0]  # 100 to 300 µs
    names = small.around(gemm)
    assert set(names["rank"]) == {0, 1}
    assert names.query("rank == 1 and `class` == 'compute'")["name"].tolist() == ["gemm"]
    assert "aten::mm" not in set(names["name"])  # 10 to 60 µs
    assert "aten::mm" in set(small.around(int(gemm["id"]), pad_us=50)["name"])
    assert len(small.around(small.findings[0].events[0]))
    with pytest.raises(rs.UsageError, match="no event"):
        small.around(10**9)


def test_files_are_those_of_output(small, small_path, tmp_path):
    small.save(tmp_path / "python")
    program("--batch", "--quiet", small_path, "--output", tmp_path / "batch")
    same = filecmp.dircmp(tmp_path / "python", tmp_path / "batch")
    assert not same.left_only and not same.right_only
    different = [name for name in same.common_files if not filecmp.cmp(tmp_path / "python" / name, tmp_path / "batch" / name, shallow=False)]
    assert [name for name in different if not name.endswith(".xlsx")] == []  # a workbook has its time in it
    small.save(tmp_path / "csv", formats="csv")
    assert all(path.suffix == ".csv" for path in (tmp_path / "csv").iterdir())
    (tmp_path / "file").write_text("")
    with pytest.raises(rs.OutputError):
        small.save(tmp_path / "file")


def test_a_trace_for_perfetto(small, small_path, tmp_path):
    small.export_trace(tmp_path / "python.json")
    program("--batch", "--quiet", small_path, "--export-trace", tmp_path / "batch.json")
    assert filecmp.cmp(tmp_path / "python.json", tmp_path / "batch.json", shallow=False)
    with pytest.raises(rs.OutputError):
        small.export_trace(tmp_path / "nowhere" / "trace.json")


def test_a_digest_opens_like_the_run(small, tmp_path):
    small.digest(tmp_path / "digest")
    digest = open_quietly(tmp_path / "digest")
    assert digest.metrics["step_time"].value == small.metrics["step_time"].value
