"""What checks certificates of answers; it imports nothing of the planner."""
