"""Convert text to values and back, without using files, processes or a clock."""
