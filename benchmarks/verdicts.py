"""From what the speed run measured to ratios, targets met or missed, and a table of eighty columns."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from benchmarks.measuring import ratio

OURS, PLAIN, TANTIVY = "recollect", "raw FTS5", "tantivy"
MILLION = 1_000_000
# These wait for threads or a server of their own: only the wall tells.
THREADED = (
    *("LanceDB FTS", "Chroma", "DuckDB scan", "DuckDB FTS", "PostgreSQL", "LangGraph memory", "langmem"),
    *("MemPalace Chroma", "Graphiti Kuzu", "Hindsight", "Basic Memory"),
)
NOT_SLOWER_THAN = (TANTIVY, "bm25s")  # at a thousand entries everything but these should be slower than ours


def judged(document: dict[str, Any]) -> dict[str, Any]:
    """The document with its ratios and targets."""
    document["ratios"] = {str(size): _ratios(document, str(size)) for size in document["sizes"]}
    document["growth"] = _growth(document)
    document["targets"] = _targets(document)
    return document


def _ratios(document: dict[str, Any], size: str) -> dict[str, Any]:
    """Ours as a multiple of each other system's at one size: times below 1 are faster, rates below 1 slower."""
    systems = {name: sizes[size] for name, sizes in document["systems"].items() if size in sizes}
    ours = systems.pop(OURS)
    return {
        name: {
            "recall": {key: ratio(value, theirs["recall"][key]) for key, value in ours["recall"].items()},
            "add": {key: ratio(value, theirs["add"][key]) for key, value in ours["add"].items()},
            "bulk_rate": {key: ratio(value, theirs["bulk"][key]) for key, value in ours["bulk"].items()},
            "bytes": ratio(ours["bytes"], theirs["bytes"]),
        }
        for name, theirs in systems.items()
    }


def _growth(document: dict[str, Any]) -> dict[str, float]:
    """Recall and single addition at the largest size against ten thousand entries, or the smallest size above."""
    ours = document["systems"][OURS]
    base = next((str(size) for size in document["sizes"] if size >= 10_000), str(document["sizes"][0]))
    last = str(document["sizes"][-1])
    return {
        "from": int(base),
        "to": int(last),
        "recall": ratio(ours[last]["recall"]["cpu_p50"], ours[base]["recall"]["cpu_p50"]),
        "add": ratio(ours[last]["add"]["cpu_p50"], ours[base]["add"]["cpu_p50"]),
    }


def _targets(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Each target with what was measured; those of a million entries only when there was a million."""
    last = str(document["sizes"][-1])
    plain = {size: document["ratios"][str(size)][PLAIN] for size in document["sizes"]}
    at_last, ours = plain[int(last)], document["systems"][OURS][last]
    found = [
        _at_most("single addition / raw FTS5, any size", 20, max(_worse(one["add"]) for one in plain.values())),
        _at_least(f"bulk rate / raw FTS5, {int(last):,}", 0.125, at_last["bulk_rate"]["rows_per_cpu_second"]),
        _at_most(f"bytes on disk / raw FTS5, {int(last):,}", 3, at_last["bytes"]),
    ]
    if int(last) >= MILLION:
        hits = document["systems"][PLAIN][last]["hit_at_10"]
        found += [
            _at_most("recall / raw FTS5, 1M", 0.02, _worse(at_last["recall"])),
            _at_least("hit@10, 1M (raw FTS5's)", hits, ours["hit_at_10"]),
            _at_most("recall, 10k to 1M", 4, document["growth"]["recall"]),
            _at_most("single addition, 10k to 1M", 2, document["growth"]["add"]),
            _at_most("memory of a process that recalls, 1M, MB", 60, document["recall_memory_mb"]),
        ]
        if TANTIVY in document["ratios"][last]:
            found.append(_at_most("recall / tantivy, 1M", 1.5, _worse(document["ratios"][last][TANTIVY]["recall"])))
    return found + _against_rivals(document)


def _against_rivals(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        _at_most(f"recall / {name}, 1,000", 1, _wall(others) if name in THREADED else _worse(others["recall"]))
        for name, others in document["ratios"].get("1000", {}).items()
        if name not in NOT_SLOWER_THAN
    ]


def _wall(ratios: dict[str, Any]) -> float:
    return float(ratios["recall"]["wall_p50"])


def _worse(ratios: dict[str, float]) -> float:
    """The worse of the two medians."""
    return max(ratios["cpu_p50"], ratios["wall_p50"])


def _at_most(name: str, limit: float, value: float) -> dict[str, Any]:
    return {"target": name, "at_most": limit, "value": value, "met": value <= limit}


def _at_least(name: str, limit: float, value: float) -> dict[str, Any]:
    return {"target": name, "at_least": limit, "value": value, "met": value >= limit}


def table(document: dict[str, Any]) -> str:
    """The document for people."""
    lines = [f"Python {document['python']}, SQLite {document['sqlite']}, {document['queries']} prompts, times in ms"]
    lines += [f"Rivals that need vectors embed with: {document['embedder']}"]
    for size in document["sizes"]:
        lines += ["", *_size_table(document, size)]
    growth = document["growth"]
    grown = f"recall {growth['recall']:.2f} times, single addition {growth['add']:.2f} times"
    lines += ["", f"From {growth['from']:,} to {growth['to']:,} entries: {grown}"]
    lines += [f"Memory of a process that recalls: {document['recall_memory_mb']:.1f} MB"]
    lines += ["", f"{'target':<48}{'limit':>12}{'value':>10}"]
    for one in document["targets"]:
        limit = f"<= {one['at_most']:g}" if "at_most" in one else f">= {one['at_least']:g}"
        lines.append(f"{one['target']:<48}{limit:>12}{one['value']:>10.4g}  {'met' if one['met'] else 'MISSED'}")
    if document["missing"]:
        lines += ["", *wrap("Not installed here: " + ", ".join(document["missing"]), 80)]
    for name, why in document["not_run"].items():
        lines += ["", *wrap(f"Not run: {name} ({why})", 80)]
    return "\n".join(lines)


def _ms(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _size_table(document: dict[str, Any], size: int) -> list[str]:
    title = f"{size:,} entries"
    lines = [
        f"{title:<16}{'recall CPU':^21}{'wall':>7}{'hit':>5}{'add CPU':>8}{'wall':>7}{'bulk':>8}{'MB':>6}",
        f"{'':<16}{'p50':>7}{'p95':>7}{'p99':>7}{'p50':>7}{'@10':>5}{'p50':>8}{'p50':>7}{'rows/s':>8}",
    ]
    for name, sizes in document["systems"].items():
        if str(size) not in sizes:
            continue
        one = sizes[str(size)]
        recall, add = one["recall"], one["add"]
        lines.append(
            f"{name:<16}{_ms(recall['cpu_p50']):>7}{_ms(recall['cpu_p95']):>7}{_ms(recall['cpu_p99']):>7}"
            f"{_ms(recall['wall_p50']):>7}{one['hit_at_10']:>5.2f}{_ms(add['cpu_p50']):>8}{_ms(add['wall_p50']):>7}"
            f"{one['bulk']['rows_per_cpu_second']:>8.0f}{one['bytes'] / 1e6:>6.1f}"
        )
    lines += [
        f"{'  ours / ' + name:<20}{ratios['recall']['cpu_p50']:>8.3f} recall{ratios['add']['cpu_p50']:>8.2f} add"
        f"{ratios['bulk_rate']['rows_per_cpu_second']:>8.3f} bulk rate{ratios['bytes']:>7.2f} bytes"
        for name, ratios in document["ratios"][str(size)].items()
        if name in (PLAIN, TANTIVY)
    ]
    return lines
