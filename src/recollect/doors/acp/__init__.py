"""The Agent Client Protocol, on stdin and stdout: memory in front of any agent, and our own agent."""
