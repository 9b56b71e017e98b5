"""Text to values and back. Pure: no files, no processes, no clock."""
