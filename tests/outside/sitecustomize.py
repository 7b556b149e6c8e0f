"""For tests that somebody runs inside a coding agent: the programs they start are a person's all the same."""

import recollect.files.processes

recollect.files.processes.parents = lambda **_: []
