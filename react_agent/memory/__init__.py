"""What a run has seen, found again by words: SQLite, made of the transcript alone."""
