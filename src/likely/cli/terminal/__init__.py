"""What goes to a terminal: tables, bars, progress, failures, rows with answers."""
