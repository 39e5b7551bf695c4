"""A study with uncertain inputs: how likely it is feasible, and a plan that holds."""
