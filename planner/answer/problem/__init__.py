"""A study as one list of conditions: floors and ceilings on ε over N."""
