"""Pages that need no other file: a run as one page, and an index of many runs."""
