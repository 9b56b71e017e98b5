"""The checks that a repository declares, run on what a run has changed."""
