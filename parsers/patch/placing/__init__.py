"""Where the hunks of a patch are in a file, and what they change there."""
