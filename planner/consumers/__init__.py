"""The best release of a count for whoever reads it (Ghosh09, Gupte10)."""
