"""How a plan is run: its OpenDP program, and its entry in a registry."""
