"""Decision trees: sorting, splits, rows on their way down."""
