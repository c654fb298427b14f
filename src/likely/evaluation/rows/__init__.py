"""Rows to judge models by: some of them taken, models learnt again from them."""
