"""What is taken out of a prompt that grows too long, and in what order."""
