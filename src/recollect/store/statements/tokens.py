"""Statements on tokens and kept answers."""

from __future__ import annotations

from recollect.model.access import KeptAnswer, Token
from recollect.store.statements import listed, marks

_COLUMNS = listed(Token._fields)
_ANSWER = listed(KeptAnswer._fields)

# Keep a token.
ADD = f"INSERT INTO tokens ({_COLUMNS}) VALUES ({marks(len(Token._fields))})"
# Every token, newest first.
ALL = f"SELECT {_COLUMNS} FROM tokens ORDER BY created DESC, token_id DESC"
# How many tokens there are.
COUNT = "SELECT count(*) FROM tokens"
# The token with a digest.
BY_DIGEST = f"SELECT {_COLUMNS} FROM tokens WHERE digest = ?"
# The token with a name, or two whose id lies between two texts.
NAMED = f"SELECT {_COLUMNS} FROM tokens WHERE name = ? OR (token_id >= ? AND token_id < ?) LIMIT 2"
# Take a token back.
REVOKE = "DELETE FROM tokens WHERE token_id = ?"
# Note that a token was used.
USED = "UPDATE tokens SET last_used = ? WHERE token_id = ?"

# What was answered to a request with this key.
ANSWER = f"SELECT {_ANSWER} FROM kept_answers WHERE asker = ? AND key = ?"
# Keep an answer.
KEEP = f"INSERT INTO kept_answers (asker, key, {_ANSWER}, created) VALUES (?, ?, {marks(len(KeptAnswer._fields))}, ?)"
# Drop answers from before a time.
PRUNE = "DELETE FROM kept_answers WHERE created < ?"
