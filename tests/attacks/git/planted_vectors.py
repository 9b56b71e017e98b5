"""What commands plant: shell scripts for the work tree, and what plain git does with each.

In both `$EVIL` is a program that leaves its mark outside, `$OUT` is a folder that no command may
write, with the repository `repo`, and `$BLOB` a file of that one.
"""

from dataclasses import dataclass
from enum import Enum, auto

# What was planted before goes; what git starts meanwhile leaves no mark.
PREPARE = """\
set -e
export PLANTING=1
[ -e "$HOME/clean" ] || cp -a .git "$HOME/clean"
rm -rf .git sub src inner deep .gitattributes .gitignore .gitmodules
cp -a "$HOME/clean" .git
printf '#!/bin/sh\\n[ "$PLANTING" ] || echo it >> "%s/fired"\\n' "$OUT" > "$EVIL"
echo 'cat 2>/dev/null; exit 0' >> "$EVIL"
chmod +x "$EVIL"
"""


class Shows(Enum):
    STARTS = auto()  # the program
    WAITS = auto()  # for ever
    TELLS = auto()  # what `told` says


@dataclass(frozen=True, slots=True)
class Vector:
    plant: str
    trigger: str
    shows: Shows = Shows.STARTS
    told: str = ""


# In every git directory that a command could hold for ours, and its attributes of all ranks.
_CLEAN = """\
git config filter.x.clean "$EVIL"
mkdir -p .git/info .git/checkpoints/info
echo '* filter=x' > .git/checkpoints/info/attributes
git config -f .git/checkpoints/config filter.x.clean "$EVIL"
"""
_CHANGED = "echo changed > README\n"
_ROOT = "echo '* filter=x diff=x merge=x' > .gitattributes\n"


def _driver(setting: str, trigger: str, attributes: str = _ROOT) -> Vector:
    return Vector(f'{attributes}git config {setting} "$EVIL"\n{_CHANGED}', trigger)


def _setting(name: str, trigger: str) -> Vector:
    return Vector(f'git config {name} "$EVIL"\n{_CHANGED}', trigger)


def _pipe(path: str, trigger: str = "git add README") -> Vector:
    plant = f"{_CHANGED}mkdir -p $(dirname {path})\nrm -f {path}\nmkfifo {path}\n"
    return Vector(plant, trigger, Shows.WAITS)


def _tells(plant: str, trigger: str, told: str) -> Vector:
    return Vector(plant, trigger, Shows.TELLS, told)


_MERGE = """\
git add README && git commit -qm a && git checkout -qfb side HEAD~1
echo other > README; git commit -qam b; git merge -q @{-1}"""
_HOOKS = """\
mkdir -p {0}
for name in pre-commit post-commit post-index-change reference-transaction post-checkout; do
  ln -sf "$EVIL" {0}/$name
done
"""
_INCLUDED = 'printf "[core]\\n\\tfsmonitor = %s\\n" "$EVIL" > "$HOME/more"\n'
_SUBMODULE = """\
git clone -q --shared . sub && git -C sub checkout -q HEAD~1
git update-index --add --cacheinfo 160000,$BASE,sub
printf '[submodule "sub"]\\n\\tpath = sub\\n\\turl = %s\\n' "{url}" > .gitmodules
git config submodule.sub.url "{url}"
git config submodule.sub.active true
"""
_INNER = """\
git init -q inner && echo x > inner/x && git -C inner add x
git -C inner -c user.name=x -c user.email=x@x commit -qm x
git add inner 2>/dev/null
git -C inner config core.fsmonitor "$EVIL"
"""
_HUGE = """\
[ -e "$HOME/huge" ] || head -c 300M /dev/zero | git hash-object -w --stdin > "$HOME/huge"
id=$(cat "$HOME/huge"); place=.git/objects/${id:0:2}/${id:2}
[ ! -e $place ] || cp $place "$HOME/huge.object"
mkdir -p ${place%/*}; cp -f "$HOME/huge.object" $place
git update-index --add --cacheinfo 100644,$id,huge
"""
_REPLACED = """\
new=$(echo otherwise | git hash-object -w --stdin)
git replace $(git rev-parse HEAD:README) $new
"""
_ENDLESS = """\
folder=deep$(printf '/aaaa%.0s' {1..30}); mkdir -p $folder; echo x > $folder/aaaa
echo "$(printf '**/a*/%.0s' {1..12})b" > .gitignore
"""
# `secret.txt` would be part of the change if the index outside were taken for that of the commands.
_ELSEWHERE = "echo mine > secret.txt\n"

# As git writes one, with these names.
_INDEX = """\
python3 - <<'END'
import hashlib, struct
names = {}
rows = (bytes(40) + bytes(20) + struct.pack(">H", len(name)) + name for name in sorted(names))
data = b"DIRC" + struct.pack(">II", 2, len(names))
data += b"".join(row + bytes(8 - len(row) % 8) for row in rows)
open(".git/index", "wb").write(data + hashlib.sha1(data).digest())
END
"""

VECTORS = {
    "filter.x.clean": Vector(f"{_ROOT}{_CLEAN}{_CHANGED}", "git add README"),
    "filter.x.smudge": _driver("filter.x.smudge", "rm README; git checkout README"),
    "filter.x.process": _driver("filter.x.process", "git add README"),
    "attributes in a sub-folder": Vector(
        f"mkdir sub; echo '* filter=x' > sub/.gitattributes; echo x > sub/x\n{_CLEAN}",
        "git add sub/x",
    ),
    "attributes in .git/info": Vector(
        f"{_CLEAN}echo '* filter=x' > .git/info/attributes\n{_CHANGED}", "git add README"
    ),
    "diff.external": _setting("diff.external", "git diff"),
    "diff.x.command": _driver("diff.x.command", "git diff"),
    "diff.x.textconv": _driver("diff.x.textconv", "git diff"),
    "merge.x.driver": _driver("merge.x.driver", _MERGE),
    "core.fsmonitor": _setting("core.fsmonitor", "git status"),
    "core.sshCommand": _setting("core.sshCommand", "timeout 2 git fetch ssh://host.invalid/x"),
    "core.pager": _setting("core.pager", 'python3 -c \'import pty; pty.spawn(["git", "log"])\''),
    "core.editor": _setting("core.editor", "git commit --allow-empty"),
    "core.hooksPath": Vector(
        _HOOKS.format('"$HOME/hooks"') + 'git config core.hooksPath "$HOME/hooks"',
        "git commit --allow-empty -m x",
    ),
    "hooks in .git/hooks": Vector(_HOOKS.format(".git/hooks"), "git commit --allow-empty -m x"),
    "core.attributesFile": Vector(
        f'echo "* filter=x" > "$HOME/all"; git config core.attributesFile "$HOME/all"\n'
        f"{_CLEAN}{_CHANGED}",
        "git add README",
    ),
    "core.worktree": _tells(
        'git config core.worktree "$OUT/repo"', "git ls-files --others", "secret.txt"
    ),
    "include.path": Vector(_INCLUDED + 'git config include.path "$HOME/more"', "git status"),
    "includeIf": Vector(
        _INCLUDED + 'git config "includeIf.gitdir:**.path" "$HOME/more"', "git status"
    ),
    "include.path of a pipe": Vector(
        'rm -f "$HOME/pipe"; mkfifo "$HOME/pipe"; git config include.path "$HOME/pipe"',
        "git status",
        Shows.WAITS,
    ),
    "objects/info/alternates": _tells(
        'echo "$OUT/repo/.git/objects" > .git/objects/info/alternates\n'
        "git update-index --add --cacheinfo 100644,$BLOB,stolen",
        "git cat-file blob :stolen",
        "nobody is to read this",
    ),
    "the url of a submodule": _tells(
        _SUBMODULE.format(url="$OUT/repo"),
        "rm -rf sub .git/modules; git update-index --cacheinfo "
        '160000,$(git -C "$OUT/repo" rev-parse HEAD),sub\n'
        "git -c protocol.file.allow=always submodule update --init; cat sub/secret.txt",
        "nobody is to read this",
    ),
    "submodule.x.update": Vector(
        _SUBMODULE.format(url="./sub") + 'git config submodule.sub.update "!$EVIL"',
        "git submodule update",
    ),
    "the settings of a repository inside": Vector(_INNER, "git status"),
    "a pipe as .git/config": _pipe(".git/config"),
    "a pipe as .git/index": _pipe(".git/index"),
    "a pipe as .git/HEAD": _pipe(".git/HEAD"),
    "a pipe as .git/info/attributes": _pipe(".git/info/attributes"),
    "a pipe as .gitmodules": _pipe(".gitmodules", "git grep --recurse-submodules one"),
    "a pipe as .gitattributes": _pipe(".gitattributes"),
    "a pipe as src/.gitattributes": Vector(
        "mkdir -p src; echo x > src/x; mkfifo src/.gitattributes", "git add src/x", Shows.WAITS
    ),
    "a pipe as .gitignore": _pipe(".gitignore", "git status"),
    "a pipe as the HEAD of a repository inside": Vector(
        "mkdir -p inner/.git/objects inner/.git/refs; mkfifo inner/.git/HEAD",
        "git status",
        Shows.WAITS,
    ),
    "a pattern without end in .gitignore": Vector(_ENDLESS, "git status", Shows.WAITS),
    "refs/replace": _tells(_REPLACED, "git cat-file blob HEAD:README", "otherwise"),
    "info/grafts": _tells(
        "mkdir -p .git/info; git rev-parse HEAD > .git/info/grafts",
        "git rev-list --count HEAD",
        "1\n",
    ),
    "shallow": _tells("git rev-parse HEAD > .git/shallow", "git rev-list --count HEAD", "1\n"),
    "a huge object": _tells(_HUGE, "git cat-file -s :huge", f"{300 << 20}\n"),
    ".git as a link": _tells(
        f'{_ELSEWHERE}rm -rf .git; ln -s "$OUT/repo/.git" .git', "git ls-files", "secret.txt"
    ),
    ".git as a gitdir file": _tells(
        f'{_ELSEWHERE}rm -rf .git; echo "gitdir: $OUT/repo/.git" > .git',
        "git ls-files",
        "secret.txt",
    ),
    ".git/index as a link": _tells(
        f'{_ELSEWHERE}rm .git/index; ln -s "$OUT/repo/.git/index" .git/index',
        "git ls-files",
        "secret.txt",
    ),
    "names in .git/index that lead outside": _tells(
        _INDEX.replace("{}", '[b"", b"-rf", b".git/config", b"../../outside/repo/secret.txt"]'),
        "git ls-files",
        "../../outside/repo/secret.txt",
    ),
    "too many names in .git/index": _tells(
        _INDEX.replace("{}", '[b"%050d" % number for number in range(300_000)]'),
        "git ls-files | wc -l",
        "300000\n",
    ),
    ".git/commondir": _tells(
        'echo "$OUT/repo/.git" > .git/commondir', "git cat-file blob $BLOB", "nobody is"
    ),
}
