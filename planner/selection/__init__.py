"""Private selection and its applications: ranking, the net mechanism, online queries (Naor)."""
