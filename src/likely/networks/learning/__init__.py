"""Tables from rows: counts, and EM where values are missing."""
