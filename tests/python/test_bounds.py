# SPDX-License-Identifier: GPL-3.0-or-later
"""A number that is a bound says so wherever Python shows it."""
import dataclasses

import pytest

import rankscope as rs
import small_run
from conftest import open_quietly
from rankscope.html import summary


@pytest.fixture(scope="module")
def without_rank_1(tmp_path_factory):
    folder = small_run.write(tmp_path_factory.mktemp("missing") / "missing_rank")
    (folder / "rank1.pt.trace.json").unlink()
    return open_quietly(folder)


def test_metrics_of_a_run_without_a_rank(without_rank_1, small):
    exposed = without_rank_1.metrics["exposed_comm"]
    assert exposed.bound == "at_most" and "not all ranks" in exposed.bound_reason
    assert without_rank_1.metrics["comm_bandwidth"].bound == "at_least"
    assert without_rank_1.metrics["step_time"].bound is None and small.metrics["exposed_comm"].bound is None


def test_a_comparison_has_the_bounds_of_both_runs(without_rank_1, small):
    metrics = rs.compare(small, without_rank_1).metrics
    assert metrics.loc["exposed_comm", ["baseline_bound", "test_bound"]].tolist() == [None, "at_most"]
    assert metrics.loc["exposed_comm", "measured_otherwise"]  # therefore
    assert metrics.loc["step_time", ["baseline_bound", "test_bound", "measured_otherwise"]].tolist() == [None] * 3


def test_a_notebook_says_at_most(small):
    finding = dataclasses.replace(small.findings[0], cost_us=140_141.8, cost_bound="at_most")
    html = summary("run", "", small.breakdown(), [finding, dataclasses.replace(finding, cost_bound=None)])
    assert "<td>at most 140.14 ms</td>" in html and "<td>140.14 ms</td>" in html
