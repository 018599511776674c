# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python of the documentation runs, and the notebook gives what it says."""
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

import small_run

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path):
    """Where my_run, before and after are."""
    small_run.write(tmp_path / "my_run")
    small_run.write(tmp_path / "before")
    small_run.write(tmp_path / "after", slowdown=1.1)
    return tmp_path


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_code_of_a_page(folder, page):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    done = subprocess.run([sys.executable, "-W", "error", "-c", "\n".join(blocks)], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_notebook(folder):
    pytest.importorskip("nbconvert", reason="no nbconvert (scripts/setup --tests)")
    pytest.importorskip("ipykernel", reason="no ipykernel (scripts/setup --tests)")
    pytest.importorskip("matplotlib", reason="no matplotlib (scripts/setup --tests)")
    notebook = folder / "first-look.ipynb"  # it runs in the folder where it is
    notebook.write_text((ROOT / "docs" / "notebooks" / "first-look.ipynb").read_text())
    cells = json.loads(notebook.read_text())["cells"]
    assert all(not cell.get("outputs") for cell in cells)  # those of one machine are of no use on another
    done = subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", folder, "--output", "done.ipynb",
         "--ExecutePreprocessor.timeout=120", "--ExecutePreprocessor.kernel_name=python3", notebook],
        cwd=folder, capture_output=True, text=True, env={**os.environ, "MPLCONFIGDIR": str(folder)})
    assert done.returncode == 0, done.stderr
    text = (folder / "done.ipynb").read_text()
    assert "image/png" in text and "Rank 1 computes 2.0 times as long as its peers" in text and "iframe srcdoc" in text
    assert '"output_type": "error"' not in text
