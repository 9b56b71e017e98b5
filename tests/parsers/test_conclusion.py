from react_agent.parsers.answers.labelled import gives_up

GIVES_UP = [
    "  **I give up** because the server is gone",
    "I’m giving up because nothing builds",
    "I have given up because it can't be built",
    "After three attempts, I give up.",
    "I cannot complete this because the file is gone",
    "I can't resolve the issue: its file is not here",
    "I was unable to fix this: the tests need a server",
    "This cannot be done because the format is not known",
    "I am abandoning the task",
]
GOES_ON = [
    "I never give up",
    "Users give up because it hangs; now it does not.",
    "The retry loop gave up after 3 tries; now it makes 5.",
    "I gave up on the regex and wrote a parser",
    "Fixed: giving up the lock frees it",
    "I could not fix it in the parser, so I fixed it in the lexer",
    "`giving up` is printed now",
    "Done. I give up",
]


def test_gives_up() -> None:
    assert [text for text in (*GIVES_UP, *GOES_ON) if gives_up(text)] == GIVES_UP
