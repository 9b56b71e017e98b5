"""Pages of one file that need nothing else: a run as it reads, and an index of many."""
