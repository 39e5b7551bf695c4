"""What several private queries give away together: rules, exact curves, their inverses."""
