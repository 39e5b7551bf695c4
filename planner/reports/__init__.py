"""Reports for decision-makers: their content, pieces of HTML, and the page."""
