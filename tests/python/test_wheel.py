# SPDX-License-Identifier: GPL-3.0-or-later
"""A wheel of what is built here installs into a fresh environment, which then has the package and rankscope-batch."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

import small_run

PACKAGE = pathlib.Path(__file__).parents[2] / "packaging" / "python"
BUILD = os.environ.get("RANKSCOPE_PACKAGE", "")

for needed in ("build", "setuptools", "wheel", "venv"):
    pytest.importorskip(needed, reason=f"no {needed} (scripts/setup --tests)")


def run(*arguments, **environment):
    plain = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, env={**plain, **environment}, cwd="/")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build_folder = pathlib.Path(BUILD).parents[1]
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, PACKAGE, RANKSCOPE_BUILD_FOLDER=str(build_folder))
    [wheel] = folder.glob("*.whl")
    tag = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    assert wheel.name.startswith("rankscope-") and f"-{tag}-{tag}-linux_" in wheel.name
    run(sys.executable, "-m", "venv", "--system-site-packages", folder / "venv")
    run(folder / "venv/bin/pip", "install", "--no-index", "--no-deps", wheel)
    return folder


def test_the_package_opens_a_run(environment):
    path = small_run.write(environment / "small_run")
    text = run(environment / "venv/bin/python", "-c",
               "import sys, rankscope as rs; run = rs.open(sys.argv[1]); print(rs.__file__); print(run.metrics['step_time'].value);"
               "print(run.ranks['wait_caused_ns'].tolist()); run.digest(sys.argv[1] + '_digest')", path)
    where, step_time, waits = text.splitlines()
    assert where.startswith(str(environment)) and step_time == "1.0" and waits == "[0, 400000]"


def test_the_console_script_is_the_program(environment):
    path = small_run.write(environment / "other_run")
    document = json.loads(run(environment / "venv/bin/rankscope-batch", "--batch", path, "--json", "--quiet"))
    assert document["runs"][0]["ranks"] == [0, 1]


def test_nothing_is_left_beside_the_sources(environment):
    assert not list(PACKAGE.glob("*.egg-info")) and not (PACKAGE / "build").exists()
