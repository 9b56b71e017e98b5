r"""Which lines of which files a command shows, that only shows some: cat, head, tail, sed -n, awk.

Each such command is also a filter; what a pipeline of them shows are lines of the file.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from react_agent.parsers.shell_options import NUMBER, Known, Options, known, read_options

_HEAD = 10  # lines that are shown unless another number is asked for
_LAST = 999_999_999
_SED_PART = re.compile(r"(?P<start>\d{1,9})(?:,\s*(?P<end>\d{1,9}|\$|\+\d{1,9}))?\s*p")
_SED_QUIT = re.compile(r"(?P<last>\d{1,9})\s*q")
_AWK = re.compile(
    r"\s*NR\s*==\s*(?P<from>\d{1,9})\s*,\s*NR\s*==\s*(?P<to>\d{1,9})"
    r"|\s*NR\s*(?P<how>==|>=|>)\s*(?P<start>\d{1,9})"
    r"(?:\s*&&\s*NR\s*(?P<until><=?)\s*(?P<end>\d{1,9}))?"
    r"|\s*NR\s*(?P<upto><=?)\s*(?P<last>\d{1,9})"
)
_AWK_PRINT = re.compile(
    r"\s*(?:\{\s*print(?:\s+(?:NR\s*,?\s*)?(?:\"[^\"]{0,5}\"\s*,?\s*)?\$0)?\s*;?\s*\})?\s*"
)


@dataclass(frozen=True, slots=True)
class Span:
    start: int = 1
    end: int | None = None  # none: to the end

    def within(self, outer: "Span") -> "Span":
        """These lines of those lines, as lines of the file."""
        end = None if self.end is None else outer.start + self.end - 1
        both = [one for one in (end, outer.end) if one is not None]
        return Span(outer.start + self.start - 1, min(both, default=None))

    @property
    def is_some(self) -> bool:
        return self.start >= 1 and (self.end is None or self.start <= self.end <= _LAST)


WHOLE = (Span(),)


@dataclass(frozen=True, slots=True)
class Shown:
    spans: tuple[Span, ...]
    paths: tuple[str, ...]  # none: of what it is fed
    in_each: bool = True  # the lines of each file, not of all as one

    @property
    def lines(self) -> tuple[str, ...]:
        """As read_file takes them."""
        return tuple(f"{path}{_range(span)}" for path in self.paths for span in self.spans)


def _range(span: Span) -> str:
    if span.end is None:
        return "" if span.start == 1 else f":{span.start}"
    return f":{span.start}-{span.end}"


def shown(words: Sequence[str]) -> Shown | None:
    """What a command shows; None if it is none of these, or if it can't be said in lines."""
    reader = _READERS.get(words[0]) if words else None
    options = read_options(words[1:], reader.options) if reader else None
    found = reader.read(options) if reader and options else None
    if found is None or not found.spans or not all(span.is_some for span in found.spans):
        return None
    if len(found.paths) > 1 and not found.in_each and found.spans != WHOLE:
        return None
    return found if all(path and path != "-" for path in found.paths) else None


def narrowed(source: Shown, words: Sequence[str]) -> Shown | None:
    """What a filter behind it leaves."""
    filtered = shown(words)
    if filtered is None or filtered.paths:
        return None
    if filtered.spans == WHOLE:
        return source
    if len(source.paths) > 1 or len(source.spans) > 1:
        return None
    spans = tuple(span.within(source.spans[0]) for span in filtered.spans)
    return Shown(spans, source.paths) if all(span.is_some for span in spans) else None


def _whole(options: Options) -> Shown:
    return Shown(WHOLE, (*options.words, *options.behind), in_each=False)


def _head(options: Options) -> Shown | None:
    counts = options.values("-n", "--lines", NUMBER) or (str(_HEAD),)
    spans = (Span(1, int(counts[-1])),) if counts[-1].isdecimal() else ()
    return Shown(spans, (*options.words, *options.behind))


def _tail(options: Options) -> Shown | None:
    first = (options.values("-n", "--lines") or ("",))[-1]
    spans = (Span(int(first[1:])),) if first[:1] == "+" and first[1:].isdecimal() else ()
    return Shown(spans, (*options.words, *options.behind))


def _ranged(options: Options) -> Shown | None:
    """`bat -r 10:20`."""
    spans = []
    for written in options.values("-r", "--line-range"):
        start, colon, end = written.partition(":")
        if not colon or not (start + end).isdecimal():
            return None
        spans.append(Span(int(start or 1), int(end) if end else None))
    return Shown(tuple(spans) or WHOLE, (*options.words, *options.behind))


def _sed(options: Options) -> Shown | None:
    words = (*options.words, *options.behind)
    scripts = options.values("-e", "--expression")
    paths = words if scripts else words[1:]
    script = ";".join(scripts or words[:1]).replace("{=;p}", "p").replace("{p}", "p")
    parts = [part.strip() for part in re.split(r"[;\n]", script) if part.strip()]
    silent = options.has("-n", "--quiet", "--silent")
    return Shown(_sed_spans(parts, silent), paths, in_each=options.has("-s"))


def _sed_spans(parts: Sequence[str], silent: bool) -> tuple[Span, ...]:
    """None at all if there is anything else in it."""
    quits = [int(found["last"]) for part in parts if (found := _SED_QUIT.fullmatch(part))]
    prints = [found for part in parts if (found := _SED_PART.fullmatch(part))]
    if len(quits) + len(prints) != len(parts) or len(quits) > 1 or bool(prints) != silent:
        return ()
    if not silent:
        return tuple(Span(1, last) for last in quits)
    spans = sorted((_sed_span(found) for found in prints), key=lambda span: span.start)
    bounds = [span.end or _LAST for span in spans]
    overlap = any(end >= span.start for end, span in zip(bounds, spans[1:], strict=False))
    cut = bool(quits) and quits[0] < bounds[-1]
    return () if overlap or cut else tuple(spans)


def _sed_span(found: re.Match[str]) -> Span:
    start, end = int(found["start"]), found["end"] or found["start"]
    if end == "$":
        return Span(start)
    last = start + int(end[1:]) if end.startswith("+") else int(end)
    return Span(start, max(start, last))  # sed shows one line of a range that ends before it


def _awk(options: Options) -> Shown | None:
    program, *paths = (*options.words, *options.behind, "")[:-1] or [""]
    found = _AWK.match(program)
    if not found or not _AWK_PRINT.fullmatch(program, found.end()):
        return None
    return Shown((_awk_span(found),), tuple(paths), in_each=False)


def _awk_span(found: re.Match[str]) -> Span:
    if found["from"]:
        return Span(int(found["from"]), int(found["to"]))
    if found["last"]:
        return Span(1, int(found["last"]) - (found["upto"] == "<"))
    start = int(found["start"]) + (found["how"] == ">")
    if found["end"]:
        end = int(found["end"]) - (found["until"] == "<")
        return Span(start, min(start, end) if found["how"] == "==" else end)
    return Span(start, start if found["how"] == "==" else None)


@dataclass(frozen=True, slots=True)
class _Reader:
    options: Known
    read: Callable[[Options], Shown | None]


_BAT = _Reader(
    known("-n -p -A --plain --number", "-r -l --line-range --language --style --paging --color"),
    _ranged,
)
_PAGER = _Reader(known("-N -R -S -X -F -n -i -M -m -r -f -e"), _whole)
_READERS: Mapping[str, _Reader] = {
    "cat": _Reader(known("-n -b -u --number"), _whole),
    "nl": _Reader(known("", "-b -w -s -n"), _whole),
    "less": _PAGER,
    "more": _PAGER,
    "bat": _BAT,
    "batcat": _BAT,
    "head": _Reader(known(f"{NUMBER} -q -v", "-n --lines"), _head),
    "tail": _Reader(known("-q -v", "-n --lines"), _tail),
    "sed": _Reader(known("-n -s -u -E -r --quiet --silent", "-e --expression"), _sed),
    "awk": _Reader(known(""), _awk),
    "gawk": _Reader(known(""), _awk),
}
