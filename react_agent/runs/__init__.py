"""The runs of a person: listing them, and removing those that are no longer needed."""
