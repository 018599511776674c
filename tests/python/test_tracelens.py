# SPDX-License-Identifier: GPL-3.0-or-later
"""Sheets are those of the workbook, and give what TraceLens printed (../shared/oracle/tracelens)."""
import re
import zipfile

import pandas as pd
import pytest

import rankscope as rs
from conftest import SHARED, open_quietly

ORACLE = SHARED / "oracle" / "tracelens"


def test_sheets_are_those_of_the_workbook(small, tmp_path):
    small.save(tmp_path, formats="xlsx")
    with zipfile.ZipFile(tmp_path / "report.xlsx") as book:
        names = re.findall(r'<sheet name="([^"]+)"', book.read("xl/workbook.xml").decode())
    assert list(rs.tracelens.sheets(small)) == names


def test_counts_are_integers(small):
    sheets = rs.tracelens.sheets(small)
    for sheet, columns in {"Steps": ["rank", "step"], "Kernels": ["rank"], "ops_summary": ["rank", "Count"], "Stragglers": ["rank", "times_arrived_last"]}.items():
        assert {str(sheets[sheet][column].dtype) for column in columns} <= {"int64", "Int64"}, sheet
    assert str(sheets["Steps"]["duration_ms"].dtype) == "float64"


def test_operators_of_tracelens():
    if not ORACLE.is_dir():
        pytest.skip("the tables of TraceLens are not here (../shared/oracle)")
    ours = rs.tracelens.sheets(open_quietly(SHARED / "traces" / "nccl_a100"))["ops_summary"].groupby("name").sum(numeric_only=True)
    theirs = pd.read_csv(ORACLE / "a100_nccl_data" / "ops_summary.csv").set_index("name")
    both = theirs.join(ours, lsuffix="_theirs", how="left")
    assert (both["Count"] == both["Count_theirs"]).all()
    near = (both["total_direct_kernel_time_sum"] - both["total_direct_kernel_time_sum_theirs"]).abs()
    assert (near <= 0.001 * (1 + both["Count"])).all()  # TraceLens adds times as doubles 0.0005 µs apart
