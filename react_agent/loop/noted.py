"""What a transcript notes for whoever audits the run: words of its `%%` lines."""

REACH = "reach"  # an event: what the run can reach outside of its folder
ENDPOINT, EMBEDDINGS, COMMANDS, WEB = "endpoint", "embeddings", "commands", "web"  # facts of it
OFF, ON = "off", "on"  # the network of commands, as far as their sandbox goes
WROTE = "wrote"  # a fact of a step, and an event at the end: files, and lines that came and went
COMMIT = "commit"  # an event: the one that the branch is
TESTED = "tested"  # an event at the end: how the tests in a fresh checkout came out, and what ran
OUTCOME = "outcome"  # an event at the end: one of Ending
PREPARE = "prepare"  # an event at the end: a command that would let the tests run
SPENT = "spent"  # an event at the end: steps, and what they came to
