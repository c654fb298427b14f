"""Files of rows: told by their content, read by DuckDB, written whole."""
