# SPDX-License-Identifier: GPL-3.0-or-later
"""The program `rankscope-batch` that comes with the package."""
from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from typing import List, NoReturn, Sequence

from .errors import InputError, OutputError, RankscopeError, UsageError

_ERRORS = {2: UsageError, 3: InputError, 4: OutputError}


def path() -> str:
    """Where it is."""
    return str(pathlib.Path(__file__).with_name("rankscope-batch"))


def run(arguments: Sequence[str]) -> str:
    """What it prints. Errors are raised with its one line; Ctrl+C ends it as well."""
    done = subprocess.run([path(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == 130:
        raise KeyboardInterrupt
    if done.returncode not in (0, 1):
        lines: List[str] = [line for line in done.stderr.splitlines() if line.startswith("rankscope: ")]
        message = lines[-1][len("rankscope: "):] if lines else f"rankscope-batch ended with {done.returncode}"
        raise _ERRORS.get(done.returncode, RankscopeError)(message)
    return done.stdout


def main() -> NoReturn:
    """The console script."""
    os.execv(path(), [path(), *sys.argv[1:]])
