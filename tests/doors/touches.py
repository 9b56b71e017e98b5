"""What a module touches, out of its syntax: files, processes, network, keys, the clock.

A name is followed to what it was imported as. Whoever takes a guarded module, class or function
for a value, to rename it, touches it too.
"""

import ast
from collections.abc import Collection
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
    """__future__ abc array ast atexit base64 bisect builtins collections concurrent configparser
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


@dataclass(frozen=True, slots=True, order=True)
class Touch:
    line: int
    kind: str
    what: str


def touches(source: str, modules: Collection[str]) -> list[Touch]:
    """`modules` are ours: a function of one is no method of a path."""
    tree = ast.parse(source)
    reader = _Reader(tree, modules)
    reader.visit(tree)
    return sorted(reader.found)


class _Reader(ast.NodeVisitor):
    """Of what is run: types are not, nor what is imported for them."""

    def __init__(self, tree: ast.Module, modules: Collection[str]) -> None:
        self.modules = modules
        self.found = set[Touch]()
        own = {one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef)}
        self.bound = {name: name for name in _BUILTINS - own}  # a name -> what it was imported as
        for node in ast.walk(tree):
            for alias in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
                root, name = alias.name.partition(".")[0], _imported(node, alias)
                is_root = isinstance(node, ast.Import) and not alias.asname
                self.bound[alias.asname or root] = root if is_root else name

    def visit_If(self, node: ast.If) -> None:
        only_for_types = "TYPE_CHECKING" in ast.unparse(node.test)
        for child in node.orelse if only_for_types else ast.iter_child_nodes(node):
            self.visit(child)

    def visit_arg(self, node: ast.arg) -> None:
        pass

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        node.returns = None
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            name = _imported(node, alias)
            root = name.partition(".")[0]
            if root not in KIND and root not in PURE and root != "react_agent":
                self._add(node, CODE, f"{root}, of which no list says what it touches")
            elif isinstance(node, ast.ImportFrom):
                self._add(node, _kind(name), name)

    visit_ImportFrom = visit_Import

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        is_method = isinstance(called, ast.Attribute) and not self._dotted(called)
        if is_method and _is_a_paths(called.attr, node):
            self._add(node, _kind_of_method(called.attr), f".{called.attr}()")
        if ast.unparse(called) != "hasattr":
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self._add(node, _kind(self._dotted(node)), self._dotted(node))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        dotted = self._dotted(node)
        above = dotted.rpartition(".")[0]
        methods = _OF_PATHS | _WHERE_CALLED if above == "pathlib.Path" else _OF_PATHS
        if kind := _kind(dotted):
            self._add(node, kind, dotted)
        elif node.attr in methods and above not in self.modules:
            self._add(node, _kind_of_method(node.attr), f".{node.attr}")
        if not dotted:  # else its beginning would be the whole module
            self.visit(node.value)

    def _add(self, node: ast.stmt | ast.expr, kind: str, what: str) -> None:
        if kind:
            self.found.add(Touch(node.lineno, kind, what))

    def _dotted(self, node: ast.AST) -> str:
        """What a name means, if it was imported or is a builtin; or nothing."""
        if isinstance(node, ast.Name):
            return self.bound.get(node.id, "")
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


def _imported(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    return alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"


def _kind(dotted: str) -> str:
    """That of the longest beginning that is on a list."""
    while dotted and dotted not in KIND:
        dotted = dotted.rpartition(".")[0]
    return KIND.get(dotted, "")
