"""The planned study run many times over: how often its answer is really off."""
