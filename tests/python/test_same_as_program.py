# SPDX-License-Identifier: GPL-3.0-or-later
"""Python says what `--batch --json` and `--sql` say, of every shared trace."""
import json
import subprocess

import numpy as np
import pandas as pd
import pytest

import rankscope as rs
from conftest import PROGRAM, SHARED, open_quietly, program_json, shared_runs

EVENT_TABLES = ("event", "kernel", "operator")
MANY = 3000  # rows of these that are compared one by one

if not shared_runs():
    pytest.skip("the shared traces are not here", allow_module_level=True)


def name_of(path):
    return str(path.relative_to(SHARED / "traces"))


@pytest.fixture(scope="module", params=shared_runs(), ids=name_of)
def path(request):
    return request.param


@pytest.fixture(scope="module")
def run(path):
    done = subprocess.run([PROGRAM, "--batch", "--json", "--quiet", str(path)], capture_output=True, text=True)
    if done.returncode == 0:
        return open_quietly(path), json.loads(done.stdout)
    with pytest.raises(rs.InputError) as raised:
        open_quietly(path)
    # Of a folder of several runs the program names its command for all of them.
    assert done.returncode == 3 and done.stderr.startswith(f"rankscope: {raised.value}")
    pytest.skip(f"it does not open: {raised.value}")


def test_the_document_is_that_of_batch(run):
    opened, document = run
    assert opened.document == document


def test_values_are_those_of_the_document(run):
    opened, document = run
    one = document["runs"][0]
    assert opened.headline == one["summary"]
    assert [n.message for n in opened.notices][: len(one["notices"])] == [n["message"] for n in one["notices"]][: len(opened.notices)]
    assert list(opened.metrics) == list(one["metrics"])
    for name, metric in opened.metrics.items():
        expected = one["metrics"][name]
        assert (metric.value, metric.unit) == (expected.get("value") if expected["available"] else None, expected["unit"])
        assert (metric.why_not is None) == expected["available"]
        assert (metric.bound, metric.bound_reason) == (expected.get("bound"), expected.get("bound_reason"))
        if metric.by_rank is not None:
            assert list(metric.by_rank.index) == [row["rank"] for row in expected["details"]["per_rank"]]
    assert list(opened.facts.sentences) == one["facts"]["sentences"]
    fill = {key: value for key, value in one["facts"].get("fill", {}).items() if key != "step_us"}
    assert opened.breakdown().to_dict() == fill
    for found, expected in zip(opened.findings, document["findings"]):
        assert (found.title, found.cost_us, list(found.ranks)) == (expected["title"], expected["cost_us_per_step"], expected["ranks"])
        assert (found.cost_bound, list(found.victims)) == (expected.get("cost_bound"), expected.get("victims", []))
        for name in ("first_iteration", "last_iteration", "iterations_affected", "cost_us_per_affected_iteration", "group", "cause"):
            assert getattr(found, name) == expected.get(name)
        assert [e.start_us for e in found.events] == [e["start_us"] for e in expected["evidence"].get("events", [])]
    assert len(opened.findings) == len(document["findings"])


def plain(value):
    """As JSON has it."""
    if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
        return None
    return value.item() if isinstance(value, np.generic) else value


def test_tables_are_those_of_sql(run, path):
    opened, _ = run
    names = sorted(set(rs.tables()["table"]))
    queries = []
    for name in names:
        columns = ", ".join(c for c in rs.tables().query("table == @name")["column"] if c != "run")
        queries.append(f"select {columns} from {name}" + (f" limit {MANY}" if name in EVENT_TABLES else ""))
    answers = program_json("--batch", path, *[part for query in queries for part in ("--sql", query)])["results"]
    for name, query, answer in zip(names, queries, answers):
        table = opened.sql(query) if name in EVENT_TABLES else opened.table(name)
        assert list(table.columns) == answer["columns"], name
        assert len(table) == len(answer["rows"]), name
        for column in table.columns:
            ours = [plain(value) for value in table[column].tolist()]
            assert ours == [row[column] for row in answer["rows"]], (name, column)


def test_whole_tables_of_events_add_up(run):
    opened, _ = run
    for table, name in ((opened.kernels, "kernel"), (opened.operators, "operator")):
        sums = opened.sql(f"select count(*) n, sum(dur_ns) ns, sum(id) ids from {name}").iloc[0]
        assert len(table) == sums["n"]
        assert len(table) == 0 or (table["dur_ns"].sum(), table["id"].sum()) == (sums["ns"], sums["ids"])


def test_columns_of_lanes_are_the_events_of_sql(run):
    opened, _ = run
    lanes = opened.lanes
    for rank, lane, events in lanes[["rank", "lane", "events"]].head(4).itertuples(index=False):
        columns = opened.events(int(rank), int(lane)).frame()
        expected = opened.sql(f"select id, start_ns, dur_ns, name, kind from event where rank = {rank} and lane = {lane} order by id")
        assert len(columns) == events
        if events:
            pd.testing.assert_frame_equal(columns, expected)
