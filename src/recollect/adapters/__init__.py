"""Ways in for programs: back ends and sessions for other people's agent libraries; one module a library."""
