# SPDX-License-Identifier: GPL-3.0-or-later
"""python3-rankscope has the package and the program, and names what they need."""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import small_run

ROOT = pathlib.Path(__file__).parents[2]

if not shutil.which("dpkg-shlibdeps") or not shutil.which("dpkg-deb"):
    pytest.skip("no dpkg-dev", allow_module_level=True)


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("debian")
    build = pathlib.Path(os.environ["RANKSCOPE_PACKAGE"]).parents[1]
    return pathlib.Path(subprocess.run([ROOT / "packaging/python/make-deb", build, folder], check=True, capture_output=True, text=True).stdout.strip())


def test_what_is_inside_works(package, tmp_path):
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path], check=True)
    path = small_run.write(tmp_path / "small_run")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "usr/lib/python3/dist-packages")}
    said = subprocess.run([sys.executable, "-c", "import sys, rankscope as rs; print(rs.open(sys.argv[1]).headline); print(rs.__file__)", path],
                          env=environment, check=True, capture_output=True, text=True, cwd="/").stdout
    assert said.startswith("Rank 1 computes 2.0 times") and str(tmp_path) in said
    text = subprocess.run([tmp_path / "usr/bin/rankscope-batch", "--batch", path], check=True, capture_output=True, text=True).stdout
    assert "2 ranks" in text


def test_it_names_what_it_needs(package):
    needs = subprocess.run(["dpkg-deb", "--field", package, "Depends"], check=True, capture_output=True, text=True).stdout
    assert f"python3 (<< 3.{sys.version_info[1] + 1})" in needs
    assert "python3-pandas" in needs and "libtbb12" in needs and "libqt" not in needs.lower()
    files = subprocess.run(["dpkg-deb", "--contents", package], check=True, capture_output=True, text=True).stdout
    assert "./usr/lib/python3/dist-packages/rankscope/py.typed" in files and "__pycache__" not in files
