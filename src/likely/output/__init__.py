"""How things are said, measured, written to files and drawn on demand."""
