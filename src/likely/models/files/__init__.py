"""Models in files: pages of JSON and plain arrays in a zip."""
