"""What a module touches, out of its syntax: files, processes, network, keys, the clock.

A name is followed to what it was imported as. Whoever takes a guarded module, class or function
for a value, to rename it, touches it too.
"""

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass

LOOKS, FILES, PROCESSES, NETWORK = "looks", "files", "processes", "network"
KEYS, CLOCK, CODE = "keys", "clock", "code by name"

# Modules and things in them. The longest name that fits is the one that counts.
_NAMES = {
    FILES: """os shutil tempfile io codecs fcntl mmap glob fileinput linecache zipfile tarfile gzip
        bz2 lzma sqlite3 dbm shelve posix importlib.resources importlib.metadata open
        gitdb termios tty""",
    LOOKS: """os.path os.stat os.lstat os.fstat os.access os.R_OK os.W_OK os.X_OK os.listdir""",
    PROCESSES: """subprocess multiprocessing concurrent.futures.ProcessPoolExecutor signal _signal
        ctypes _ctypes resource pty selectors select asyncio git os.fork os.forkpty os.kill
        os.killpg os.setsid os.system os.popen os.abort os._exit os.waitpid os.execv os.execve
        os.execvp os.execvpe os.posix_spawn os.spawnv os.getppid os.getpgrp""",
    NETWORK: """socket _socket ssl socketserver http urllib ftplib smtplib httpx httpx2 requests
        urllib3 aiohttp anthropic openai github gitlab distributed mcp anyio xllamacpp webbrowser
        xmlrpc""",
    KEYS: """os.environ os.environb os.getenv os.getenvb os.putenv os.unsetenv os.path.expandvars
        os.path.expanduser getpass pwd netrc""",
    CLOCK: """time datetime.datetime.now datetime.datetime.today datetime.datetime.utcnow
        datetime.date.today""",
    CODE: """importlib runpy pkgutil builtins.open builtins.eval builtins.exec sys.modules
        __import__ eval exec compile globals vars""",
    "": """os.PathLike os.fspath os.fsencode os.fsdecode os.sep os.pathsep os.defpath os.devnull
        os.strerror os.stat_result os.DirEntry os.cpu_count os.sched_getaffinity
        os.path.join os.path.basename os.path.dirname os.path.normpath os.path.split
        os.path.splitext os.path.commonpath os.path.isabs io.StringIO io.BytesIO io.TextIOBase
        codecs.lookup signal.Signals urllib.parse io.TextIOWrapper codecs.BOM_UTF8
        os.getuid os.getgid os.getpid os.path.relpath""",
}
KIND = {name: kind for kind, names in _NAMES.items() for name in names.split()}

# The rest of what is imported: what is on neither list has to be put on one.
PURE = frozenset(
    """__future__ array ast atexit base64 bisect builtins collections concurrent configparser
    contextlib copy csv dataclasses datetime difflib email enum errno fnmatch functools gc
    genai_prices getopt hashlib heapq html inspect ipaddress itertools json keyword logging math
    operator pathlib pickle _thread
    platform posixpath prompt_toolkit queue random re regex rich secrets shlex stat statistics
    string struct sys textwrap threading tomllib traceback typer types typing unicodedata unidiff
    uuid warnings weakref xml zlib
    """.split()  # noqa: SIM905  a list of them takes forty lines
)

_LOOKS = frozenset(
    """exists glob is_block_device is_char_device is_dir is_fifo is_file is_junction is_mount
    is_socket is_symlink iterdir lstat owner readlink resolve rglob samefile stat
    """.split()  # noqa: SIM905
)
_OF_PATHS = _LOOKS | frozenset(
    """chmod expanduser hardlink_to lchmod mkdir read_bytes read_text rename rmdir symlink_to touch
    unlink write_bytes write_text
    """.split()  # noqa: SIM905
) - {"resolve", "stat"}
# Others have methods of these names as well: they count where they are called.
_WHERE_CALLED = frozenset(("cwd", "home", "open", "replace", "resolve", "stat", "walk"))
_BUILTINS = frozenset(("open", "eval", "exec", "compile", "globals", "vars", "__import__"))
_PATH = "pathlib.Path"


@dataclass(frozen=True, slots=True, order=True)
class Touch:
    line: int
    kind: str
    what: str


def touches(source: str, modules: Collection[str]) -> list[Touch]:
    """`modules` are ours: a function of one is no method of a path."""
    tree = ast.parse(source)
    reader = _Reader(modules, {node.name for node in tree.body if isinstance(node, _DEFINITION)})
    reader.bind(tree)
    return sorted(set(reader.touches(tree)))


_DEFINITION = ast.FunctionDef | ast.ClassDef


class _Reader:
    def __init__(self, modules: Collection[str], own: Collection[str]) -> None:
        self.modules = modules
        self.own = own  # names that the module defines, whatever is a builtin's
        self.bound = dict[str, str]()  # a name -> what it was imported as

    def bind(self, node: ast.AST) -> None:
        for child in _run(node):
            if isinstance(child, ast.Import | ast.ImportFrom):
                for alias in child.names:
                    name = _imported(child, alias)
                    is_root = isinstance(child, ast.Import) and not alias.asname
                    root = name.partition(".")[0]
                    self.bound[alias.asname or alias.name.partition(".")[0]] = (
                        root if is_root else name
                    )
            self.bind(child)

    def touches(self, node: ast.AST) -> Iterator[Touch]:
        for child in _run(node):
            if isinstance(child, ast.Import | ast.ImportFrom):
                yield from _of_an_import(child)
            elif isinstance(child, ast.Call):
                yield from self._of_a_call(child)
            elif isinstance(child, ast.Name | ast.Attribute):
                yield from self._of_a_name(child)
            if isinstance(child, ast.Call) and ast.unparse(child.func) == "hasattr":
                continue
            if not isinstance(child, ast.Attribute) or not self._dotted(child):
                yield from self.touches(child)  # else its beginning would be the whole module

    def _of_a_name(self, node: ast.Name | ast.Attribute) -> Iterator[Touch]:
        dotted = self._dotted(node) if isinstance(node.ctx, ast.Load) else ""
        if kind := _kind(dotted):
            yield Touch(node.lineno, kind, dotted)
        elif isinstance(node, ast.Attribute) and self._is_of_a_path(node, dotted):
            yield Touch(node.lineno, _kind_of_method(node.attr), f".{node.attr}")

    def _is_of_a_path(self, node: ast.Attribute, dotted: str) -> bool:
        above = dotted.rpartition(".")[0]
        if above == _PATH:
            return node.attr in _OF_PATHS | _WHERE_CALLED
        return node.attr in _OF_PATHS and above not in self.modules

    def _of_a_call(self, call: ast.Call) -> Iterator[Touch]:
        called = call.func
        dotted = self._dotted(called)
        if isinstance(called, ast.Attribute) and not dotted and _is_a_paths(called.attr, call):
            yield Touch(call.lineno, _kind_of_method(called.attr), f".{called.attr}()")

    def _dotted(self, node: ast.AST) -> str:
        """What a name means, if it was imported or is a builtin; or nothing."""
        if isinstance(node, ast.Name):
            builtin = node.id if node.id in _BUILTINS and node.id not in self.own else ""
            return self.bound.get(node.id, builtin)
        if isinstance(node, ast.Attribute) and (above := self._dotted(node.value)):
            return f"{above}.{node.attr}"
        return ""


def _kind_of_method(name: str) -> str:
    """To look at any path changes nothing."""
    return LOOKS if name in _LOOKS else FILES


def _is_a_paths(method: str, call: ast.Call) -> bool:
    """A text has one of these names, too, but never with one argument."""
    if method == "replace":
        return len(call.args) == 1 or any(one.arg == "target" for one in call.keywords)
    return method in _WHERE_CALLED


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """What is run of it: types are not."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            is_type = name in ("annotation", "returns") and not _calls(child)
            only_for_types = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(
                child.test
            )
            if isinstance(child, ast.AST) and not is_type and not only_for_types:
                yield child


def _calls(node: ast.AST | None) -> bool:
    return node is not None and any(isinstance(one, ast.Call) for one in ast.walk(node))


def _imported(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    return alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"


def _of_an_import(node: ast.Import | ast.ImportFrom) -> Iterator[Touch]:
    for alias in node.names:
        name = _imported(node, alias)
        root = name.partition(".")[0]
        if root not in KIND and root not in PURE and root != "react_agent":
            yield Touch(node.lineno, CODE, f"{root}, of which no list says what it touches")
        elif isinstance(node, ast.ImportFrom) and (kind := _kind(name)):
            yield Touch(node.lineno, kind, name)


def _kind(dotted: str) -> str:
    """That of the longest beginning that is on a list."""
    while dotted and dotted not in KIND:
        dotted = dotted.rpartition(".")[0]
    return KIND.get(dotted, "")
