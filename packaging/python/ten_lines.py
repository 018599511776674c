# SPDX-License-Identifier: GPL-3.0-or-later
"""Uses what the package has, each thing once, on two small runs that it writes (tests/python/small_run.py is beside it). For check-wheel."""
import pathlib
import sys
import tempfile

import rankscope as rs
import small_run

with tempfile.TemporaryDirectory() as folder:
    here = pathlib.Path(folder)
    run = rs.open(small_run.write(here / "before"), iterations="0-1")
    other = rs.open(small_run.write(here / "after", slowdown=1.2))
    print(run.headline)
    print(run.breakdown())
    tables = (run.ranks, run.steps, run.collectives, run.kernels, run.operators, run.iterations)
    assert all(len(table) > 0 for table in tables)
    assert len(run.events(rank=1, lane="compute").dur_ns) == 2
    assert run.findings[0].title and run.metrics["step_time"].value == 1.0
    assert run.sql("select count(*) kernels from kernel")["kernels"].tolist() == [8]
    assert run.what_if("straggler=median").predicted_us is not None
    why = run.why(step=1, rank=0)
    assert len(run.around(int(why.waits["event_id"].iloc[0]), pad_us=50)) > 0
    assert "<html" in run.timeline(steps=[1]).html and run._repr_html_()
    assert len(rs.compare(run, other).parts) > 0 and len(rs.study([here / "before", here / "after"]).table()) == 2
    assert rs.gate(run, "step_time<=100").passed
    assert len(rs.hta.get_temporal_breakdown(run)) == 2 and "Kernels" in rs.tracelens.sheets(run)
    run.save(here / "report")
    run.export_trace(here / "all.json.gz")
    run.digest(here / "digest")
    assert (here / "report/metrics.json").exists() and (here / "all.json.gz").exists() and len(rs.open(here / "digest").ranks) == 2
print(f"rankscope {rs.__version__} with Python {sys.version_info[0]}.{sys.version_info[1]}: all of it works")
