"""Reports for those who decide: what is shown, small pieces of HTML, and the page they make."""
