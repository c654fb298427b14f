"""Decision trees: grown a level at a time, pruned, told in words."""
