"""Which number decides: what a little more of each quantity is worth."""
