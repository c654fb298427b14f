"""Models side by side, and whether their differences are more than chance."""
