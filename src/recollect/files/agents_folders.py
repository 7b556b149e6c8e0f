"""Where agent definitions are; a hook looks only whether there are any."""

from __future__ import annotations

import os

IN_HOME = "agents"
IN_REPOSITORY = os.path.join(".recollect", "agents")
