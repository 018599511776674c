# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl+C ends a query at once, and Python goes on."""
import os
import signal
import threading
import time

import pytest

from bench_frames import write_run
from conftest import open_quietly


def test_ctrl_c_ends_a_query(small):
    endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        small.sql(endless)
    assert time.monotonic() - begin < 20
    assert small.sql("select 1 a")["a"].tolist() == [1]


def test_ctrl_c_ends_reading(tmp_path):
    path = write_run(tmp_path / "large", 1_500_000)
    threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        open_quietly(path, cache=False, jobs=1)
