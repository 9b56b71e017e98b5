"""Many issues, many runs, grades (the top floor)."""
