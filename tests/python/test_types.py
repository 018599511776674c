# SPDX-License-Identifier: GPL-3.0-or-later
"""The package is typed throughout, and mypy sees it in a program that uses it."""
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("mypy", reason="no mypy (scripts/setup --tests)")

PACKAGE = pathlib.Path(__file__).parents[2] / "packaging" / "python"


def mypy(*arguments, cwd):
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", PACKAGE / "pyproject.toml", "--cache-dir=/dev/null", *arguments],
        capture_output=True, text=True, cwd=cwd)
    return done.stdout


def test_the_package_is_typed():
    assert "Success" in mypy("rankscope", cwd=PACKAGE)


def test_a_wrong_use_is_seen(tmp_path):
    (tmp_path / "use.py").write_text(
        "import rankscope as rs\n"
        "run = rs.open('my_run', iterations='4-6')\n"
        "cost: float = run.findings[0].cost_us\n"
        "name: str = run.metrics['iter_time'].value\n"
        "rs.open('my_run', iteration='4')\n")
    said = mypy("use.py", cwd=tmp_path)
    assert "use.py:4: error" in said and "use.py:5: error" in said and "use.py:3" not in said and "use.py:2" not in said


def test_everything_public_is_documented():
    import rankscope as rs

    for name in rs.__all__:
        thing = getattr(rs, name)
        assert name == "__version__" or thing.__doc__, name
        for member, value in vars(thing).items() if isinstance(thing, type) else []:
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__, f"{name}.{member}"
