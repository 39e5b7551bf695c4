"""Composition: the privacy loss of several queries, by rules and exactly, and its inverse."""
