"""The first second of a command: what is imported, and what other cores compile meanwhile."""
