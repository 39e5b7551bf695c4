"""Each kind of answer in words: its rows and sentences, which every place shows."""
