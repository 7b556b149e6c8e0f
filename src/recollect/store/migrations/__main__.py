"""Write `whole.sql` again, after a migration was added."""

from __future__ import annotations

import os
import sqlite3

from recollect.store.migrations import FOLDER, WHOLE, columns_of, steps_on
from recollect.store.statements import schema


def made_whole() -> str:
    """What all migrations make of an empty file, as statements."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for _ in steps_on(connection):
        pass
    hidden = tuple(f"{name}_" for (name,) in connection.execute(schema.VIRTUAL_TABLES))
    made = [
        (name, sql) for name, sql in connection.execute(schema.IN_ORDER) if not name.startswith((*hidden, "sqlite_"))
    ]
    lines = [f"{sql};" for _, sql in made]
    columns = columns_of(connection)
    for (table,) in connection.execute(schema.OWN_TABLES).fetchall():
        if not table.startswith((*hidden, "sqlite_")):
            lines += [row for (row,) in connection.execute(schema.rows_as_statements(table, columns[table]))]
    connection.close()
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with open(os.path.join(FOLDER, WHOLE), "w", encoding="utf-8") as file:
        file.write(made_whole())
