"""The values that the input of a tool gives: as lines, as fields or as JSON."""
