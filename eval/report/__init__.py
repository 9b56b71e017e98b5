"""What came of an experiment, in words and tables: records in, text out."""
