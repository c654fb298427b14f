"""The ground: columns and levels, blocks of rows, log space, threads, what values keep."""
