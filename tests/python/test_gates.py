# SPDX-License-Identifier: GPL-3.0-or-later
"""Gates take runs and histories as the runs were opened, like those of the command line."""
import json
import subprocess

import pytest

import rankscope as rs
import small_run
from conftest import PROGRAM, open_quietly

METRIC = """
metrics:
  - id: all_kernels
    title: Kernels
    unit: count
    better: lower
    expression: kernels
    values:
      kernels: {count: {kind: kernel}}
"""


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """Three days, whose runs have three steps."""
    folder = tmp_path_factory.mktemp("days")
    for day in range(1, 4):
        small_run.write(folder / f"day{day}", start_us=day * 86_400_000_000, steps=3)
    return folder


def of_program(*arguments):
    done = subprocess.run([PROGRAM, "--batch", "--json", "--quiet", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)["gates"][0]


@pytest.mark.parametrize("option", [{"iterations": "0-1"}, {"time_range": "0/2ms"}], ids=str)
def test_a_history_is_of_the_part_that_was_opened(history, tmp_path, option):
    path = small_run.write(tmp_path / "run", steps=3)
    run = open_quietly(path, **option)
    expression = "iter_time.num_iterations>=median(history)"
    gate = rs.gate(run, expression, history=history)
    assert (gate.passed, gate.value, gate.limit, gate.history_runs) == (True, 2, 2, 3)
    (name, value), = option.items()
    expected = of_program(path, "--history", history, "--gate", expression, f"--{name.replace('_', '-')}", value)
    assert (gate.passed, gate.value, gate.limit, gate.text) == tuple(expected[key] for key in ("passed", "value", "limit", "text"))


def test_metrics_of_a_file(small, small_path, history, tmp_path):
    file = tmp_path / "own.yaml"
    file.write_text(METRIC)
    run = open_quietly(small_path, metrics_file=file)
    assert run.metrics["all_kernels"].value == 8
    assert rs.gate(run, "all_kernels<=8").passed and not rs.gate(run, "all_kernels<8").passed
    assert rs.gate(run, "all_kernels<=max(history)", history=history).passed
    assert rs.gate(run, "all_kernels<+3%", baseline=run).passed
    with pytest.raises(rs.UsageError, match="^the baseline was opened without all_kernels"):
        rs.gate(run, "all_kernels<+3%", baseline=small)
    assert rs.gate(run, "step_time<+3%", baseline=small).passed


def test_without_a_limit_there_is_none(small_path, tmp_path):
    small_run.write(tmp_path / "same")
    gate = rs.gate(open_quietly(small_path), "step_time<=max(history)", history=tmp_path)
    assert (gate.passed, gate.value, gate.limit, gate.history_runs) == (False, None, None, 0) and gate.reason


def test_a_change_has_its_numbers(small):
    gate = rs.gate(small, "step_time<+3%", baseline=small)
    assert (gate.value, gate.limit, gate.baseline, gate.test) == (0, 3, 1, 1)
    assert gate.within_interval is False and gate.of_common_part is False and gate.history_runs is None
