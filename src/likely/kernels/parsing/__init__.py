"""Bytes of text as fields: where each begins and ends, numbers, words."""
