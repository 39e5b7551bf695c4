"""Failure probabilities at given means, as sums over counts: in floats, arrays and balls."""
