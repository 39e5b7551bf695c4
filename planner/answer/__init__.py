"""From a study to a proven answer."""
