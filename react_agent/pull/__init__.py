"""What comes of a run's change: a commit, a message, the text of a pull request."""
