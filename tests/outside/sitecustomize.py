"""What the commands that tests start as processes begin with: they leave no worker behind that outlives the test.

Whoever runs the tests, without a terminal or inside a coding agent, is a person to them all the same. Tests that are
about that start their processes without this (PYTHONPATH="")."""

import os

try:
    from recollect.files import processes, worker_process
except ImportError:  # another program in Python, which a test happens to start
    pass
else:
    worker_process.start_worker = lambda *_: None
    processes.is_cut_loose = lambda **_: False
    processes.is_piped = lambda: False
    processes.sits = lambda found: True
    if os.environ.get("TESTS_INSIDE_AGENT"):
        processes.parents = processes.environments_above = processes.lineage = lambda **_: []
