"""What was played for tests/data/baseline: by whom, on what, and where it was killed."""

from dataclasses import dataclass, field
from typing import Any

from old_world import HANG

READ = range(1, 400, 57)  # lines that windows begin at
LONG = "I read on from rack {} because " + " and ".join(
    f"rack {rack:03} may hold more bottles than the sum of all the others" for rack in range(15)
)
ISSUE = """# Bottles are counted twice

`bottles` in cellar/count.py tells twice as many as there are.
"""
NONCE = "od -An -N12 -tx1 /dev/urandom >> NOTES.md"  # done again, it leaves other files
FIX = """cellar/count.py
<<<<<<< SEARCH
        total += rack.size * 2
=======
        total += rack.size
>>>>>>> REPLACE"""
README = """README.md
<<<<<<< SEARCH
Counts what lies in a cellar.
=======
Counts the bottles of a cellar.
>>>>>>> REPLACE"""
PATCH = """--- a/cellar/count.py
+++ b/cellar/count.py
@@ -5,5 +5,5 @@
     \"""How many there are in all racks.\"""
     total = 0
     for rack in racks:
-        total += rack.size * 2
+        total += rack.size
     return total
"""
PROFILE = """[profile]
name = mine
based on = issue
summary = issue, with a helper
tools = list_files grep read_file replace run update_file
gate = off

[limits]
window_lines = 90

[hidden]
think =
deploy = redirect Deploying is not yours to do.
"""
PROCEDURE = """procedure: pair
  profile: turn
  environment type: cooperative

state: look
  environment: You look for the code that must change.
  role finder:
    task: Find the code that must change.
    tools: list_files grep read_file run
    maximum steps: 5
  maximum turns: 3
  judge: Answer 1 when the place is named, else 0.
  next: 0 look, 1 change

state: change
  role author:
    task: Make the change.
  next: end_state

state: end_state
"""


def step(thought: str, tool: str, given: str = "") -> str:
    return f"Thought: {thought}\nAction: {tool}\nAction Input: {given}"


def end(words: str) -> str:
    return f"Thought: that is all\nConclusion: {words}"


DONE = end("Each bottle is counted once.")
ENOUGH = end("This is as far as it goes.")


@dataclass
class Made:
    name: str
    replies: list[str]
    fork: dict[str, Any]
    resume: dict[str, Any] = field(default_factory=lambda: {"replies": [DONE]})
    options: tuple[str, ...] = ()
    aside: str = ""  # to what is no step
    until: str = ""  # in NOTES.md: then it is killed
    issue: str = ISSUE
    files: dict[str, str] = field(default_factory=dict)


RUNS = [
    Made(
        "finished",
        [
            step("where is it counted?", "grep", "size"),
            step("I read it the way I am used to", "cat", "cellar/count.py"),
            "I am not sure how to go on.",
            step("a note that is another one each time", "run", NONCE),
            step("a new file", "write_file", "docs/counting.md\nEach bottle counts once.\n"),
            step("now the change", "replace", FIX),
            step("is there a browser?", "open_browser", "http://localhost/"),
            step("can I release it?", "release", "now"),
            step("does it hold?", "run_tests"),
            DONE,
        ],
        {"at": 5, "replies": [ENOUGH]},
        options=("--keep",),
    ),
    Made(
        "cleared",
        [
            step("I read it", "read_file", "cellar/count.py"),
            step("a new file by a command", "run", "echo once > docs.txt && git add docs.txt"),
            step("now the change", "replace", FIX),
            step("does it hold?", "run_tests"),
            DONE,
        ],
        {"at": 0, "replies": [], "options": ["--model", "replay/{transcript}"]},
        options=("--profile", "small", "--sandbox", "none"),
    ),
    Made(
        "killed",
        [
            step("a note that is another one each time", "run", NONCE),
            step("a file that git is told of", "run", "echo new > new.txt && git add new.txt"),
            step("a commit of its own", "run", "echo more >> README.md && git commit -qam mine"),
            step(
                "what git ignores", "run", "echo x > left.tmp; rm -f stock.txt; ln -s NOTES.md to"
            ),
            step("in the background", "run_background", "sleep 100"),
            step("now the change", "apply_patch", PATCH),
            HANG,
        ],
        {"at": 2, "replies": [ENOUGH]},
    ),
    Made(
        "midstep",
        [
            step("a note that is another one each time", "run", NONCE),
            step("I go there", "run", "cd cellar && pwd | grep -o cellar$"),
            step(
                "it takes long",
                "run",
                "echo again >> ../NOTES.md; [ $(date +%s) -gt @UNTIL@ ] || sleep 60",
            ),
            DONE,
        ],
        {"at": 2, "replies": [ENOUGH]},
        options=("--profile", "monologue", "--sandbox", "landlock"),
        until="again",
    ),
    Made(
        "delegated",
        [
            step("a note that is another one each time", "run", NONCE),
            step("one file for another", "update_file", "README.md\nSay that it counts bottles."),
            step("this line", "replace", README),
            end("README.md says so now."),
            step("and the other", "update_file", "cellar/count.py\nCount each bottle once."),
            step("this line", "replace", FIX),
            HANG,
        ],
        {"at": 2, "replies": [ENOUGH]},
        {"replies": [end("It counts each bottle once."), DONE]},
        options=("--profile", "./mine.cfg"),
        files={"mine.cfg": PROFILE},
    ),
    Made(
        "procedure",
        [
            step("a note that is another one each time", "run", NONCE),
            end("It is in cellar/count.py."),
            step("now the change", "replace", FIX),
            HANG,
        ],
        {"at": 1, "replies": [ENOUGH], "aside": "1"},
        {"replies": [DONE], "aside": "1"},
        options=("--procedure", "./pair.txt"),
        aside="1",
        files={"pair.txt": PROCEDURE},
    ),
    Made(
        "attempts",
        [
            step("a note that is another one each time", "run", NONCE),
            step("now the change", "replace", FIX),
            DONE,
            DONE,
            step("a note that is another one each time", "run", NONCE),
            step("only a word", "replace", README),
            DONE,
        ],
        {"at": 1, "replies": [ENOUGH]},
        options=("--attempts", "2", "--keep"),
        aside="1",
    ),
    Made(
        "backtracked",
        [
            step("a plan", "add_task", "0\nread the year\n- find how\n- mend it"),
            step("I begin", "modify_task", "0.0 in_progress"),
            step("a note that is another one each time", "run", NONCE),
            step("is a year read?", "run", "grep -rn parse_year check.sh NOTES.md"),
            step(
                "There is no `parse_year`, so I write one.",
                "write_file",
                "cellar/years.py\ndef parse_year(label):\n    return int(label)\n",
            ),
            step("now the change", "replace", FIX),
            step("done with that", "modify_task", "0.0 completed"),
        ],
        {"at": 5, "replies": [ENOUGH]},
        {
            "replies": [step("it is all there", "modify_task", "0 verified")],
            "options": ["--steps", "30"],
        },
        options=("--profile", "planner", "--steps", "9"),
    ),
    Made(
        "compressed",
        [
            step("a note that is another one each time", "run", NONCE),
            step("how many?", "calculator", "12 * 34"),
            *(step("what is there?", "read_file", f"stock.txt:{at}-{at + 56}") for at in READ),
            step("and these?", "grep", "rack 1"),
            step("and those?", "grep", "rack 2"),
            step("now the change", "replace", FIX),
            step("and the others?", "grep", "rack 3"),
            HANG,
        ],
        {"at": 6, "replies": [ENOUGH]},
        options=("--profile", "classic"),
    ),
    Made(
        "condensed",
        [
            step("a note that is another one each time", "run", NONCE),
            *(step(LONG.format(at), "read_file", f"stock.txt:{at}-{at + 56}") for at in READ),
            step("now the change", "replace", FIX),
            step("what was it again?", "recall", "rack 017"),
            HANG,
        ],
        {"at": 8, "replies": [ENOUGH]},
        options=("--window", "4200"),
        aside="Steps 1-3: stock.txt was read, rack 001 to rack 114.",
    ),
    Made(
        "single-shot",
        [step("all at once", "apply_patch", PATCH)],
        {"at": 0, "replies": [step("all at once", "apply_patch", PATCH)]},
        options=("--profile", "single-shot"),
    ),
    Made(
        "retrieval",
        [step("these", "read_file", "cellar/count.py\ncheck.sh"), HANG],
        {"at": 1, "replies": [step("all at once", "apply_patch", PATCH)]},
        {"replies": [step("all at once", "apply_patch", PATCH)]},
        options=("--profile", "retrieval"),
    ),
]
HOOK_CONFIG = """[react_agent]
model = openai/scripted@{url}/v1

[react_agent:hook]
seconds = {seconds}
"""
QUEUED = [
    *(step("now the change", "replace", FIX), DONE, DONE),
    *(step("now the change", "replace", FIX), HANG),
]
SETTINGS = {
    "replies": [
        step("an alias", "show_file", "README.md"),
        step("a redirect", "deploy", "now"),
        step("a protocol", "ponder", "hm"),
        step("of the repository", "release", "now"),
        step("of the repository, too", "nap"),
        step("what lint refuses", "replace", README.replace("the bottles", "forbidden bottles")),
        step("now the change", "replace", FIX),
        DONE,
    ],
    "asked": [
        "model",
        "temperature",
        "seed",
        "stream",
        "reasoning_effort",
        "max_completion_tokens",
    ],
    "tools": ["grep", "outline", "update_file", "write_file"],
}
