"""`recollect chat`: the agent at a terminal and in a pipe."""
