"""One file for each figure; each draws given data on given axes."""
