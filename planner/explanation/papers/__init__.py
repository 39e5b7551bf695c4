"""What is handed out beside a plan: the sheet for participants, the methods and their citations."""
