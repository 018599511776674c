# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents as they should be after a change: other numbers of ranks, twice the times, names without what was added to them."""
import re

TIME_KEY = re.compile(r"_(us|ms|ns|s)(_|$)|^(us|ms)$")
RATE_KEY = re.compile(r"gb_s|per_s$|tflops|tb_s|flop_s")
TIME_UNITS = ("us", "µs", "ms", "s", "ns")
OF_PEAK = ("of_roofline_percent",)  # shares of what the GPU can do
CONSTANT_KEY = re.compile(r"^peak_|^roofline_us|count|percent|share|^times_|^calls(?!.*_us$)")
BY_RANK = ("offset_us", "drift_ppm", "by_rank_us")  # their keys are numbers of ranks
RANKS = re.compile(r"\b([Rr]anks? )(\d+(?:(?:, | and )\d+)*)")
TIME_WORD = re.compile(r"(\d+(?:\.\d+)?) (ns|µs|ms|s)\b")
NS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
RATE_WORD = re.compile(r"(\d+(?:\.\d+)?)((?: instead of \d+(?:\.\d+)?)? (?:GB/s|TFLOP/s|TB/s))")


def without(words: str, value):
    if isinstance(value, str):
        return value.replace(words, "")
    if isinstance(value, dict):
        return {key: without(words, inner) for key, inner in value.items()}
    return [without(words, inner) for inner in value] if isinstance(value, list) else value


def renumbered(value, new: dict[int, int], key: str = ""):
    """Ranks by their new numbers, in order; offsets of clocks as of rank new[0]."""
    if isinstance(value, str):
        return RANKS.sub(lambda match: match[1] + words_of(sorted(new[int(number)] for number in re.findall(r"\d+", match[2]))), value)
    if isinstance(value, dict):
        if key in BY_RANK:
            by_rank = {new[int(name)]: inner for name, inner in value.items()}
            if key == "offset_us":
                by_rank = {rank: round(offset - by_rank[0], 3) for rank, offset in by_rank.items()}
            return {str(rank): by_rank[rank] for rank in sorted(by_rank)}
        return {name: renumbered(inner, new, name) for name, inner in value.items()}
    if isinstance(value, list):
        if key in ("ranks", "missing_ranks"):
            return sorted(new[rank] for rank in value)
        inner = [renumbered(each, new) for each in value]
        rows = inner and all(isinstance(row, dict) and isinstance(row.get("rank"), int) for row in inner)
        return sorted(inner, key=lambda row: row["rank"]) if rows and key != "events" else inner
    return new[value] if key in ("rank", "last_rank", "origin_rank", "worst_rank", "busiest_rank", "late_rank") and value in new else value


def words_of(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))


def scale_of(key: str, unit: str, inherited: int) -> int:
    """1: a time, -1: a rate, 0: neither. Values and spreads are in the metric's unit; what is below a time is one."""
    if key in OF_PEAK:
        return -1
    if key in ("value", "spread_between_iterations"):
        return 1 if unit in TIME_UNITS else -1 if unit.endswith("/s") else 0
    if CONSTANT_KEY.search(key):
        return 0
    return -1 if RATE_KEY.search(key) else 1 if TIME_KEY.search(key) else inherited


def doubled(value, times: float = 2, scale: int = 0, unit: str = ""):
    """The document of a run whose times are as many times as long. Texts have their times in ns."""
    if isinstance(value, dict):
        unit = value.get("unit", unit) if isinstance(value.get("unit", unit), str) else unit
        inner_unit = "GB/s" if value.get("title") == "Model FLOP/s utilisation" else unit
        return {name: doubled(inner, times, scale_of(name, inner_unit, scale), inner_unit) for name, inner in value.items()}
    if isinstance(value, list):
        return [doubled(inner, times, scale, unit) for inner in value]
    if isinstance(value, str):
        text = TIME_WORD.sub(lambda match: f"{float(match[1]) * NS[match[2]] * times:.0f} ns", value)
        return RATE_WORD.sub(lambda match: f"{float(match[1]) / times:.3g}{match[2]}", text)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    return value * times**scale
