"""What failure probabilities do not pass between the means at which they are summed."""
