"""An endpoint that a person answers: a model for who has none."""
