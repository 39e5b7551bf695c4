"""One file for each figure; each draws what it is handed on the axes it is handed."""
