"""Find a model's endpoint: its API, its URL, its key, and the parameters that it accepts.

spec = (kind "/" model | name) ["@" base_url] [" key=" variable] (" " setting "=" value)*
     | "gguf/" path (" " setting "=" value)*
kind = "anthropic" | "openai" | "completions" | "responses"
setting = "temperature" | "seed"; a section of the settings takes more
name = of a section [react_agent:model NAME] in the settings, which has a spec of its own
"""

import ipaddress
import re
import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from react_agent.errors import ConfigError, UsageError
from react_agent.parsers.settings.errors import did_you_mean
from react_agent.state.steps import real_number
from react_agent.tools import disk

_WORDS = {"yes": True, "no": False}
THINKING = ("", "off", "minimal", "low", "medium", "high", "xhigh", "max")
_HOTTER, _HOTTEST = 0.4, 1.0  # degrees, for each draw
TOKENS = ("max_tokens", "max_completion_tokens")  # the names of the limit of a reply


@dataclass(frozen=True, slots=True)
class Manner:
    stop: bool = True  # a stop is sent along
    stream: bool = True
    ends: bool = True  # a stream ends with an end reason
    usage: bool = True  # it is asked to count in a stream
    cache: bool = True  # texts are marked for the cache
    system: bool = True  # instructions have a role of their own
    parts: bool = True  # a message may be of several parts
    sampling: bool = True  # a temperature is sent, where one is set
    grammar: bool = True  # the shape of a turn is sent along, once a reply can't be read
    prefill: bool = False  # the reply is begun for it
    note: bool = False  # thoughts are not asked for: `Note:` in place of `Thought:`
    thinks: bool = False  # some of the room for a reply goes into reasoning
    tokens: str = TOKENS[0]
    temperature: float | None = None
    seed: str = ""  # a whole number, where the API has one
    thinking: str = ""  # "off", or how much effort; nothing: as it comes
    window: int | None = None
    reply: int | None = None  # the longest it gives

    def changed(self, given: Mapping[str, str]) -> "Manner":
        """Return a changed copy. Ignore unknown names and values, because files may be edited."""
        read = ((name, _READ[name](text)) for name, text in given.items() if name in _READ)
        changes = {name: value for name, value in read if value is not None}
        return replace(self, **changes) if changes else self

    def drawn_again(self, times: int) -> "Manner":
        """Return a copy with a higher temperature and another seed, to get a different reply."""
        if not times or self.temperature is None or not self.sampling:
            return self
        heat = max(min(self.temperature + _HOTTER * times, _HOTTEST), self.temperature)
        seed = str(int(self.seed) + times) if self.seed else ""
        return replace(self, temperature=heat, seed=seed)

    @property
    def heat(self) -> float | None:
        """The temperature to send, or None."""
        return self.temperature if self.sampling else None

    @property
    def effort(self) -> str:
        """The reasoning effort, by its name in OpenAI's APIs."""
        return "none" if self.thinking == "off" else self.thinking


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and 0 < len(text) < 10 else None


_READ: Mapping[str, Callable[[str], Any]] = {
    **{field.name: _WORDS.get for field in fields(Manner) if field.type is bool},
    "tokens": lambda text: text if text in TOKENS else None,
    "temperature": real_number,
    "seed": lambda text: text if not text or _whole(text) is not None else None,
    "thinking": lambda text: text if text in THINKING else None,
    "window": _whole,
    "reply": _whole,
}
NAMES = tuple(_READ)
SIZES = ("window", "reply")  # a person may want less than an endpoint gives


def unreadable(given: Mapping[str, str]) -> str | None:
    """Return the name of the first setting whose value is invalid, or None."""
    return next(
        (name for name in given if name in _READ and _READ[name](given[name]) is None), None
    )


ANTHROPIC, OPENAI, COMPLETIONS, RESPONSES = "anthropic", "openai", "completions", "responses"
KINDS = (ANTHROPIC, OPENAI, COMPLETIONS, RESPONSES)
GGUF = "gguf"  # the model is the path of a file, which is served for this process alone
_SERVED_AT = "http://127.0.0.1"  # facts are kept under it; the port differs each time
REPLAY = "replay/"  # not an endpoint, but a transcript
# The maker's address, and the variables with another one and with the key.
_ANTHROPIC = ("https://api.anthropic.com", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY")
_OPENAI = ("https://api.openai.com/v1", "OPENAI_BASE_URL", "OPENAI_API_KEY")
_SPEC = re.compile(
    r"(.+?)(?:@((?i:https?)://\S+?))?(?: key=([A-Za-z_]\w*))?((?: (?:temperature|seed)=\S+)*)"
)
_VARIABLE = re.compile(r"(?!sk[-_])[A-Za-z_]\w*")
_NO_MODEL = re.compile(r"\s|@.*[:/]|://")  # in a model's name: a part that did not fit the grammar
_KEYLESS = "--key none sends no key"  # and so does any other variable that is not set
# What endpoints are known to take, to save a first error. Their answers count more.
_REASONS = ("o1", "o3", "o4", "gpt-5", "gpt-6")
_SMALLER = ("claude-haiku-4", "claude-sonnet-4-5", "claude-opus-4-5")
_HINTS: tuple[tuple[str, tuple[str, ...], Mapping[str, str]], ...] = (
    (OPENAI, _REASONS, {"stop": "no", "tokens": "max_completion_tokens"}),
    (OPENAI, ("grok-",), {"stop": "no"}),
    (RESPONSES, ("",), {"stop": "no"}),
    (ANTHROPIC, _SMALLER, {"window": "200000"}),
    (ANTHROPIC, ("claude-",), {"window": "1000000"}),
    # llama.cpp continues a last message, and its own temperature is 0.8.
    (GGUF, ("",), {"prefill": "yes", "temperature": "0", "seed": "1"}),
)
OWN = ("spec", "gguf", "base_url", "key", "in_flight")  # the other names are those of a manner


def is_replay(spec: str) -> bool:
    return spec.startswith(REPLAY)


@dataclass(frozen=True, slots=True)
class Endpoint:
    name: str  # as it was asked for
    kind: str
    model: str
    base_url: str
    key_variable: str
    key: str = field(repr=False)
    manner: Mapping[str, str] = field(default_factory=dict)  # what a person set
    in_flight: int | None = None
    is_of_environment: bool = False  # named by the maker's variable, and private

    @property
    def is_ours(self) -> bool:
        """Whether the address is that of the API's provider, which charges and requires a key."""
        return self.base_url in (_ANTHROPIC[0], _OPENAI[0])

    @property
    def is_local(self) -> bool:
        return _is_local(self.base_url)


Named = Mapping[str, Mapping[str, str]]


def find_endpoint(spec: str, named: Named, environment: Mapping[str, str]) -> Endpoint:
    """Return the endpoint of a spec. Raises UsageError or ConfigError."""
    name, url, variable, more = _split(spec)
    set_here = dict(one.split("=", 1) for one in more.split())
    if bad := unreadable(set_here):
        raise UsageError(f"{bad} can't be {set_here[bad]!r}")
    section = {**named.get(name, {}), **set_here}
    kind, model = _parted(_meant(name, section))
    if not model:
        _, _, rest = name.partition("/")
        spelled_right = (f"{kind}/{rest}" for kind in (*KINDS, GGUF) if rest)
        meant = did_you_mean(name, (*named, *spelled_right))
        known = (*(f"{kind}/NAME" for kind in KINDS), f"{GGUF}/FILE", "replay/FILE", *named)
        raise UsageError(f"no model {name!r}{meant}; available: {', '.join(known)}")
    if kind == GGUF:
        if url or variable:
            raise UsageError(f"{name} is a file: it takes no --base-url and no --key")
        manner = {name: value for name, value in section.items() if name not in OWN}
        most = _in_flight(section) or 1
        return Endpoint(spec, kind, model, _SERVED_AT, "", "", manner, most)
    maker, url_variable, usual_key = _ANTHROPIC if kind == ANTHROPIC else _OPENAI
    set_url = environment.get(url_variable, "")
    at = _checked(url or section.get("base_url") or set_url or maker)
    key_variable = variable or section.get("key") or usual_key
    if variable:
        named_with = at if _is_local(at) else url or section.get("base_url")
    else:
        named_with = section.get("base_url") if section.get("key") else set_url
    homes = (maker, (named_with or maker).rstrip("/"))
    return Endpoint(
        spec,
        kind,
        model,
        at,
        key_variable,
        _key_for(at, key_variable, environment, homes),
        {name: value for name, value in section.items() if name not in OWN},
        _in_flight(section),
        at == set_url.rstrip("/") and _is_private(at),
    )


def _split(spec: str) -> tuple[str, str | None, str | None, str]:
    """Return the name, the URL, the variable of the key and the settings of a spec."""
    found = _SPEC.fullmatch(spec)
    return (found[1], found[2], found[3], found[4]) if found else (spec, None, None, "")


def hinted(endpoint: Endpoint) -> Manner:
    """Return the first hint that matches the API and the model's name without its provider."""
    model = endpoint.model.rpartition("/")[2]
    hints = (
        hint for kind, begins, hint in _HINTS if kind == endpoint.kind and model.startswith(begins)
    )
    return Manner().changed(next(hints, {}))


def model_name(spec: str, named: Named) -> str:
    """Return the model's name without its provider, or "" if the spec has no endpoint."""
    name, *_ = _split(spec)
    kind, model = _parted(_meant(name, named.get(name, {})))
    return Path(model).stem if kind == GGUF else model


def key_variables(spec: str, named: Named) -> list[str]:
    """Return the environment variables that the user has named as containing a key."""
    _, _, own, _ = _split(spec)
    return [one for one in (own, *(section.get("key") for section in named.values())) if one]


def spelled(spec: str, base_url: str | None = None, key_variable: str | None = None) -> str:
    """Return the full spec on one line, as it is recorded in a transcript. Raises UsageError."""
    if spec.startswith(f"{GGUF}/"):  # it may be resumed from another folder
        spec = f"{GGUF}/{disk.expanduser(Path(spec.removeprefix(f'{GGUF}/'))).absolute()}"
    if key_variable and not _VARIABLE.fullmatch(key_variable):
        raise UsageError("--key takes the name of an environment variable, not a key")
    at = f"@{_checked(base_url)}" if base_url else ""
    return f"{spec}{at}{f' key={key_variable}' if key_variable else ''}"


def check_named(named: Named) -> None:
    """Check the models in a settings file. Raises ConfigError."""
    for name, section in named.items():
        known = (*OWN, *NAMES)
        unknown = sorted(set(section) - set(known))
        if unknown:
            raise ConfigError(
                f"model {name}: no setting {unknown[0]!r}{did_you_mean(unknown[0], known)}; "
                f"choose from {', '.join(known)}"
            )
        if bad := unreadable(section):
            raise ConfigError(f"model {name}: {bad} can't be {section[bad]!r}")
        if not all(_parted(_meant("", section))):
            kinds = ", ".join(KINDS)
            raise ConfigError(
                f"model {name}: spec must be KIND/MODEL, KIND one of {kinds},"
                " or gguf must name a file"
            )
        _in_flight(section)


def _parted(spec: str) -> tuple[str, str]:
    """Split a spec into its kind and its model. Both are empty if it has another form."""
    kind, _, model = spec.partition("/")
    if kind == GGUF:
        return kind, model
    return (kind, model) if kind in KINDS and not _NO_MODEL.search(model) else ("", "")


def _meant(name: str, section: Mapping[str, str]) -> str:
    """Return the spec from a section of the settings, or else the name itself."""
    own = f"{GGUF}/{section['gguf']}" if section.get("gguf") else name
    return section.get("spec", own)


def _is_local(url: str) -> bool:
    host = urllib.parse.urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return False


def _is_private(url: str) -> bool:
    """Return whether traffic to the address is encrypted or stays on this machine."""
    return urllib.parse.urlsplit(url).scheme == "https" or _is_local(url)


def _key_for(at: str, variable: str, environment: Mapping[str, str], homes: tuple[str, ...]) -> str:
    """Return the key to send to an address. `homes` are the addresses that the key is meant for.

    A key for another address is never sent: a server on this machine gets no key, and for any other
    server this raises UsageError.
    """
    key = environment.get(variable, "").strip() if at in homes or not _is_local(at) else ""
    if key and not (key.isascii() and key.isprintable()):
        raise UsageError(f"{variable} contains a character that a key can't have")
    if key and at not in homes:
        raise UsageError(
            f"{variable} is not sent to {at}: name the address and the key together, by --base-url"
            f" and --key, or by base_url and key in one section of the settings; {_KEYLESS}"
        )
    if key and not _is_private(at):
        raise UsageError(
            f"{variable} is not sent to {at}, where others could read it on the way: use https://;"
            f" {_KEYLESS}"
        )
    return key


def _checked(url: str) -> str:
    if re.search(r"[\s@?#]", url):
        told = "the base URL contains a space, a user or a query"
        raise UsageError(f"{told}: put the key into a variable")
    try:
        parts = urllib.parse.urlsplit(url)
        is_whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a port or a bracket
        is_whole = False
    if not is_whole:
        raise UsageError(f"the base URL must be http://... or https://..., not {url!r}")
    return url.rstrip("/")


def _in_flight(section: Mapping[str, str]) -> int | None:
    text = section.get("in_flight")
    if text is None:
        return None
    if not 0 < (_whole(text) or 0) < 10_000:
        raise ConfigError(f"in_flight must be a whole number of requests, not {text!r}")
    return int(text)
