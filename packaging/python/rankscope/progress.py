# SPDX-License-Identifier: GPL-3.0-or-later
"""The line that says how far reading is: in a terminal, and in a notebook's cell."""
from __future__ import annotations

import sys
from typing import Callable, Optional, Union

#: (ranks read, ranks of the run, bytes read, bytes of all files)
OnProgress = Callable[[int, int, int, int], None]


def _is_watched() -> bool:
    return sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)


class ProgressLine:
    """One line on stderr that is gone afterwards."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._width = 0

    def __call__(self, ranks_done: int, ranks: int, bytes_done: int, size: int) -> None:
        percent = 100 * bytes_done // size if size else 0
        self._show(f"reading {self._path}: {ranks_done} of {ranks} ranks, {percent} %")

    def close(self) -> None:
        if self._width:
            self._show("")
            sys.stderr.write("\r")
            sys.stderr.flush()

    def _show(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)


def shown(progress: Union[bool, OnProgress, None], path: str) -> Optional[OnProgress]:
    """What to call: the caller's own function, a line, or nothing."""
    if callable(progress):
        return progress
    if progress or (progress is None and _is_watched()):
        return ProgressLine(path)
    return None
