"""Many attempts at a time: workers on this machine or on others, and who tells them what to do."""
