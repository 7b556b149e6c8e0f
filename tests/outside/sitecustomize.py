"""What the commands that tests start as processes begin with: they leave no worker behind that outlives the test.

Whoever runs the tests inside a coding agent is a person to them all the same."""

import os

try:
    from recollect.files import processes, worker_process
except ImportError:  # another program in Python, which a test happens to start
    pass
else:
    worker_process.start_worker = lambda *_: None
    if os.environ.get("TESTS_INSIDE_AGENT"):
        processes.parents = lambda **_: []
