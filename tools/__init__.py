"""What an agent can do, and the workspace it does it in."""
