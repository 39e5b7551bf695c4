"""What follows from an answer: limits, what to change, prices, and uncertain inputs."""
