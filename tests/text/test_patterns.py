"""Patterns out of a bundle match what the same patterns match when `re` compiles them."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from recollect.files.hook_bundle import NAME, open_bundle
from recollect.files.launchers.hook_launcher import ensure_launcher
from recollect.text import patterns

TEXTS = (
    "Never touch legacy/foo.py, computeInvoice or `user_id`: the port is 8883 (TLS).",
    "No, we moved to bun last week <memory-context id=1>x</memory-context> password=hunter2hunter2 ghp_" + "a1B2" * 9,
    "Wie baue ich den Dienst? 依存関係をインストールする; ÄÖÜ _emphasis_ HTTPServer.parseHeader --flag=/etc/x",
)


def test_every_pattern_of_a_bundle_finds_the_same(memory) -> None:
    ensure_launcher(memory.home)
    bundle = open_bundle(f"{memory.home.bin}/{NAME}")
    assert bundle is not None
    known = sorted(bundle._patterns)
    assert len(known) > 50
    for pattern, flags in known:
        ready, made = bundle.pattern(pattern, flags), re.compile(pattern, flags)
        assert ready is not None
        assert (ready.pattern, ready.flags, ready.groupindex) == (made.pattern, made.flags, made.groupindex)
        for text in TEXTS:
            found = [(one.span(), one.groups()) for one in ready.finditer(text)]
            assert found == [(one.span(), one.groups()) for one in made.finditer(text)], pattern
    assert bundle.pattern("not in any module", 0) is None
    bundle.close()


@given(st.text())
def test_escaped_text_is_what_re_makes_of_it(text) -> None:
    assert patterns.escape(text) == re.escape(text)
