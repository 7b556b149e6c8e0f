"""The README's commands run, and every figure in it can be had with one command."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import clean_environment
from tests.paths import ROOT
from tests.picture import PICTURE, drawn, screen
from tests.picture import words as words_in

README = (ROOT / "README.md").read_text()
FIGURES = README.partition("## Figures")[2].partition("\n## ")[0]
ALL_FIGURES = (ROOT / "docs" / "figures.md").read_text()


def rows(page: str) -> list[list[str]]:
    """The rows of a table of figures: what, figure, beside it, command."""
    lines = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("|---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


@pytest.mark.parametrize("page", [FIGURES, ALL_FIGURES], ids=["README", "figures"])
def test_promise_14_every_figure_in_the_readme_can_be_reproduced_with_one_command(page: str) -> None:
    assert len(rows(page)) >= 5
    for what, figure, _, command in rows(page):
        assert re.search(r"\d", figure), what
        words = shlex.split(command.strip("`"))
        assert words[:2] == ["python", "-m"], what
        assert (ROOT / (words[2].replace(".", "/") + ".py")).exists(), command


@pytest.mark.parametrize("module", sorted({row[3].strip("`").split()[2] for row in rows(ALL_FIGURES)}))
def test_every_benchmark_of_the_readme_explains_itself(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, "--help"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "--json" in done.stdout


def test_the_five_figures_of_the_readme_are_those_of_the_whole_table() -> None:
    assert len(rows(FIGURES)) == 5
    for _, figure, beside, command in rows(FIGURES):
        measured = " ".join(" ".join(row[1:3]) for row in rows(ALL_FIGURES) if row[3] == command)
        for number, is_share in re.findall(r"(\d[\d.]*)(?:[ ](%))?", f"{figure} {beside.partition('(')[0]}"):
            wanted = f"{int(number) / 100}0?" if is_share else number
            assert re.search(rf"(?<![\d.]){wanted}(?![\d.]*\d)", measured), number


@pytest.mark.parametrize("page", [FIGURES, ALL_FIGURES], ids=["README", "figures"])
def test_figures_stand_in_the_table_alone(page: str) -> None:
    prose = [line for line in page.splitlines() if not line.startswith("|")]
    assert not re.search(r"\d+(\.\d+)?\s?(%|ms|MB|times)", "\n".join(prose)), "a figure without its command"


def test_the_lines_of_the_readme_run_as_they_stand(tmp_path: Path, repository: Path) -> None:
    (repository / "package.json").write_text("{}\n")
    (tmp_path / "user").mkdir()
    environment = clean_environment(tmp_path / "home", tmp_path / "user")
    lines = [line for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) for line in block.splitlines()]
    commands = [shlex.split(line) for line in lines if line.startswith("recollect ")]
    assert len(commands) >= 5
    for words in commands:
        done = subprocess.run(
            [str(Path(sys.executable).parent / words[0]), *words[1:]],
            cwd=repository, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, (words, done.stderr)


def test_the_picture_in_the_readme_is_what_the_sample_shows() -> None:
    assert "docs/up.svg" in README
    shown = words_in(drawn(screen()))
    assert "runsthetests" in shown
    assert words_in(PICTURE.read_text(encoding="utf-8")) == shown, "draw it again with `python -m tests.picture`"
