# SPDX-License-Identifier: GPL-3.0-or-later
"""The events of one stream or thread as columns."""
from __future__ import annotations

import functools
from typing import Any, List

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import _core
from .frames import texts


class Events:
    """Events of one lane, in the order of its rows and then of their start. `len()` is their number.

    The columns are read-only NumPy arrays of that length. `recorded_start_ns`, `dur_ns`, `name_id` and `kind_id` are
    the program's own columns and are not copied; the others are computed when they are first asked for.
    """

    def __init__(self, reading: _core.Reading, readings: _core.Readings, rank: int, lane: int) -> None:
        columns = reading.events(rank, lane)
        self._reading = reading
        self._readings = readings
        self._begin: int = columns["begin"]
        self.rank = rank
        self.lane = lane
        self.recorded_start_ns: npt.NDArray[np.int64] = columns["recorded_start_ns"]  #: int64, on the rank's own clock
        self.dur_ns: npt.NDArray[np.int64] = columns["dur_ns"]  #: int64
        self.name_id: npt.NDArray[np.uint32] = columns["name_id"]  #: uint32, equal for equal names of all ranks of the run
        self.kind_id: npt.NDArray[np.uint8] = columns["kind_id"]  #: uint8

    def __len__(self) -> int:
        return len(self.dur_ns)

    def __repr__(self) -> str:
        return f"<{len(self)} events of rank {self.rank}, lane {self.lane}>"

    @functools.cached_property
    def start_ns(self) -> npt.NDArray[np.int64]:
        """int64: start since the first event of the run, on the aligned clock, as in SQL."""
        return _read_only(self.recorded_start_ns + self._readings.ids_and_clock(self.rank)[1])

    @functools.cached_property
    def id(self) -> npt.NDArray[np.int64]:
        """int64: number of the event in the run, as in SQL."""
        first = self._readings.ids_and_clock(self.rank)[0] + self._begin
        return _read_only(np.arange(first, first + len(self), dtype=np.int64))

    @functools.cached_property
    def name(self) -> npt.NDArray[Any]:
        """object: names as recorded."""
        ids, codes = np.unique(self.name_id, return_inverse=True)
        return _read_only(texts(codes, self._reading.names(ids.tolist())))

    @functools.cached_property
    def kind(self) -> npt.NDArray[Any]:
        """object: kernel, memcpy, cpu_op ... as in SQL."""
        words: List[str] = _core.kind_words()
        return _read_only(texts(self.kind_id, words))

    def frame(self) -> pd.DataFrame:
        """All of it: id, start_ns, dur_ns, name, kind, as in SQL's table event."""
        return pd.DataFrame(
            {"id": self.id, "start_ns": self.start_ns, "dur_ns": self.dur_ns, "name": self.name, "kind": self.kind}
        )


def _read_only(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    values.flags.writeable = False
    return values
