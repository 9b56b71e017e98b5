from check_rows import table_of

from react_agent.parsers.forge.remote import Complaint, Trouble, read_complaint

AT = "http://127.0.0.1:8000/ann/it.git/"
CANT = f"fatal: unable to access '{AT}': "
LOST = """\
send-pack: unexpected disconnect while reading sideband packet
fatal: the remote end hung up unexpectedly
"""
LOCKED, MUTE = "failed to update ref", "remote failed to report status"
LOCK = "error: cannot lock ref 'refs/heads/x': is at 12ab but expected 34cd"


@table_of(
    ("errors", "complaint"),
    {
        "nothing": ("", Complaint(Trouble.OTHER)),
        "no token": (
            "fatal: could not read Username for 'http://127.0.0.1:8000': terminal prompts disabled",
            Complaint(Trouble.NO_TOKEN, place="http://127.0.0.1:8000"),
        ),
        "404": (
            f"remote: Repository not found.\nfatal: repository '{AT}' not found\n",
            Complaint(
                Trouble.NO_REPOSITORY, f"repository '{AT}' not found", "Repository not found."
            ),
        ),
        "502 to what was sent": (
            f"error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502\n{LOST}",
            Complaint(Trouble.BUSY, "it answers 502"),
        ),
        "a talkative server": (
            "remote: one\nremote:\nremote: \x1b[31mtwo\nremote: three\nremote: four\nfatal: x\n",
            Complaint(Trouble.OTHER, "x", "one <U+001B>[31mtwo three"),
        ),
        "long lines": (
            f"remote: {'y' * 1000}\nfatal: {'x' * 1000}\n",
            Complaint(Trouble.OTHER, "x" * 296 + " ...", "y" * 296 + " ..."),
        ),
    },
)
def test_what_went_wrong(errors: str, complaint: Complaint) -> None:
    assert read_complaint(errors) == complaint


@table_of(
    ("rejection", "errors", "trouble", "reason"),
    [
        ("[rejected] (stale info)", "", Trouble.MOVED, "stale info"),
        (f"[remote rejected] ({LOCKED})", f"remote: {LOCK}\n", Trouble.MOVED, LOCKED),
        (f"[remote failure] ({MUTE})", "", Trouble.UNREACHABLE, MUTE),
        ("[remote rejected]", "", Trouble.REFUSED, "rejected"),
    ],
)
def test_why_a_push_was_rejected(
    rejection: str, errors: str, trouble: Trouble, reason: str
) -> None:
    printed = f"To {AT}\n!\tabc:refs/heads/x\t{rejection}\nDone\n"
    failed = f"{errors}error: failed to push some refs to '{AT}'\n"
    complaint = read_complaint(failed, printed)
    assert complaint == Complaint(trouble, reason, errors.strip().removeprefix("remote: "))
