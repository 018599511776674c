# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of queries as pandas objects."""
from __future__ import annotations

import functools
import io
import json
from typing import Any, Dict, List, Mapping, Optional, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import _core


@functools.lru_cache(maxsize=None)
def table_columns() -> Mapping[str, List[Dict[str, str]]]:
    """By table, its columns: {"name", "type", "unit", "what"} each."""
    tables = json.loads(_core.tables())["tables"]
    return {name: table["columns"] for name, table in tables.items()}


def texts(codes: npt.NDArray[Any], words: List[str]) -> npt.NDArray[Any]:
    """The words that the codes stand for; None for -1. Equal words are one object."""
    lookup = np.empty(len(words) + 1, dtype=object)
    lookup[: len(words)] = words
    found: npt.NDArray[Any] = lookup[codes]
    return found


def _missing(count: int, declared: str) -> Any:
    """A column without a value, of the type that its table declares."""
    if declared == "INTEGER":
        zeros = np.zeros(count, dtype=np.int64)
        return pd.arrays.IntegerArray(zeros, np.ones(count, dtype=bool)) if count else zeros
    if declared == "REAL":
        return np.full(count, np.nan)
    return np.full(count, None, dtype=object)


def _values(kind: str, values: Any, more: Any, declared: str) -> Any:
    if kind == "integer":
        if declared == "REAL" and more is None:
            return values.astype(np.float64)
        return values if more is None else pd.arrays.IntegerArray(values, more)
    if kind == "real":
        return values
    if kind == "text":
        return texts(values, more)
    if kind == "mixed":
        mixed = np.empty(len(values), dtype=object)
        mixed[:] = values
        return mixed
    return _missing(values, declared)


def frame(columns: List[_core.Column], table: Optional[str] = None) -> pd.DataFrame:
    """The columns of a result, of a whole table with the types that it promises.

    An integer column is int64, with missing values Int64. A real column is float64; a missing value is NaN. A text
    column has Python strings, and None for a missing value.
    """
    declared = {column["name"]: column for column in table_columns()[table]} if table else {}
    types = {name: column["type"] for name, column in declared.items()}
    data = {name: _values(kind, values, more, types.get(name, "TEXT")) for name, kind, values, more in columns}
    result = pd.DataFrame(data, copy=False)
    if table:
        result.attrs["units"] = {name: declared[name]["unit"] for name in data if declared[name]["unit"]}
    return result


def csv_frame(text: str, drop: Sequence[str] = ()) -> pd.DataFrame:
    """A CSV file of the program. A missing text is None. Texts lose the apostrophe that keeps spreadsheets from taking them for formulas."""
    table = pd.read_csv(io.StringIO(text), keep_default_na=False, na_values=[""], low_memory=False)
    for name in table.columns[table.dtypes == object]:
        stripped = table[name].str.replace(r"^'(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20\t\n\r])", "", regex=True)
        table[name] = stripped.where(stripped.notna(), None)
    return table.drop(columns=[name for name in drop if name in table.columns])
