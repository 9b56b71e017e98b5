"""A run in which every text is an attack on whoever reads it in a browser."""

from collections.abc import Iterator
from pathlib import Path

from forged import FORGED

from react_agent.parsers.transcript.entries import (
    HEADER,
    VERSION,
    Entry,
    Event,
    Objective,
    Said,
    Seen,
)
from react_agent.parsers.transcript.facts import write_facts
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.state.steps import (
    COMPRESSED,
    CONDENSED,
    CUT,
    MAINTAINER,
    RETRACTED,
    SHELVED,
    compressed_event,
)
from react_agent.state.transcript import NAME

BREAK = "window.broken=1"
# Each would run, ask the network, take over an element or end one, if it were more than text.
VECTORS = (
    f"</script><script>{BREAK}</script>",
    f"<!--<script>--><script>{BREAK}//</script>-->]]>",
    f"</style><style>*{{display:none}}</style><script>{BREAK}</script>",
    f"</title></textarea></pre></template></noscript><img src=x onerror={BREAK}>",
    f"\"' onfocus={BREAK} autofocus tabindex=0 x=\"' onmouseover={BREAK} <svg/onload={BREAK}>",
    f"<details open ontoggle={BREAK}><summary>x</summary></details>",
    f'<iframe srcdoc="<script>parent.broken=1</script>" src="javascript:{BREAK}"></iframe>',
    f"<a href=javascript:{BREAK}>x</a> [x](javascript:{BREAK}) javascript:{BREAK}",
    "<base href=//127.0.0.1:9/><link rel=stylesheet href=http://127.0.0.1:9/x.css>",
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'><form action=http://127.0.0.1:9/>",
    "<img src=http://127.0.0.1:9/x.png><video poster=//127.0.0.1:9/x autoplay src=//127.0.0.1:9/y>",
    f"<math><mtext><table><mglyph><style><!--</style><img title='--><img src=x onerror={BREAK}>'>",
    "<div id=prompts></div><form id=search name=run></form><p class=here id=step-1>clobbered</p>",
    '{"__proto__": {"broken": 1}, "\\u003c/script>": "${alert(1)}"} {{constructor(1)()}}',
    f"&lt;script&gt;{BREAK}&lt;/script&gt; &#60;img src=x onerror={BREAK}&#62; &quot;&apos;&colon;",
    "<plaintext><xmp><listing><frameset><object data=x><embed src=x><dialog open>",
    "\u2028\u2029\u202eevil\u202c \ud800 \ufeff \U000e0041 \x00\x1b[31mred\x1b[0m\r\x0b\x85\x9b",
)
EVERYTHING = "\n".join((*VECTORS, FORGED))
LINE = " ".join(VECTORS)


def attacked_run(folder: Path) -> Path:
    """Its folder; a sub-agent's run within it is one, too."""
    _write(folder, tuple(_entries("sub/002")))
    _write(folder / "sub" / "002", tuple(_entries("")))
    _bytes(folder / "patch.diff", _diff())
    _bytes(folder / "steps.diff", f"# step 1\n{_diff()}# step 3\n{_diff()}# step {LINE}\n")
    return folder


def _write(folder: Path, entries: tuple[Entry, ...]) -> None:
    folder.mkdir(parents=True)
    _bytes(folder / NAME, write_transcript(entries))


def _bytes(place: Path, text: str) -> None:
    place.write_bytes(text.encode(errors="surrogatepass"))


def _diff() -> str:
    lines = [line for vector in VECTORS for line in (f"-{vector}", f"+{vector}")]
    name = VECTORS[4].replace("\n", " ")
    head = f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n"
    return f"{head}@@ -1,{len(VECTORS)} +1,{len(VECTORS)} @@ {LINE}\n" + "\n".join(lines) + "\n"


def _entries(sub: str) -> Iterator[Entry]:
    yield Event(HEADER, VERSION)
    named = ["run", "repository", "base", "branch", "model", "target", "<script"]
    yield from (Event(name, LINE) for name in (*named, *([] if sub else ["amended", "limits"])))
    yield Event("profile", "issue")
    yield Objective(EVERYTHING, {"at": LINE})
    yield from (Event("about", vector) for vector in VECTORS)
    yield _said("grep")
    yield Seen(EVERYTHING, {"n": "1", "status": LINE, "tool": LINE, "how": LINE, "kind": LINE})
    yield _said("update_file")
    yield Seen(EVERYTHING, {"n": "2", "how": "alias", "tool": LINE, "paths": LINE, "sub": sub})
    for goal in VECTORS:
        yield Said(Turn(Kind.ACTION, goal, "add_task", f"0\n{goal}"), facts={"n": "3"})
        yield Seen(goal, {"n": "3", "kind": "plan", "tool": "add_task", "status": "ok"})
    yield _said(VECTORS[0])
    yield Seen(EVERYTHING, {"status": "failed"})
    yield Said(
        Turn(Kind.MALFORMED, EVERYTHING, problem=LINE), EVERYTHING, {"in": LINE, "out": LINE}
    )
    yield Seen(EVERYTHING, {"status": "failed", "seconds": LINE, "mended": LINE})
    yield from _events()
    yield Said(Turn(Kind.CONCLUSION, EVERYTHING, conclusion=EVERYTHING), EVERYTHING)
    yield from (Event(name, LINE) for name in ("branch", "tests", "diff", "refused", "subject"))
    yield Event("stop", f"stuck {LINE}")


def _said(tool: str) -> Said:
    turn = Turn(Kind.ACTION, EVERYTHING, tool, EVERYTHING, repairs=VECTORS)
    return Said(turn, EVERYTHING, {"n": "1", "in": "9", "out": "9", "prompt": LINE})


def _events() -> Iterator[Event]:
    for name, facts in ((COMPRESSED, {"why": LINE}), (CUT, {}), (CONDENSED, {}), (SHELVED, {})):
        yield compressed_event(name, [1, 2], LINE if name == CONDENSED else "", **facts)
    yield compressed_event(RETRACTED, [1], LINE, by=LINE, check=LINE)
    named = (
        "hint",
        "recalled",
        "resumed",
        MAINTAINER,
        "note",
        "open",
        "thread",
        "redone",
        "</script>",
    )
    yield from (Event(name, LINE) for name in named)
    facts = write_facts({"tool": LINE, "until": LINE, "for": LINE, "in": LINE, "pattern": LINE})
    yield from (Event(name, facts) for name in ("demote", "asked", "overflow", "stuck"))
