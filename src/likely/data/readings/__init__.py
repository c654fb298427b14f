"""Text as values: what a column of text holds is told from all its cells, and read the same way ever after."""
