"""A profile that offers `recall`."""

PROFILE = """[profile]
name = back
summary = a run that may look back
tools = read_file list_files recall replace
guards = budget malformed stuck history remind

[budget]
steps = 30

[compress]
history = 1

[prompt]
role = You look back.
opening = Tools:
format = Thought, {tools}
"""
