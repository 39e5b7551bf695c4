"""Simulation of the planned study: how often its answer is off."""
