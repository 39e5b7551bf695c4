"""Optimal releases of a count for each reader (Ghosh09, Gupte10)."""
