# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments as users give them: NumPy's and pandas' numbers are numbers, and what cannot be meant is a UsageError."""
from __future__ import annotations

import math
import numbers
import os
from typing import Any, List

from .errors import UsageError

_MOST_RANK = 2**31 - 1
_MOST = 2**63 - 1


def shown(value: Any) -> str:
    """A value in an error, on one line."""
    words = " ".join(repr(value).split())
    return words if len(words) <= 60 else f"{words[:57]}..."


def whole(value: Any, name: str, least: int = -_MOST, most: int = _MOST) -> int:
    """A whole number; a row of a table may have made it a float."""
    number = int(real(value, name))
    if number != value:
        raise UsageError(f"{name} must be a whole number, not {shown(value)}")
    if not least <= number <= most:
        raise UsageError(f"{name} must be {least} or more, not {number}" if number < least else f"{name} is too large: {number}")
    return number


def rank_number(value: Any, name: str = "rank") -> int:
    return whole(value, name, 0, _MOST_RANK)


def wholes(values: Any, name: str) -> List[int]:
    """One whole number, or several."""
    if isinstance(values, numbers.Real) or isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        return [whole(values, name)]
    return [whole(value, name) for value in values]


def real(value: Any, name: str) -> Any:
    """A finite number, as it is."""
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or not math.isfinite(value):
        raise UsageError(f"{name} must be a number, not {shown(value)}")
    return value


def text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{name} must be a text, not {shown(value)}")
    return value


def path(value: Any, name: str = "path") -> str:
    try:
        return os.fsdecode(value)
    except TypeError:
        raise UsageError(f"{name} must be a path, not {shown(value)}") from None
