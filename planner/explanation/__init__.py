"""A study in formulas and in words: its constraints, where they lead, and what it means."""
