"""The few compiled loops: every kernel adds a block of rows into `out` and releases the GIL."""
