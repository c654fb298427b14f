"""Curves over thresholds, calibration and confusion."""
