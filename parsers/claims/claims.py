"""Find claims in a Thought that something does not exist, and the searches behind them.

claim = thing "does not exist" place? | "no" thing ("exists" | "is defined")? place?
      | "could not find" thing ("anywhere" | "in" whole)
      | (whole | part) "has no" thing
thing = NAME | "the" KIND | KIND "called" NAME | "it"
place = "anywhere" | "here" | "in" (whole | part | word)         whole = "the repository"
                                                               part  = NAME | "this file"

Sentences are simplified before matching: names become numbers, contractions are written out, code
blocks and quoted lines are removed. A question, a condition, a plan, a report, a doubt or a
retracted statement is not a claim.

A search is a call of our search tools, or a command that runs only read-only programs: `ls`,
`find . -name 'x*'`, `grep -rn name src | head`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from react_agent.parsers.shell.line import commands
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.text.names import is_name

HERE = "here"  # a place without a name: this file, that folder
Known = tuple[tuple[str, str], ...]  # pairs of words and the name they stand for

_LONGEST = 20_000  # characters of a text
_LEFT_OUT = re.compile(r"^```.*?(?:^```|\Z)|^\s*>[^\n]*$|[\ue000\ue001]", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(
    r"`+([^`\n]{1,120})`+|\"([^\"\n]{1,300})\"|“([^”\n]{1,300})”|(?<!\w)'([^'\n]{1,120})'(?!\w)"
)
_ONE = re.compile(r"(?:(?:def|class|function) )?([\w@$.:/*-]*\w[\w/*-]*)(?:\([^)]*\))?[:;]?")
_TOKEN = re.compile(r"--[A-Za-z][\w-]+\w|\.?(?<![\w./-])\w[\w./-]*\w(?:\(\))?")
_CALLED = re.compile(r"(?<!not )(?<!is )(?<!n't )\b(called|named) (?!by|in|from|with|the)(\w{3,})")
_ERROR = re.compile(r"\w*(?:Error|Exception|Warning)")
_SENTENCE = re.compile(r"[^.!?;\n]*(?:[.!?;]+(?!\s|$)[^.!?;\n]*)*(?:[.!?;]+|\n|$)")
_MARK = re.compile("\ue000(\\d+)\ue001")
_REWRITTEN = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        ("[\u2018\u2019]", "'"),
        (r"\bcan(?:'t|not)\b", "can not"),
        (r"\b(do|does|did|is|are|was|were|has|have|had|could|must)n'?t\b", r"\1 not"),
        (r"\b(do|does) not (?:seem|appear) to (?:be )?", r"\1 not "),
        (r"\b(?:seems?|appears?) (?:to )?(?:be )?(?=missing|undefined|gone)", "is "),
        (
            r"\b(?:really|simply|just|actually|clearly|apparently|currently|definitely|probably"
            r"|even|at all|yet|also|already|likely|still|ever|now)\b",
            "",
        ),
        (r"\s*([,:])\s*", r"\1 "),
        (r"[.!?;]+\s*$", ""),
    )
)

_NAME = r"\ue000\d+\ue001"
_KINDS = (
    r"(?:function|method|class|file|module|variable|constant|attribute|property|option|setting"
    r"|helper|package|folder|directory|script|command|type|macro|view|table|page|template"
    r"|config(?:uration)?(?: file)?|name|field|string)"
)
_NO_NOUN = (
    r"(?:in|of|for|to|from|with|is|are|was|does|has|have|that|which|and|or|but|so|on|at|by|as|it"
    r"|anywhere|here|can|must|not|no|never|exists?|need|reason|way|other|longer|difference)\b"
)
_WORDS = rf"(?:(?!{_NO_NOUN})[a-z-]+ )"
_THING = (
    rf"{_WORDS}{{0,3}}?(?:{_KINDS} (?:for (?:the )?|like )?)?(?:called |named |\(code\) )?{_NAME}"
    rf"(?: (?!{_NO_NOUN})[a-z-]+){{0,2}}"
)
_IT = r"(?:(?<=^)|(?<=, )|(?<=so )|(?<=and )|(?<=because ))(?:it|they|this|that)"
_SUBJECT = rf"(?P<thing>{_THING}|(?:the|this|that|such)(?: an?)? {_WORDS}{{0,2}}?{_KINDS}s?|{_IT})"
_OBJECT = rf"(?P<thing>{_THING}|(?:(?:the|that|any|an?) )?(?:such )?{_KINDS})"
_WHOLE = (
    r"(?:(?:this|the|our|that) )?(?:[a-z]+ )?(?:repository|repo|code ?base|project|code|sources?"
    rf"|library|package|app)|(?:this|our) (?!{_KINDS})[a-z]+"
)
_THIS = r"(?:this|that|the) (?:same )?(?:file|module|class|folder|directory|package|function)"
_PART = rf"(?:(?:the|this|that) )?(?:{_KINDS} )?{_NAME}(?: {_KINDS})?|{_THIS}"
_PLACE = (
    r"(?: anywhere)?(?: ?(?:in|inside|within|under|of|from) "
    rf"(?:(?P<whole>{_WHOLE})|(?P<part>{_PART})"
    r"|(?P<word>(?!th)[a-z_]+(?: (?:folder|directory))?))|(?P<here> here))?"
)
_END = (
    r"(?=$|[,:)–—]| [-–—] | (?:so|and|but|which|because|since|as|therefore|then|meaning|for now"
    r"|either)\b)"
)
_DONE = (
    r"(?:defined|declared|implemented|present|available|part|found|written|created|set(?: up)?"
    r"|configured|tracked|mentioned|there)"
)
_GONE = (
    r"(?:(?:does|do) not (?:exist|appear|occur)|occurs? nowhere|no longer exists?"
    rf"|(?:is|are) nowhere(?: to be found)?|(?:is|are|was|has) (?:not|never)(?: been| got)? {_DONE}"
    rf"|never got {_DONE}|(?:is|are) (?:undefined|missing|absent|gone)"
    rf"|(?:must|can) not (?:exist|be {_DONE})|(?:must have|has) been (?:removed|deleted)"
    r"|is not(?= (?:in|inside|within|under|of) ))"
)
_HAS_NO = r"(?:has no|lacks?|does not (?:have|contain|define)) (?:(?:any|such an?|an?) )?"
_ROWS = tuple(
    map(
        LatePattern,
        (
            rf"{_SUBJECT} {_GONE}{_PLACE}{_END}",
            rf"\b(?:no|not any|not an?) (?:such )?{_OBJECT}(?: exists?| is {_DONE})?{_PLACE}{_END}",
            rf"(?:can|could) not find {_OBJECT}(?= anywhere| in {_WHOLE}){_PLACE}",
            rf"(?:(?P<whole>{_WHOLE})|(?P<part>{_PART})) {_HAS_NO}{_OBJECT}{_END}",
        ),
    )
)
_IN_KIND = re.compile(rf"\b({_KINDS})s?\b")
_OF_ANOTHER = re.compile(  # `no second NAME`, `no test for NAME`: the name itself is not denied
    r"\b(?:second|another|different|iterative|recursive|separate|similar|better|other|else|more"
    r"|further|callers?|uses?|match(?:es)?|docstring|entry|error|tests? for)\b"
)
_TAKEN_BACK = (
    r"\b(?:not true|wrong|mistaken|not the case|i (?:thought|assumed|believed)|earlier|previously"
    r"|at first|not that|misread)\b"
)
_BEFORE = LatePattern(
    r"\b(?:git|fresh|if|in case|whether|unless|when(?:ever)?|once|until|assum\w+|suppos\w+|provided"
    r"|where|else|otherwise|either|check(?:s|ing)?|verify|mak(?:e|ing) sure|ensur(?:e|ing)"
    r"|find out|confirm|so that|in order|want|should|rais\w+|fail\w*|crash\w*|return(?:s|ed)?"
    r"|throws?|breaks?|skips?|warns?|exits?|prints?|logs|\w*errors?|handles?|ignores?|says?|said"
    r"|states?|mentions?|claims?|reports|reported|describes?|asserts?|reads|told|suggests?|expect\w*"
    r"|according to|is about|bug is|problem is|maybe|perhaps|possibly|might|may|sure|wonder\w*"
    r"|doubt\w*|suspect|guess|could be|not (?:mean|prove))\b|\b(?:was|were|had)(?: \w+)?\s*$"
)
_AFTER = LatePattern(
    r"^[ ,]*(?:if|when|unless|until|before|while|whenever|once|during|for (?!now|me\b)|by default"
    r"|as long|except|only|on (?!this)|with|without|under)\b"
    r"|\b(?:or (?:it|they|is|has)|turns? out|let me (?:check|verify)|not sure|elsewhere"
    r"|as expected|is the bug)\b"
)
_CONCLUDES = LatePattern(  # words before it in a sentence do not qualify the words after it
    r"\A.*(?:\bso\b(?! that)|\b(?:therefore|thus|hence|but|meaning|(?:which|this|that) means)\b)",
    re.DOTALL,
)
_NEXT = LatePattern(r",? (?:and )?(?:so|therefore|thus|hence)\b.*|\bwhich means\b.*", re.DOTALL)
_TAKEN = LatePattern(_TAKEN_BACK)


@dataclass(frozen=True, slots=True)
class Claim:
    sentence: str  # as it was written
    names: tuple[str, ...]  # empty: the names searched for in the step it rests on
    kind: str = ""  # "function", "file", ... where it is named
    place: str = ""  # the claim is about this place only
    is_plain: bool = False  # its first name is a plain word, known from a search


@lru_cache(256)
def claims(text: str, known: Known = ()) -> tuple[Claim, ...]:
    """Return at most one claim per sentence. The words in `known` always count as names."""
    names = list[str]()

    def mark(name: str) -> str:
        if _ERROR.fullmatch(name):
            return "someerror"
        names.append(name)
        return f"\ue000{len(names) - 1}\ue001"

    def quoted(found: re.Match[str]) -> str:
        one = _ONE.fullmatch(next(filter(None, found.groups())).strip())
        return mark(one[1]) if one else " (code) " if found[1] else " (quoted) "

    def token(found: re.Match[str]) -> str:
        bare = found[0].removesuffix("()")
        is_named = bare != found[0] or bare.startswith("--") or is_name(bare)
        return mark(bare) if is_named else found[0]

    masked = _QUOTED.sub(quoted, _LEFT_OUT.sub("", text[:_LONGEST]))
    masked = _CALLED.sub(lambda found: f"{found[1]} {mark(found[2])}", _TOKEN.sub(token, masked))
    written = len(names)
    for words, name in known:
        pattern = rf"(?<![\w\ue000-]){re.escape(words)}(?:s|es|'s)?(?![\w-])"
        masked = re.sub(pattern, lambda _: mark(name), masked, flags=re.IGNORECASE)  # noqa: B023
    found = list[Claim]()
    for sentence in _SENTENCE.findall(masked):
        made = [] if "?" in sentence.rstrip()[-2:] else list(_of_sentence(sentence, names, written))
        if made:
            found.append(max(made, key=lambda claim: (bool(claim.names), bool(claim.place))))
    return tuple(found)


def _of_sentence(sentence: str, names: list[str], written: int) -> Iterator[Claim]:
    """Yield the claims of a sentence. A name numbered `written` or higher is a plain word in it."""
    plain = sentence.casefold()
    for row, instead in _REWRITTEN:
        plain = row.sub(instead, plain)
    plain = " ".join(plain.split())
    original = " ".join(_MARK.sub(lambda one: names[int(one[1])], sentence).split())
    for pattern in _ROWS:
        for found in pattern.pattern.finditer(plain):
            thing, parts = found["thing"], found.groupdict()
            before, mark, _ = thing.partition("\ue000")  # words before a name decide too
            start = max(found.start(), found.start("thing") + len(before) * bool(mark))
            if _OF_ANOTHER.search(thing) or _is_no_claim(plain[:start], plain[found.end() :]):
                continue
            numbers = dict.fromkeys(map(int, _MARK.findall(thing)))
            named = tuple(dict.fromkeys(names[number] for number in numbers))
            if "tracked" in found[0] and any("." in name or "/" in name for name in named):
                continue  # tracked by git
            place = HERE if parts.get("here") else (parts.get("word") or "").partition(" ")[0]
            if part := parts.get("part"):
                place = next((names[int(number)] for number in _MARK.findall(part)), HERE)
            kind, is_plain = _IN_KIND.search(thing), bool(named) and named[0] in names[written:]
            yield Claim(original, named, kind[1] if kind else "", place, is_plain)


def _is_no_claim(before: str, after: str) -> bool:
    """Return whether the words around the denial make it a condition, plan, report or doubt."""
    clause, rest = _CONCLUDES.sub("", before), _NEXT.sub("", after)
    is_taken = _TAKEN.search(before) or _TAKEN.search(rest)
    return bool(is_taken or _BEFORE.search(clause) or _AFTER.search(rest))


_GREPS = ("grep", "egrep", "fgrep", "rg", "ag", "ack")
_READERS = ("cat", "head", "tail", "sed", "less", "wc", "stat", "nl", "test")
_HARMLESS = ("cd", "echo", "true", "xargs", "sort", "uniq", "pwd", "which")
_WITH_VALUE = ("-e", "-A", "-B", "-C", "-m", "-f", "-t", "-g", "-d")  # options of grep
_WRITES = re.compile(
    r"(?<![0-9&])>{1,2}(?!&|\s*/dev/null)|<<|\$\(|\btee\b|\bsed\b.*\s-i|-delete\b|-exec\b"
)
_NO_NAME = re.compile(r"\\[bBwWsSdD<>]|\.[*+?]|\[\^?[^\]]*\][*+]?")  # of a regular expression
_WORD = re.compile(r"[A-Za-z_$@][\w$./-]*[\w$]|--[a-z][\w-]+")
_KEYWORD = re.compile(
    r"(?i)(?:def|class|function|func|fn|import|from|const|let|var|struct|define|view|table|create"
    r"|interface|type|enum)"
)
_NOT_IMPORTED = re.compile(
    r"^(?:ModuleNotFoundError|ImportError): No module named '(?:[\w.]*\.)?(\w+)'", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Searched:
    names: tuple[str, ...]  # searched for
    places: tuple[str, ...] = ()  # where it searched; empty: everywhere
    by_name: bool = False  # it searched the names of files, not their text
    is_path: bool = False  # the names are paths to be shown
    is_module: bool = False  # it tried to import the name


@lru_cache(512)
def searched(tool: str, given: str) -> Searched | None:
    """Return what the call searched for, or None if it does more than search."""
    first, *rest = given.strip().split("\n")
    places = tuple(line[5:].strip() for line in rest if line.startswith("path:"))
    if tool == "grep":
        return Searched(_names(first), places)
    if tool == "list_files" and "**/" in first:
        folder, _, name = first.strip().rpartition("**/")
        return Searched((name,), (folder,) if folder else (), by_name=True)
    if tool in ("read_file", "list_files", "outline"):
        return Searched((re.sub(r":\d+(?:-\d*)?$", "", first.strip()),), is_path=True, by_name=True)
    if tool != "run" or _WRITES.search(given):
        return None
    found = [_of_command(command.words) for command in commands(given)]
    if None in found:
        return None
    looks = [one for one in found if one and one.names]
    alike = [one for one in looks if one.by_name == looks[0].by_name]
    names = tuple(dict.fromkeys(name for one in alike for name in one.names))
    places = tuple(dict.fromkeys(place for one in alike for place in one.places))
    return Searched(names, places, alike[0].by_name, alike[0].is_path) if alike else None


def not_imported(printed: str) -> Searched | None:
    """Return the module that Python failed to import according to its last error, or None."""
    found = _NOT_IMPORTED.findall(printed)
    return Searched((found[-1],), is_module=True) if found else None


def _names(pattern: str) -> tuple[str, ...]:
    """Return the words of a regular expression that can be names."""
    bare = _NO_NAME.sub(" ", pattern.replace("[-_]?", "_")).replace("_?", "_").replace("\\", "")
    words = (word if word[:2] == "--" else word.strip(".-") for word in _WORD.findall(bare))
    return tuple(dict.fromkeys(word for word in words if word and not _KEYWORD.fullmatch(word)))


def _of_command(words: Sequence[str]) -> Searched | None:
    """Return the names searched for: none if it is not a search, None if it may do more."""
    name, given = words[0].rpartition("/")[2], words[1:]
    if name == "git" and given and given[0] in ("grep", "ls-files"):
        name, given = ("grep" if given[0] == "grep" else "ls"), given[1:]
    bare = tuple(word for word in _bare(given, name in _GREPS) if word not in (".", "./"))
    if name in _GREPS:
        kinds = (word.partition("=")[2] for word in given if word.startswith("--include="))
        return Searched(_names(bare[0]) if bare else (), (*bare[1:], *kinds))
    if name == "find":
        named = (
            value.replace("*", "").strip("/")
            for no, test, value in zip(("", *given), given, given[1:], strict=False)
            if test in ("-name", "-iname", "-path", "-ipath") and no not in ("-not", "!")
        )
        folders = takewhile(lambda word: not word.startswith(("-", "(", "!")), given)
        return Searched(tuple(named), tuple(word for word in folders if word != "."), by_name=True)
    if name == "ls":
        return Searched(bare, by_name=True, is_path=True)
    if name in _READERS:
        paths = [word for word in bare if not re.fullmatch(r"\d+(?:,\d+)?p?|\$p?", word)]
        return Searched(tuple(paths[-1:]), by_name=True, is_path=True)
    return Searched(()) if name in _HARMLESS else None


def _bare(given: Sequence[str], is_grep: bool) -> Iterator[str]:
    """Yield the words other than options and their values, but include the pattern of `-e`."""
    words = iter(given)
    for word in words:
        if not word.startswith("-"):
            yield word
        elif is_grep and word in _WITH_VALUE and (value := next(words, "")) and word == "-e":
            yield value
