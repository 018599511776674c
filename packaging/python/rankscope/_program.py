# SPDX-License-Identifier: GPL-3.0-or-later
"""The program `rankscope-batch` that comes with the package."""
from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from typing import List, NoReturn, Sequence, Tuple

from .errors import InputError, OutputError, RankscopeError, UsageError

_ERRORS = {2: UsageError, 3: InputError, 4: OutputError}


def path() -> str:
    """Where it is."""
    return str(pathlib.Path(__file__).with_name("rankscope-batch"))


def run(arguments: Sequence[str]) -> Tuple[str, List[str]]:
    """What it prints, and its lines on stderr. Errors are raised with the last of these; Ctrl+C ends it as well."""
    done = subprocess.run([path(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == 130:
        raise KeyboardInterrupt
    start = "rankscope: "
    lines = [line[len(start):] for line in done.stderr.splitlines() if line.startswith(start)]
    if done.returncode not in (0, 1) and not (done.returncode == 3 and done.stdout):  # 3 with results: it left some input out
        message = "; ".join(lines[-3:]) if lines else f"rankscope-batch ended with {done.returncode}"
        raise _ERRORS.get(done.returncode, RankscopeError)(message)
    return done.stdout, lines


def main() -> NoReturn:
    """The console script."""
    os.execv(path(), [path(), *sys.argv[1:]])
