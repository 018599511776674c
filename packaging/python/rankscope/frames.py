# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of queries as pandas objects."""
from __future__ import annotations

import functools
import json
from typing import Any, Dict, List, Mapping, Optional

import numpy as np
import pandas as pd

from . import _core

_DTYPES = {"INTEGER": "Int64", "REAL": "float64", "TEXT": "object"}


@functools.lru_cache(maxsize=None)
def table_columns() -> Mapping[str, List[Dict[str, str]]]:
    """By table, its columns: {"name", "type", "unit", "what"} each."""
    tables = json.loads(_core.tables())["tables"]
    return {name: table["columns"] for name, table in tables.items()}


def texts(codes: np.ndarray, words: List[str]) -> np.ndarray:
    """The words that the codes stand for; None for -1. Equal words are one object."""
    lookup = np.empty(len(words) + 1, dtype=object)
    lookup[: len(words)] = words
    return lookup[codes]


def _values(kind: str, values: Any, more: Any) -> Any:
    if kind == "integer":
        return values if more is None else pd.arrays.IntegerArray(values, more)
    if kind == "real":
        return values
    if kind == "text":
        return texts(values, more)
    if kind == "mixed":
        mixed = np.empty(len(values), dtype=object)
        mixed[:] = values
        return mixed
    return np.full(values, None, dtype=object)


def frame(columns: List[_core.Column], table: Optional[str] = None) -> pd.DataFrame:
    """The columns of a result, of a whole table with the types that it promises.

    An integer column is int64, with missing values Int64. A real column is float64; a missing value is NaN. A text
    column has Python strings, and None for a missing value.
    """
    data = {name: _values(kind, values, more) for name, kind, values, more in columns}
    result = pd.DataFrame(data, copy=False)
    if table is None:
        return result
    units = {}
    for column in table_columns()[table]:
        name = column["name"]
        if name not in data:
            continue
        if column["unit"]:
            units[name] = column["unit"]
        empty = any(c[0] == name and c[1] == "nothing" for c in columns)
        if empty:
            dtype = "int64" if column["type"] == "INTEGER" and len(result) == 0 else _DTYPES[column["type"]]
            result[name] = result[name].astype(dtype)
        elif column["type"] == "REAL":
            result[name] = result[name].astype("float64", copy=False)
    result.attrs["units"] = units
    return result
