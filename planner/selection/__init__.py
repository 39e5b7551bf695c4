"""Private selection and what rests on it: ranking, the net mechanism, online queries (Naor)."""
