"""A line that says a path: above a block, in a fence, with what models write around it.

line    = lead? verb? label? path note? ":"?      lead: `- `, `1. `; note: `(new file)`, `(updated)`
tag     = "<path>" path "</path>" | "<file path=" QUOTE path QUOTE ">"
info    = [language [":"]] [("file" | "title" ...) "="] path
comment = ("#" | "//" | "/*" | "<!--" | "--" | ";" | "%") line
"""

import re

from react_agent.parsers.labelled_path import labelled_path, looks_like_path
from react_agent.parsers.late_pattern import LatePattern

_LONGEST = 300  # characters of a line that is looked at
_MOST_BLANKS = 12
_LEAD = LatePattern(r"(?:[-*+•]|\d{1,3}[.)]|[Ss]tep \d{1,3}[:.]?)[ \t]+")
_VERB = LatePattern(
    r"(?:(?:create|update|edit|modif(?:y|ie)|add|rewrite|change|replace)[ds]?|new|in|file|for)"
    r"(?:[ \t]+(?:the|a|new|file))*:?[ \t]+",
    re.IGNORECASE,
)
_NOTE = LatePattern(
    r"[ \t]*[(\[](?:(?:new|whole|full|entire|complete|updated|modified|changed|edited|created)"
    r"(?:[ \t]+(?:file|content|contents|version))?)[)\]]:?[*`]*$",
    re.IGNORECASE,
)
_TAG = LatePattern(
    r"[ \t]*<(?P<name>path|file|filename|file_path|filepath|file_name|target_file)>"
    r"(?P<path>[^<>]+)</(?P=name)>[ \t]*"
)
_FILE_TAG = LatePattern(
    r"[ \t]*<(?:file|document|source|edit|change|file_content|new_file)[ \t][^<>]*?"
    r"(?:path|name|filename|file)[ \t]*=[ \t]*(?P<quote>[\"'])(?P<path>[^\"'<>]+)(?P=quote)"
    r"[^<>]*>[ \t]*"
)
_LABEL = LatePattern(
    r"(?:file|path|file[ _-]?path|file[ _-]?name)[ \t]*:[ \t]*(?=\S)", re.IGNORECASE
)
_ANY_NAME = LatePattern(r"[\w.+@~-](?:[\w .+@~/-]*[\w.+@~-])?")
_ENDING = LatePattern(r"(?:[^/]*\.[A-Za-z][\w+-]{0,11}|[A-Z]\w*file|LICENSE|README|\.[\w.-]+)")
_KEYED = LatePattern(r"(?:file|title|path|filename|name|file_path)=[\"']?(?P<path>[^\"'\s]+)[\"']?")
_RANGE = LatePattern(r"\d+:\d+:")  # quotes lines of a file: it changes nothing
_COMMENT = LatePattern(r"[ \t]*(?:#+|//+|/\*+|<!--|--+|;+|%+|\"{3}|'{3})[ \t]*(?P<text>\S.*)")
_COMMENT_END = LatePattern(r"(?<![ \t])[ \t]*+(?:(?:\*+/|-->|\"{3}|'{3})[ \t]*+)?$")
_QUOTED = LatePattern(r"`([^`\n]{1,200})`")
_CODE = (
    " py pyi pyx js jsx mjs cjs ts tsx mts vue svelte java kt kts scala go rs c h cc cpp cxx hpp "
    "cs rb php pl lua swift m mm sh bash sql html htm css scss less json yaml yml toml ini cfg "
    "conf md rst txt xml gradle cmake proto ex exs erl hs ml clj dart r jl tf "
)


def path_of(line: str) -> str:
    """The path that is all that the line says; empty where it says more."""
    if len(line) > _LONGEST or line.count(" ", len(line) - len(line.lstrip())) > _MOST_BLANKS:
        return ""
    if tagged := path_in_tag(line):
        return tagged
    bare = _LEAD.sub("", line.strip().removeprefix("#").lstrip("#").strip(), count=1)
    labelled = labelled_path(_NOTE.sub("", bare))
    found = next(filter(looks_like_path, (labelled, _without_verb(labelled))), "")
    return found if _is_name(found) else _named(bare)


def path_in_tag(line: str) -> str:
    if "<" not in line or len(line) > _LONGEST:
        return ""
    found = _TAG.fullmatch(line) or _FILE_TAG.fullmatch(line)
    return found["path"].strip() if found else ""


def path_in_info(info: str) -> str:
    for word in info.split()[::-1] if len(info) <= _LONGEST else ():
        keyed = _KEYED.fullmatch(word.strip("{}"))
        text = keyed["path"] if keyed else labelled_path(word)
        if _RANGE.match(text):
            return ""
        text = text.rpartition(":")[2]
        if looks_like_path(text) and _is_name(text):
            return text
    return ""


def path_in_comment(line: str) -> str:
    """In the first line of a fence; an import or a heading of words is none."""
    found = _COMMENT.fullmatch(line) if len(line) <= _LONGEST else None
    if not found:
        return ""
    text = _COMMENT_END.sub("", found["text"]).strip()
    return path_of(text) if not text.startswith("!") else ""


def path_in_sentence(line: str) -> str:
    """The only name in backticks of a line that ends in a colon, with the ending of a file."""
    bare = line.strip()
    if len(bare) > _LONGEST or not bare.rstrip("*").endswith(":"):
        return ""
    found = [name for name in _QUOTED.pattern.findall(bare) if looks_like_path(name)]
    ending = found[0].rpartition(".")[2].casefold() if found else ""
    return found[0] if len(set(found)) == 1 and f" {ending} " in _CODE else ""


def files_in(line: str) -> set[str]:
    """What in a line of prose has the ending of a file."""
    words = (word.strip("`*'\"()[],:;.") for word in line[:_LONGEST].split())
    endings = ((word, word.rpartition(".")[2].casefold()) for word in words if "." in word)
    return {word for word, ending in endings if f" {ending} " in _CODE and looks_like_path(word)}


def has_ending(path: str) -> bool:
    """Whether it names a file by itself; `Input/Output` may be a heading."""
    return _ENDING.fullmatch(path.rpartition("/")[2]) is not None


def _without_verb(text: str) -> str:
    verb = _VERB.match(text)
    return labelled_path(text[verb.end() :]) if verb else ""


def _is_name(path: str) -> bool:
    return "/" in path or has_ending(path)


def _named(bare: str) -> str:
    """Behind a label any name is one, `file: my notes`."""
    bare = bare.strip("*")
    label = _LABEL.match(bare)
    if label:
        text = bare[label.end() :].strip("*`'\" ")
        return text if _ANY_NAME.fullmatch(text) else ""
    text = bare.removesuffix(":").strip("*")
    if text[:1] == text[-1:] == "`" and has_ending(text[1:-1]) and _ANY_NAME.fullmatch(text[1:-1]):
        return text[1:-1]
    return ""
