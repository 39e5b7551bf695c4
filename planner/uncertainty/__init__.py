"""Inputs that are not known: how likely a study is feasible, and which input decides."""
