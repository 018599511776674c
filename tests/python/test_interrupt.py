# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl+C ends reading, a query and an analysis, and Python goes on."""
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import small_run
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


# Says how long the analysis takes by itself; then analyses again, waits to be interrupted, and says how long that took and what it finds afterwards.
ANALYSES = """
import sys, time
import rankscope as rs
first, second = (rs.open(sys.argv[1], progress=False) for _ in range(2))
begin = time.monotonic()
headline = first.headline
print(time.monotonic() - begin, flush=True)
try:
    second.headline
    print("was not interrupted", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    assert second.headline == headline
    print("whole afterwards", flush=True)
    time.sleep(60)
"""


def interrupted_analysis(path):
    """Seconds that the whole analysis takes, and those from SIGINT to KeyboardInterrupt."""
    with subprocess.Popen([sys.executable, "-W", "ignore", "-c", ANALYSES, str(path)], stdout=subprocess.PIPE, text=True) as process:
        whole = float(process.stdout.readline())
        time.sleep(whole / 10)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        taken = time.monotonic() - begin
        assert process.stdout.readline() == "whole afterwards\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == -signal.SIGINT  # as Python ends when nothing catches KeyboardInterrupt
    return whole, taken


def test_ctrl_c_ends_an_analysis(tmp_path):
    path = small_run.write(tmp_path / "long", steps=8000)
    tries = [interrupted_analysis(path) for _ in range(3)]  # other work on the machine may delay one of them
    assert any(taken < whole / 2 for whole, taken in tries), tries
