"""Reports for decision-makers: what is shown, small pieces of HTML, and the page they make."""
