"""What is proposed is proved: a plan, that there is none, and which conditions clash."""
