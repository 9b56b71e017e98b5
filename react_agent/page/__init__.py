"""Self-contained HTML pages: one page for each run, and an index of many runs."""
