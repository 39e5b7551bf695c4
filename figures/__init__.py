"""One file a figure; each draws what it is handed on the axes it is handed."""
