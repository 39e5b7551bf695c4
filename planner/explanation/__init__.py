"""A study and its answer in formulas and words; every sentence that is shown."""
