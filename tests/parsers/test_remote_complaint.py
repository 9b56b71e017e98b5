from check_rows import table_of

from react_agent.parsers.forge.remote import Complaint, Trouble, read_complaint

AT = "http://127.0.0.1:8000/ann/it.git/"
LOCKED, MUTE = "failed to update ref", "remote failed to report status"
LOCK = "error: cannot lock ref 'refs/heads/x': is at 12ab but expected 34cd"


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
