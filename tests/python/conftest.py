# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs and the program for the tests of the Python package. tests/python/check-python sets the environment."""
import json
import os
import pathlib
import subprocess
import warnings

import pytest

import rankscope as rs
import small_run

SHARED = pathlib.Path(os.environ.get("RANKSCOPE_SHARED", ""))
PROGRAM = os.environ.get("RANKSCOPE_PROGRAM", "rankscope-batch")


def shared_runs():
    """Every run of the shared traces: a folder of files, or an export of Nsight Systems."""
    folder = SHARED / "traces"
    if not folder.is_dir():
        return []
    runs = []
    for path in sorted(p for p in folder.iterdir() if p.is_dir()):
        below = sorted(p for p in path.iterdir() if p.is_dir() and p.name != "capture_traces")
        if path.name == "nsys":
            runs += sorted(path.glob("*.sqlite"))
        else:
            runs += below or [path]
    return runs


def program(*arguments, code=0):
    """What the program prints on stdout."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=600)
    assert done.returncode == code, done.stderr
    return done.stdout


def program_json(*arguments):
    return json.loads(program(*arguments, "--json", "--quiet"))


def open_quietly(path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.NoticeWarning)
        return rs.open(path, progress=False, **options)


@pytest.fixture(scope="session")
def small_path(tmp_path_factory):
    return small_run.write(tmp_path_factory.mktemp("small") / "small_run")


@pytest.fixture(scope="session")
def small(small_path):
    return open_quietly(small_path)


@pytest.fixture(scope="session")
def dlrm_path():
    path = SHARED / "traces" / "dlrm_v100_8rank"
    if not path.is_dir():
        pytest.skip("the shared traces are not here")
    return path


@pytest.fixture(scope="session")
def dlrm(dlrm_path):
    return open_quietly(dlrm_path)
