"""Where things are, for tests in any folder."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
SOURCE = ROOT / "src" / "recollect"
NODE = TESTS / "node"
FIXTURES = TESTS / "fixtures"
