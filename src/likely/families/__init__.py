"""Families: a prior and a statistic give a belief, a belief gives log predictive terms."""
