# SPDX-License-Identifier: GPL-3.0-or-later
"""The sheets of report.xlsx as DataFrames, among them TraceLens's under its names and columns (docs/cli.md).

    import rankscope as rs
    rs.tracelens.sheets(rs.open("my_run/"))["ops_summary"]

docs/accuracy.md lists where the numbers differ from TraceLens's, and which of its columns are missing.
"""
from __future__ import annotations

from typing import Dict

import pandas as pd

from .frames import frame
from .run import Run, the_run

__all__ = ["sheets"]


def sheets(run: Run) -> Dict[str, pd.DataFrame]:
    """All sheets by name, in the order of the workbook. Ranks follow each other in a column. Units are in the titles.

    Counts and numbers of ranks, steps and streams are integers, with missing values Int64."""
    result = {name: frame(columns) for name, columns in the_run(run)._readings.sheets()}
    return {name: table.drop(columns=[c for c in ("source",) if c in table.columns]) for name, table in result.items()}
