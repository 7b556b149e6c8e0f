"""What was done, from the archive, by day and task: as Markdown, and as a page of HTML."""

from __future__ import annotations

from datetime import datetime
from html import escape

NOTHING = "The archive has nothing for these days."

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.entries import Entry


def report(entries: Sequence[Entry], tasks: dict[str, str], *, since: float, until: float) -> str:
    """A day or week as Markdown; `tasks` gives titles by id."""
    lines = [f"# Done from {_day(since)} to {_day(until)}", ""]
    shown = [entry for entry in entries if entry.layer == "L2" and since <= entry.created <= until]
    if not shown:
        return "\n".join([*lines, NOTHING, ""])
    for day in sorted({_day(entry.created) for entry in shown}, reverse=True):
        lines += [f"## {day}", ""]
        of_day = [entry for entry in shown if _day(entry.created) == day]
        for task in dict.fromkeys(entry.task for entry in of_day):
            if task:
                lines += [f"### Task: {tasks.get(task, task)}", ""]
            for entry in of_day:
                if entry.task == task:
                    lines += _entry_lines(entry)
    return "\n".join(lines)


def _entry_lines(entry: Entry) -> list[str]:
    where = entry.repository.removeprefix("path:") or "no repository"
    return [f"**{entry.subject}** ({where})", "", *_as_list(entry.content), ""]


def _as_list(content: str) -> list[str]:
    return [f"  {line}" if line.startswith("- ") else f"- {line}" for line in content.splitlines() if line.strip()]


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d")


def to_html(markdown: str) -> str:
    """The report as a page that stands alone; only what `report` writes is understood, everything is escaped."""
    body: list[str] = []
    depth = 0
    for line in markdown.splitlines():
        text = line.strip()
        level = 2 if line.startswith("  - ") else 1 if line.startswith("- ") else 0
        body += ["<ul>"] * (level - depth) + ["</ul>"] * (depth - level)
        depth = level
        if text.startswith("#"):
            size = len(text) - len(text.lstrip("#"))
            body.append(f"<h{size}>{escape(text.lstrip('# '))}</h{size}>")
        elif level:
            body.append(f"<li>{escape(text[2:])}</li>")
        elif text.startswith("**"):
            title, _, rest = text[2:].partition("**")
            body.append(f"<p><strong>{escape(title)}</strong>{escape(rest)}</p>")
        elif text:
            body.append(f"<p>{escape(text)}</p>")
    body += ["</ul>"] * depth
    return _PAGE.format(title=escape(markdown.splitlines()[0].lstrip("# ")), body="\n".join(body))


_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #222 }}
h1 {{ font-size: 1.4rem }} h2 {{ font-size: 1.1rem; border-bottom: 1px solid #ddd; margin-top: 2rem }}
h3 {{ font-size: 1rem; color: #555 }} ul {{ padding-left: 1.2rem }} p {{ margin: .8rem 0 .2rem }}
@media (prefers-color-scheme: dark) {{ body {{ background: #181818; color: #ddd }} h2 {{ border-color: #444 }} }}
</style>
{body}
</html>
"""
