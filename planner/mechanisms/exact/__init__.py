"""The true failure probability of a noisy proportion, and its worst case over means."""
