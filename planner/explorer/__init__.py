"""The explorer: a page in the browser whose address is the study."""
