# SPDX-License-Identifier: GPL-3.0-or-later
"""A name has one definition: what SQL, Python, CSV and JSON call the same is the same number (docs/cli.md, Names of columns)."""
import pathlib

import numpy as np
import pandas as pd
import pytest

import rankscope as rs
from conftest import open_quietly, program, program_json

REAL = pathlib.Path(__file__).resolve().parents[1] / "data" / "real"


@pytest.fixture(scope="module", params=["more_tokens", "slow_gpu", "pipeline"])
def case(request, tmp_path_factory):
    path = REAL / request.param
    folder = tmp_path_factory.mktemp("csv")
    program("--batch", path, "--quiet", "--output", folder, "--format", "csv")
    return open_quietly(path), folder, program_json("--batch", path)["runs"][0]


def same_names(ours, theirs, least):
    """Of columns that both have, in ns and in µs. Returns them."""
    shared = [name for name in theirs.columns if name.endswith("_us") and f"{name[:-3]}_ns" in ours.columns]
    assert len(shared) >= least, shared
    for name in shared:
        mine = ours[f"{name[:-3]}_ns"].astype("float64") / 1000
        np.testing.assert_allclose(mine, theirs[name].astype("float64"), rtol=0, atol=6e-4, err_msg=name)
    return shared


def test_ranks(case):
    run, folder, document = case
    ranks = run.ranks
    shared = same_names(ranks, pd.read_csv(folder / "ranks.csv"), 12)
    assert {"exposed_comm_with_waits_us", "lag_us", "wait_us", "wait_caused_us"} <= set(shared)
    same_names(ranks, pd.DataFrame([rank["gpu_timeline"] for rank in document["per_rank"]]), 9)
    if (ranks["collectives"] == 0).all():
        return  # a pipeline: messages only
    lags = pd.DataFrame(document["metrics"]["straggler_lag"]["details"]["per_rank"]).set_index("rank")
    same_names(ranks.set_index("rank").loc[lags.index], lags, 1)  # wait_caused_us


def test_steps(case):
    run, folder, _ = case
    rows = pd.read_csv(folder / "iterations.csv")
    steps = run.steps
    assert rows[["rank", "step"]].values.tolist() == steps[["rank", "step"]].values.tolist()
    assert {"exposed_comm_with_waits_us", "exposed_communication_us", "waiting_us"} <= set(same_names(steps, rows, 7))


def test_facts(case):
    run, _, document = case
    by_rank = pd.DataFrame([{**rank["fill"], **rank} for rank in document["facts"]["by_rank"]])
    shared = same_names(run.facts.by_rank, by_rank, 11)
    assert "wait_caused_per_step_us" in shared and "wait_caused_us" not in shared
    by_step = pd.DataFrame([step["fill"] for step in document["facts"]["by_step"]])
    assert "exposed_communication_us" in same_names(run.iterations, by_step, 9)


def test_what_a_step_exposes_is_one_number_in_all_tables(case):
    run, _, _ = case
    by_step = run.steps.groupby("step")[["exposed_communication_ns", "waiting_ns"]].mean()
    pd.testing.assert_frame_equal(by_step, run.iterations.set_index("step")[["exposed_communication_ns", "waiting_ns"]], atol=1)
    mean = run.breakdown()
    assert mean["exposed_communication_us"] == pytest.approx(run.steps["exposed_communication_ns"].mean() / 1000, abs=1e-3)
    assert mean["waiting_us"] == pytest.approx(run.steps["waiting_ns"].mean() / 1000, abs=1e-3)


def test_waits_are_one_number_in_all_tables(case):
    run, _, _ = case
    if (run.ranks["collectives"] == 0).all():
        pytest.skip("messages only")
    members = run.sql("select m.rank, sum(m.wait_ns) wait_ns from collective_member m join collective c on c.call = m.call "
                      "where c.complete and c.members > 1 and c.kind not in ('Send', 'Recv', 'SendRecv') group by m.rank")
    ranks = run.ranks.set_index("rank")
    assert ranks.loc[members["rank"], "wait_ns"].tolist() == members["wait_ns"].tolist()
    assert ranks["wait_caused_ns"].sum() <= ranks["wait_ns"].sum()
    sheet = rs.tracelens.sheets(run)["Stragglers"].set_index("rank")
    np.testing.assert_allclose(sheet["total_wait_time_us"], ranks.loc[sheet.index, "wait_ns"] / 1000, atol=1e-3)


def test_waits_of_collectives_alone_are_those_of_the_document():
    run = open_quietly(REAL / "more_tokens")  # without messages between ranks
    total = run.document["runs"][0]["waiting"]["total_us"]
    assert run.ranks["wait_caused_ns"].sum() / 1000 == pytest.approx(total, abs=1e-3) == pytest.approx(299_809.684, abs=1e-3)
