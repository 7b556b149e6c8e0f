"""Data sets as arguments: none of them is part of this repository, so a missing one says where to read about them."""

from __future__ import annotations

import argparse
from pathlib import Path


def data_set(name: str) -> str:
    """An argument that names a file or a folder which is there."""
    if not Path(name).exists():
        raise argparse.ArgumentTypeError(
            f"there is no {name!r}. Data sets are not part of this repository; benchmarks/README.md says more."
        )
    return name
