# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run gives, with numbers worked out by hand (small_run.py)."""
import dataclasses
import json
import pathlib
import threading
import warnings

import numpy as np
import pandas as pd
import pytest

import rankscope as rs
import small_run
from conftest import open_quietly, program

REAL = pathlib.Path(__file__).resolve().parents[1] / "data" / "real"


def test_tables_have_keys_and_units(small):
    assert small.ranks["rank"].tolist() == [0, 1]
    assert small.ranks["computation_ns"].tolist() == [400_000, 800_000]
    assert small.ranks["wait_caused_ns"].tolist() == [0, 400_000]
    assert small.ranks.attrs["units"]["wait_caused_ns"] == "ns"
    assert small.steps[["rank", "step"]].values.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert small.steps["dur_ns"].tolist() == [1_000_000] * 4
    assert small.collectives["lag_ns"].tolist() == [200_000, 200_000]
    assert small.collectives["last_rank"].tolist() == [1, 1]
    assert small.kernels.groupby("name")["dur_ns"].sum().to_dict() == {"gemm": 1_200_000, "ncclDevKernel_AllReduce": 800_000}
    assert small.operators["name"].tolist() == ["aten::mm"] * 4
    assert small.iterations["step"].tolist() == [0, 1]


def test_types_do_not_depend_on_the_run(small):
    kernels = small.kernels
    assert kernels["start_ns"].dtype == np.int64
    assert kernels["class"].tolist().count("compute") == 4
    assert kernels["compute_kind"].tolist().count(None) == 4  # of communication
    assert kernels["blocks_per_sm"].dtype == np.float64 and kernels["blocks_per_sm"].isna().all()
    assert str(small.ranks["collectives"].dtype) == "int64"


def test_a_query_gives_numpy_types(small):
    result = small.sql("select 1 a, 1.5 b, 'x' c, null d union all select null, null, null, null")
    assert [str(t) for t in result.dtypes] == ["Int64", "float64", "object", "object"]
    assert result.iloc[0].tolist() == [1, 1.5, "x", None]
    mixed = small.sql("select 1 a union all select 2.5 union all select 'x' union all select null")
    assert sorted(map(str, mixed["a"])) == ["1.0", "2.5", "None", "x"]
    large = small.sql("select 9007199254740993 a union all select 0.5")
    assert sorted(large["a"]) == [0.5, 9007199254740993]
    assert small.sql("select 1 where 0").empty
    assert small.sql("select 9e999 a union all select -9e999 union all select null")["a"].tolist()[:2] == [np.inf, -np.inf]


def test_what_fills_a_step(small):
    parts = small.breakdown()
    assert parts.sum() == pytest.approx(small.iterations["step_ns"].mean() / 1000)
    assert parts["computation_us"] == 300 and parts["waiting_us"] == 100
    assert small.breakdown(rank=1)["computation_us"] == 400
    assert small.breakdown(step=1)["computation_us"] == 300
    with pytest.raises(rs.UsageError, match="rank 7"):
        small.breakdown(rank=7)


def test_metrics_say_their_unit_or_why_not(small):
    step = small.metrics["step_time"]
    assert (step.value, step.unit, step.why_not) == (1.0, "ms", None)
    assert small.metrics["iter_time"].by_rank.loc[1, "avg_ms"] == 1.0
    assert small.metrics["throughput_tokens"].value is None and "batch_size" in small.metrics["throughput_tokens"].why_not


def test_events_are_the_columns_of_core(small):
    events = small.events(rank=1, lane="stream 7")
    assert len(events) == 2
    assert events.dur_ns.tolist() == [400_000, 400_000]
    assert events.start_ns.tolist() == [100_000, 1_100_000]
    assert events.recorded_start_ns.tolist() == [5_000_100_000, 5_001_100_000]
    assert events.name.tolist() == ["gemm", "gemm"] and events.kind.tolist() == ["kernel", "kernel"]
    again = small.events(rank=1, lane="compute")
    assert again.dur_ns.__array_interface__["data"] == events.dur_ns.__array_interface__["data"]  # the same memory
    assert small.events(rank=1, lane="communication").dur_ns.tolist() == [100_000, 100_000]


def test_columns_outlive_their_run(small_path):
    columns = open_quietly(small_path).events(rank=0, lane=0).dur_ns
    assert columns.tolist() == [200_000, 200_000]


def test_nothing_can_be_changed(small):
    events = small.events(rank=0, lane=0)
    for column in (events.dur_ns, events.recorded_start_ns, events.name_id, events.start_ns, events.name):
        with pytest.raises(ValueError):
            column[0] = column[0]
    with pytest.raises(dataclasses.FrozenInstanceError):
        small.metrics["step_time"].value = 1
    with pytest.raises(TypeError):
        small.metrics["step_time"] = None
    table = small.kernels
    table.loc[0, "dur_ns"] = 0  # a table is the caller's own
    assert small.kernels["dur_ns"].min() > 0


def test_what_is_handed_out_is_the_readers_own(small):
    def handed_out():
        metric, finding = small.metrics["iter_time"], small.findings[0]
        return (json.dumps([metric.details, finding.evidence]), metric.by_rank.to_csv(), small.facts.by_rank.to_csv(),
                small.why(step=1, rank=0).by_class_us, small.breakdown().to_dict())

    before = handed_out()
    small.metrics["iter_time"].details["per_rank"][0]["avg_ms"] = 7
    small.metrics["iter_time"].details.clear()
    small.findings[0].evidence.clear()
    small.facts.by_rank["computation_ns"] = 0
    small.why(step=1, rank=0).by_class_us.clear()
    small.breakdown()[:] = 0
    assert handed_out() == before
    document = small.document["runs"][0]["metrics"]
    assert {name: metric.details for name, metric in small.metrics.items()} == {name: m.get("details", {}) for name, m in document.items()}
    assert len(small.metrics) == len(document) and "step_time" in repr(small.metrics)


def test_the_headline_names_the_slow_rank(small):
    assert small.headline.startswith("Rank 1 computes 2.0 times as long as its peers")
    assert "comes last at 2 of 2 collective calls; there the others wait 200 µs a step for it" in small.facts.sentences[1]


def test_findings_have_numbers_with_units(small):
    worst = small.findings[0]
    assert (worst.code, worst.kind, worst.cost_us, worst.share_of_step, worst.ranks) == ("host_bound", "inherent", 485, 0.485, ())


def test_a_prediction(small):
    predicted = small.what_if("straggler=median")
    assert predicted.measured_us == 1000 and predicted.predicted_us <= 1000 and predicted.changes == ("straggler=median",)
    with pytest.raises(rs.UsageError, match="strangler"):
        small.what_if("strangler=median")


def test_only_the_steps_asked_for(small_path):
    run = open_quietly(small_path, iterations="1")
    assert run.steps["step"].unique().tolist() == [1]
    with pytest.raises(rs.InputError, match="none of --iterations"):
        open_quietly(small_path, iterations="7")


def test_errors_are_one_line(small, small_path, tmp_path):
    with pytest.raises(rs.InputError) as raised:
        rs.open(tmp_path / "nothing")
    assert "\n" not in str(raised.value) and "nothing" in str(raised.value)
    with pytest.raises(rs.UsageError, match="--memory"):
        rs.open(small_path, memory="much")
    with pytest.raises(rs.UsageError, match="no such column"):
        small.sql("select lateness from rank")
    with pytest.raises(rs.UsageError, match="one query"):
        small.sql("select 1; select 2")
    with pytest.raises(rs.UsageError, match="no table"):
        small.table("rank; select 1")
    with pytest.raises(rs.UsageError, match="rank 9"):
        small.events(rank=9, lane=0)
    with pytest.raises(rs.UsageError, match="no lane"):
        small.events(rank=0, lane="stream '8")
    with pytest.raises(rs.UsageError, match="no lane"):
        small.events(rank=0, lane=99)


def test_a_notice_is_a_warning_once(small_path):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run = rs.open(small_path, iterations="0-1,9")
        run.headline, run.metrics, run.headline
    texts = [str(w.message) for w in caught if issubclass(w.category, rs.NoticeWarning)]
    assert texts == [str(notice) for notice in run.notices]
    assert [notice.code for notice in run.notices].count("iteration_not_found") == 1


def test_a_budget_that_is_too_small_is_an_error(tmp_path):
    folder = tmp_path / "large"
    folder.mkdir()
    events = ",".join(f'{{"ph":"X","cat":"kernel","name":"k{i}","pid":0,"tid":7,"ts":{i},"dur":1}}' for i in range(400_000))
    (folder / "rank0.json").write_text('{"traceEvents":[' + events + "]}")
    with pytest.raises(rs.InputError, match="memory"):
        open_quietly(folder, memory="16M").document
    assert len(open_quietly(folder).kernels) == 400_000


def test_reading_tells_progress(small_path):
    seen = []
    open_quietly(small_path)
    rs.open(small_path, progress=lambda *numbers: seen.append(numbers))
    assert all(len(numbers) == 4 for numbers in seen)  # a small run may be read before the first time

    def refuse(*_):
        raise RuntimeError("no more")

    try:
        rs.open(small_path, progress=refuse)
    except RuntimeError as error:
        assert str(error) == "no more"


def test_two_runs_and_many_threads(small, small_path):
    other = open_quietly(small_path, iterations="1")
    wanted = (small.metrics["iter_time"].value, len(small.kernels), len(other.steps))
    answers = []

    def ask():
        fresh = open_quietly(small_path)
        answers.append((fresh.metrics["iter_time"].value, len(small.kernels), len(other.steps)))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [wanted] * 8


def test_python_goes_on_while_a_query_runs(small):
    ticks = []
    done = threading.Event()
    slow = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select count(*) from n"
    worker = threading.Thread(target=lambda: (small.sql(slow), done.set()))
    worker.start()
    while not done.wait(0.001):
        ticks.append(1)
    worker.join()
    assert len(ticks) > 5


def test_the_report_is_that_of_batch(small, small_path):
    assert small.report() == program("--batch", "--quiet", small_path)
    assert "2 ranks" in repr(small)


def test_a_notebook_shows_step_and_findings(small):
    html = small._repr_html_()
    assert "computation 30 %" in html and "The GPU waits for the host" in html
    page = small.timeline(steps=[1])
    assert "<script" in page.html and page._repr_html_().startswith("<iframe srcdoc=")
    assert len(small.timeline().html) > 10_000
    with pytest.raises(rs.UsageError, match="^no step 9; there are steps 0 to 1$"):
        small.timeline(steps=[1, 9])


def test_names_of_a_trace_are_no_markup(tmp_path):
    folder = small_run.write(tmp_path / "<b>bold")
    assert "<b>bold" not in open_quietly(folder)._repr_html_()


def test_tables_lists_units():
    tables = rs.tables()
    row = tables[(tables["table"] == "rank") & (tables["column"] == "wait_caused_ns")].iloc[0]
    assert row["unit"] == "ns" and row["type"] == "INTEGER"
    assert isinstance(tables, pd.DataFrame)


def test_a_hang_names_the_culprit():
    hang = open_quietly(REAL / "hang").hang
    assert hang.outcome == "stuck" and hang.problem == "missing" and hang.stuck_in == "all_reduce 52 of group 0"
    assert [rank.rank for rank in hang.culprits] == [2] and hang.absent == (2,) and hang.possible == ()
    assert hang.waiting == (0, 1, 3) and [rank.rank for rank in hang.victims] == [0, 1, 3]
    assert hang.culprits[0].why.startswith("It never made all_reduce 52") and hang.culprits[0].waits_in is None
    assert hang.victims[0].waits_for == (2,) and hang.victims[0].waits_in == hang.stuck_in
    assert hang.culprits[0].last_completed == "all_reduce 51 of group 0"
    assert hang.sentences[0] == open_quietly(REAL / "hang").headline
    with pytest.raises(dataclasses.FrozenInstanceError):
        hang.outcome = "none open"


def test_other_runs_have_no_hang(small):
    assert small.hang is None


def test_why_says_which_steps_there_are(small):
    run = open_quietly(REAL / "more_tokens")
    with pytest.raises(rs.UsageError, match="^rank 0 has no step 1; it has 2 to 5$"):
        run.why(step=1, rank=0)
    with pytest.raises(rs.UsageError, match="^rank 9 has no trace; there are ranks 0 to 3$"):
        run.why(step=2, rank=9)
    assert run.why(step=2, rank=0).step == 2


def test_why_of_a_serving_engine(tmp_path):
    """When its last step ends is not known: NaN, and no error."""
    events = []
    for step in range(3):
        start = 1000 * step
        host = {"pid": 1, "tid": 1}
        events.append({"ph": "X", "cat": "user_annotation", "name": "execute_context_0(0)_generation_8(8)", "ts": start, "dur": 900, **host})
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": start + 10, "dur": 5, "args": {"correlation": step + 1}, **host})
        events.append(
            {"ph": "X", "cat": "kernel", "name": "decode", "pid": 0, "tid": 7, "ts": start + 20, "dur": 800,
             "args": {"correlation": step + 1, "device": 0, "stream": 7}}
        )
    (tmp_path / "rank0.json").write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    run = open_quietly(tmp_path)
    assert run.why(step=2, rank=0).step == 2
    assert run.why(step=3, rank=0).step == 3
