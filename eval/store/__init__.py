"""An experiment on disk: one SQLite file, and beside it the files of its attempts."""
