"""One solver a file, by the shape of what is searched."""
