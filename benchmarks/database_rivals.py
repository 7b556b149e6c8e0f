"""Databases with their own full-text search, as their own users call it."""

from __future__ import annotations

import atexit
import os
import pwd
import re
import shutil
import signal
import subprocess
import time
from glob import glob
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

K = 10
_WORDS = re.compile(r"[A-Za-z0-9]+")


class DuckDb:
    """DuckDB without its extension for full text, which it downloads: every text is counted against the prompt."""

    name = "DuckDB scan"
    package = "duckdb"

    def __init__(self, folder: str) -> None:
        self._base = import_module("duckdb").connect(os.path.join(folder, "texts.duckdb"))
        self._base.execute("CREATE TABLE texts (number BIGINT, content TEXT, words TEXT[])")

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        rows = [[number, text, text.lower()] for number, text in enumerate(texts, first)]
        sql = "INSERT INTO texts SELECT ?, ?, list_distinct(string_split_regex(?, '[^a-z0-9]+'))"
        self._base.execute("BEGIN")
        self._base.executemany(sql, rows)
        self._base.execute("COMMIT")

    def add(self, number: int, text: str) -> None:
        self.add_many(number, [text])

    def search(self, prompt: str) -> list[object]:
        sql = (
            "WITH asked AS (SELECT list_distinct(string_split_regex(?, '[^a-z0-9]+')) AS words) "
            "SELECT number FROM texts, asked ORDER BY len(list_intersect(texts.words, asked.words)) DESC LIMIT ?"
        )
        return [number for (number,) in self._base.execute(sql, [prompt.lower(), K]).fetchall()]

    def key(self, number: int, text: str) -> object:
        return number

    def close(self) -> None:
        self._base.close()


class DuckDbFts:
    """DuckDB's extension for full text from a package; its index knows no additions and is built again for each."""

    name = "DuckDB FTS"
    package = "duckdb_extension_fts"

    def __init__(self, folder: str) -> None:
        self._base = import_module("duckdb").connect(os.path.join(folder, "texts.duckdb"))
        extensions = os.path.join(os.path.dirname(str(import_module(self.package).__file__)), "extensions")
        (extension,) = glob(os.path.join(extensions, "*", "fts.duckdb_extension"))
        self._base.load_extension(extension)
        self._base.execute("CREATE TABLE texts (number BIGINT, content TEXT)")

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        rows = [[number, text] for number, text in enumerate(texts, first)]
        self._base.execute("BEGIN")
        self._base.executemany("INSERT INTO texts VALUES (?, ?)", rows)
        self._base.execute("COMMIT")
        self._base.execute("PRAGMA create_fts_index('texts', 'number', 'content', overwrite = 1)")

    def add(self, number: int, text: str) -> None:
        self.add_many(number, [text])

    def search(self, prompt: str) -> list[object]:
        sql = (
            "SELECT number FROM (SELECT number, fts_main_texts.match_bm25(number, ?) AS score FROM texts) "
            "WHERE score IS NOT NULL ORDER BY score DESC LIMIT ?"
        )
        return [number for (number,) in self._base.execute(sql, [prompt, K]).fetchall()]

    def key(self, number: int, text: str) -> object:
        return number

    def close(self) -> None:
        self._base.close()


class Postgres:
    """PostgreSQL in a folder of the run: a GIN index over the words, an OR of the prompt's, ordered by ts_rank."""

    name = "PostgreSQL"
    package = "psycopg"

    def __init__(self, folder: str) -> None:
        self._server = PostgresServer(folder)
        self._base = import_module("psycopg").connect(self._server.address, autocommit=True)
        self._base.execute(
            "CREATE TABLE texts (number BIGINT PRIMARY KEY, content TEXT, "
            "words TSVECTOR GENERATED ALWAYS AS (to_tsvector('english', content)) STORED)"
        )
        self._base.execute("CREATE INDEX ON texts USING GIN (words)")
        self._settled = False

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        with self._base.transaction(), self._base.cursor() as cursor:
            cursor.executemany("INSERT INTO texts VALUES (%s, %s)", list(enumerate(texts, first)))

    def add(self, number: int, text: str) -> None:
        self._base.execute("INSERT INTO texts VALUES (%s, %s)", (number, text))
        self._settled = False

    def search(self, prompt: str) -> list[object]:
        if not self._settled:
            self._base.execute("VACUUM ANALYZE texts")  # as it does by itself within a minute
            self._settled = True
        sql = (
            "SELECT number FROM texts, to_tsquery('english', %s) AS asked WHERE words @@ asked "
            "ORDER BY ts_rank(words, asked) DESC LIMIT %s"
        )
        return [number for (number,) in self._base.execute(sql, (" | ".join(_WORDS.findall(prompt)), K))]

    def key(self, number: int, text: str) -> object:
        return number

    def close(self) -> None:
        self._base.close()
        self._server.stop()


class PostgresServer:
    """A server of its own that listens in its folder only."""

    def __init__(self, folder: str) -> None:
        data = os.path.join(folder, "data")
        who = not_root(folder)
        made = [_program("initdb"), "--auth=trust", "--username=postgres", "--no-locale", "--encoding=UTF8", "-D", data]
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL, **who)
        serve = [_program("postgres"), "-D", data, "-k", folder, "-c", "listen_addresses="]
        with open(os.path.join(folder, "log"), "wb") as log:
            self._process = subprocess.Popen(serve, stdout=log, stderr=log, **who)
        atexit.register(self.stop)
        self.address = f"host={folder} user=postgres dbname=postgres"
        ready = [_program("pg_isready"), "--quiet", "--host", folder]
        while subprocess.run(ready).returncode:
            if self._process.poll() is not None:
                raise OSError("the PostgreSQL server ended at once")
            time.sleep(0.1)

    def stop(self) -> None:
        """End the server."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait()


def not_root(folder: str) -> dict[str, Any]:
    """How to start a process here that refuses to run as root: root starts it as a user who is given the folder."""
    if os.geteuid() != 0:
        return {"cwd": folder}
    other = next((name for name in ("postgres", "nobody") if _exists(name)), None)
    if other is None:
        raise OSError("there is no other user to run PostgreSQL as")
    os.chmod(os.path.dirname(folder), 0o711)
    shutil.chown(folder, other)
    return {"cwd": folder, "user": other, "extra_groups": []}


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


def _program(name: str) -> str:
    found = [shutil.which(name), *sorted(glob(f"/usr/lib/postgresql/*/bin/{name}"))]
    path = next((one for one in found if one), None)
    if path is None:
        raise FileNotFoundError(f"{name} of a PostgreSQL server is not installed")
    return path


DATABASE_RIVALS: tuple[type[Any], ...] = (DuckDb, DuckDbFts, Postgres)
