"""Self-contained HTML pages of runs."""
