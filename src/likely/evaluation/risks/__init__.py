"""Risks: expected, structural, and as rows grow."""
