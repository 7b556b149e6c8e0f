"""Where a function, class, key or heading is defined in a text, and the lines that belong to it.

Python is parsed; everything else is read by its braces, indentation or headings. It need not be right about the
language, only say the same for the same text, so that a hash of the lines tells whether they changed.
"""

from __future__ import annotations

import os

from recollect.memory.time_limits import NO_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    import re
    from collections.abc import Iterator

    from recollect.memory.time_limits import TimeLimit

PYTHON = (".py", ".pyi", ".pyw")
MARKDOWN = (".md", ".markdown", ".mdx")
PARSE_LIMIT_CHARACTERS = 500_000
PARSE_CHARACTERS_PER_SECOND = 300_000  # of the densest code; most is parsed ten times as fast
WEIGHED_CHARACTERS = 4  # that are as much work as a round of a loop
LONGEST_LINE = 1_000  # characters of a line that are looked at: no person wrote the rest
BRACE_WITHIN_LINES = 12
RUN_LINES = 3
CLOSERS = ("}", ")", "]", "end", "fi", "done", "esac")
KEYWORDS = (
    "function|func|fun|fn|def|defp|defmodule|class|struct|enum|interface|trait|type|typedef|impl|module|namespace|"
    "const|let|var|val|object|record|union|sub|proc|protocol|extension|static|define|local|macro_rules!|mod|"
    "table|view|index|procedure|trigger|task|resource|data|variable|message|service|rpc|export"
)
# What stands between a keyword and the name. Each of these begins in its own way and none is tried twice (`*+`): a line
# made of quotes would else be read in as many ways as there are ways to pair them.
BETWEEN = r"""[\s*&']|\([^)]*\)|<[^>]*>|"[^"]*"|\bif not exists\b|\b(?:default|async|mut|static|const)\b"""
NOT_A_DEFINITION = r"\s*(?:return|new|throw|await|else|if|while|for|switch|catch)\b"
DEFINITIONS = (
    # A keyword and the name, with a receiver or modifiers between them.
    rf"""(?i:\b(?:{KEYWORDS}))\b(?:(?!["']?NAME(?!\w))(?:{BETWEEN}))*+["']?NAME(?!\w)""",
    # A method or shell function: the name and its parameters, and a brace that opens at the end.
    rf"^(?!{NOT_A_DEFINITION})[\w\s*&<>,:\[\]~@?]*(?<![\w.])NAME\s*\(.*\{{[^{{}}]*+\}}?\s*$",
    # A value that is given to the name: arrow functions, constants, object and YAML keys, TOML tables, make targets.
    r"^\s*(?:[\w$.]+\.)?NAME\s*(?::(?!:)|:?=(?!=)|\+=|\?=)",
    r"""^\s*["']NAME["']\s*:""",
    r"^\s*\[+NAME\]+",
    r"^\s*#\s*define\s+NAME\b",
    # A signature whose brace stands on the next line.
    rf"^(?!{NOT_A_DEFINITION})[\w\s*&<>,:\[\]~@?]*(?<![\w.])NAME\s*\([^;]*$",
)


def find_symbol(path: str, text: str, symbol: str, time_limit: TimeLimit = NO_LIMIT) -> tuple[int, int] | None:
    """First and last line, 1-based, of what defines the symbol; None when nothing does.

    Raises OutOfTime when the time_limit does not allow to find out."""
    names = names_of(symbol)
    lines = text.split("\n")
    if not names:
        return None
    if os.path.splitext(path)[1].lower() in MARKDOWN:
        return _heading(lines, symbol, time_limit)
    require_time(path, len(text), time_limit)
    if is_parsed(path, len(text)):
        found, parsed = _in_python(text, names)
        if parsed:
            return found
    return _in_lines(lines, names, time_limit)


def require_time(path: str, characters: int, time_limit: TimeLimit) -> None:
    """Raise OutOfTime when parsing such a file would take too long."""
    if is_parsed(path, characters):
        time_limit.need(characters / PARSE_CHARACTERS_PER_SECOND)


def is_parsed(path: str, characters: int) -> bool:
    """Is such a file parsed, rather than read by its lines?"""
    return os.path.splitext(path)[1].lower() in PYTHON and characters <= PARSE_LIMIT_CHARACTERS


def names_of(symbol: str) -> list[str]:
    """The parts of a symbol, outermost first."""
    return [name for name in symbol.replace("::", ".").split(".") if name]


def names_around(lines: list[str], start: int, time_limit: TimeLimit = NO_LIMIT) -> list[str]:
    """The classes and functions of Python around a line (1-based), outermost first, as its indentation tells."""
    found: list[str] = []
    margin = _indent(lines[start - 1])
    for number in range(start - 2, -1, -1):
        time_limit.step()
        line = lines[number]
        if not margin:
            break
        if line.strip() and _indent(line) < margin:
            margin = _indent(line)
            words = line.replace("(", " ").replace(":", " ").replace("[", " ").split()
            words = words[1:] if words[0] == "async" else words
            if words[0] in ("class", "def") and len(words) > 1:
                found.insert(0, words[1])
    return found


def _in_python(text: str, names: list[str]) -> tuple[tuple[int, int] | None, bool]:
    """The lines, and whether the text could be parsed at all."""
    import ast
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Bytes that are no UTF-8 came in as halves of characters, which the parser refuses.
            tree = ast.parse(text.encode("utf-8", "replace").decode("utf-8"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None, False
    try:
        found = [span for name, span in _definitions(tree, ()) if name == tuple(names)]
        if not found and len(names) == 1:
            found = [span for name, span in _definitions(tree, ()) if name[-1] == names[0]][:1]
    except RecursionError:
        return None, False
    if not found:
        return None, True
    start, end = found[0]
    for following_start, following_end in found[1:]:
        # Overloads and property setters stand together and are one symbol.
        if following_start > end + RUN_LINES:
            break
        end = max(end, following_end)
    return (start, end), True


def _definitions(node: ast.AST, outer: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], tuple[int, int]]]:
    import ast

    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            start = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
            name = (*outer, child.name)
            yield name, (start, child.end_lineno or start)
            yield from _definitions(child, name)
        elif isinstance(child, ast.Assign | ast.AnnAssign):
            for target in child.targets if isinstance(child, ast.Assign) else [child.target]:
                for part in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
                    if isinstance(part, ast.Name):
                        yield (*outer, part.id), (child.lineno, child.end_lineno or child.lineno)
        elif isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield from _definitions(child, outer)


def _heading(lines: list[str], symbol: str, time_limit: TimeLimit) -> tuple[int, int] | None:
    wanted = " ".join(symbol.lower().replace("-", " ").split())
    start = level = 0
    fenced = False
    for number, line in enumerate(lines, 1):
        time_limit.step()
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        depth = 0 if fenced else len(line) - len(line.lstrip("#"))
        if not depth or line[depth : depth + 1] != " ":
            continue
        if start and depth <= level:
            return start, number - 1
        title = " ".join(line[depth:].strip(" #").lower().replace("-", " ").split())
        if not start and title == wanted:
            start, level = number, depth
    return (start, len(lines)) if start else None


def _in_lines(lines: list[str], names: list[str], time_limit: TimeLimit) -> tuple[int, int] | None:
    """The last name, looked for inside the block of the one before it where that is found."""
    first, last = 0, len(lines)
    for position, name in enumerate(names):
        inside = _definition(lines, name, first, last, time_limit)
        if inside is None and position:
            # Methods outside their type: `func (s *Server) Start()`, `impl Server`, `Server::start`.
            inside = _definition(lines, name, 0, len(lines), time_limit)
        if inside is None:
            if position == len(names) - 1:
                return None
            continue
        first, last = inside, _block_end(lines, inside, time_limit) + 1
    return first + 1, last


def _definition(lines: list[str], name: str, first: int, last: int, time_limit: TimeLimit) -> int | None:
    named = []
    for number in range(first, last):
        time_limit.step()
        line = lines[number]
        if name in line and len(line) < LONGEST_LINE and not _is_comment(line):
            named.append(number)
    for pattern in _patterns(name):
        for number in named:
            time_limit.step(1 + len(lines[number]) // WEIGHED_CHARACTERS)
            if pattern.search(lines[number]):
                return number
    return None


def _patterns(name: str) -> list[re.Pattern[str]]:
    import re

    escaped = re.escape(name)
    return [re.compile(pattern.replace("NAME", escaped)) for pattern in DEFINITIONS]


def _is_comment(line: str) -> bool:
    text = line.lstrip()
    return text.startswith(("//", "/*", "* ", "--", "# ", ";;"))


def _block_end(lines: list[str], start: int, time_limit: TimeLimit) -> int:
    """Index of the last line that belongs to the definition at this line."""
    for number in range(start, min(start + BRACE_WITHIN_LINES, len(lines))):
        code = _code(lines[number])
        if "{" in code:
            return _brace_end(lines, number, time_limit)
        if number > start and code.strip() and _indent(lines[number]) <= _indent(lines[start]):
            break
        if code.rstrip().endswith((";", ":")):
            break
    return _indented_end(lines, start, time_limit)


def _brace_end(lines: list[str], start: int, time_limit: TimeLimit) -> int:
    depth = 0
    for number in range(start, len(lines)):
        time_limit.step(1 + len(lines[number]) // WEIGHED_CHARACTERS)
        code = _code(lines[number])
        depth += code.count("{") - code.count("}")
        if depth <= 0:
            return number
    return len(lines) - 1


def _indented_end(lines: list[str], start: int, time_limit: TimeLimit) -> int:
    margin = _indent(lines[start])
    end = start
    for number in range(start + 1, len(lines)):
        time_limit.step()
        line = lines[number]
        if not line.strip():
            continue
        if _indent(line) <= margin:
            closes = _indent(line) == margin and line.strip().startswith(CLOSERS)
            return number if closes else end
        end = number
    return end


def _indent(line: str) -> int:
    expanded = line[:LONGEST_LINE].expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


def _code(line: str) -> str:
    """The line without what stands in quotes or after a comment mark."""
    line = line[:LONGEST_LINE]
    kept: list[str] = []
    quote = ""
    at = 0
    while at < len(line):
        character = line[at]
        if quote:
            if character == "\\":
                at += 1
            elif character == quote:
                quote = ""
        elif character in "\"'`" and line.find(character, at + 1) > 0:
            quote = character
        elif line.startswith("//", at) or (character == "#" and line[at + 1 : at + 2] == " "):
            break
        else:
            kept.append(character)
        at += 1
    return "".join(kept)
