"""Find the models that this machine can use at once: on local servers, by API keys, and in files.

Requests are sent only to servers on this machine and to those with a key in the environment.
"""

import importlib.util
import re
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from react_agent.models.endpoint import ANTHROPIC, GGUF, OPENAI, Endpoint, find_endpoint, spelled
from react_agent.models.remedy import failure
from react_agent.models.wire import Fault
from react_agent.tools import disk
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.package_data import install_command

PORTS = {"Ollama": 11434, "llama.cpp": 8080, "vLLM": 8000, "LM Studio": 1234}
# The variables of keys, and the addresses that they are for; none: the maker's.
_KEYS = (
    (ANTHROPIC, "ANTHROPIC_API_KEY", None),
    (OPENAI, "OPENAI_API_KEY", None),
    (OPENAI, "OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"),
    (OPENAI, "GEMINI_API_KEY", "https://generativelanguage.googleapis.com/v1beta/openai"),
    (OPENAI, "MISTRAL_API_KEY", "https://api.mistral.ai/v1"),
    (OPENAI, "GROQ_API_KEY", "https://api.groq.com/openai/v1"),
    (OPENAI, "DEEPSEEK_API_KEY", "https://api.deepseek.com/v1"),
)
_FOLDERS = (
    *("models", "Models", "Downloads", ".lmstudio/models", ".cache/lm-studio/models"),
    *(".cache/llama.cpp", ".cache/huggingface/hub"),
)
_LEVELS = 4  # of folders below one of these
_LOOKED_AT = 20_000  # files and folders
_NO_CHAT = re.compile(r"embed|rerank|moderation|whisper|tts|audio|realtime|image|dall-e|sora")
# Not a part of another model.
_IS_MODEL = re.compile(r"^(?!mmproj)(?!.*-(?!00001)\d{5}-of-\d{5}\.gguf).*\.gguf$")
_MOST = 200  # models of a server


@dataclass(frozen=True, slots=True)
class Source:
    """A server or a file, and the models that it offers."""

    name: str
    endpoints: tuple[Endpoint, ...]  # of its models, the newest first
    place: str
    problem: str = ""  # that must be solved before it can be used


def sources(environment: Mapping[str, str], ports: Mapping[str, int] = PORTS) -> list[Source]:
    """Return the servers on this machine, the providers whose key is set, and the GGUF files."""
    asked = [
        partial(server, name, environment, OPENAI, f"http://localhost:{port}/v1")
        for name, port in ports.items()
    ]
    asked += [
        partial(server, f"{variable} is set", environment, kind, url, variable)
        for kind, variable, url in _KEYS
        if environment.get(variable, "").strip()
    ]
    with ThreadPoolExecutor(len(asked)) as pool:
        found = [*pool.map(lambda ask: ask(), asked)]
    return [*filter(None, found), *_files()]


def server(
    name: str, environment: Mapping[str, str], kind: str, url: str | None, key: str | None = None
) -> Source | None:
    """Return the models that a server lists. Return None if that fails and nobody has named it.

    `key` is the variable with its key, "" if it has none, or None if nobody has named the server.
    """

    def named(model: str) -> Endpoint:
        return find_endpoint(spelled(f"{kind}/{model}", url, key if url else None), {}, environment)

    try:
        at = named("any")
    except ReactAgentError as error:  # of an odd variable
        return None if key is None else Source(name, (), url or "", str(error))
    try:
        listed = _listed(at)
    except Fault as fault:
        told = f"it does not list its models: {failure(fault, at.key)}"
        return None if key is None else Source(name, (), at.base_url, told)
    endpoints = []
    for model in listed:
        with suppress(ReactAgentError):  # a name that can't be written in one word
            endpoints.append(named(model))
    return Source(name, tuple(endpoints), at.base_url, "" if endpoints else "it has no chat model")


def _listed(at: Endpoint) -> list[str]:
    """Return the names of the models that write text, newest first. Raises Fault."""
    from react_agent.models import anthropic_messages, openai_apis
    from react_agent.models.sdk import PATIENCE, faults_of

    apis: Any = anthropic_messages if at.kind == ANTHROPIC else openai_apis
    sdk = apis.anthropic if at.kind == ANTHROPIC else apis.openai
    with faults_of(sdk), closing(apis.client(at)) as client:
        models = [*islice(client.models.list(timeout=PATIENCE), _MOST)]
        if at.kind == OPENAI:  # Anthropic's come in this order
            models.sort(key=lambda one: -(one.created or 0))
        return [one.id for one in models if not _NO_CHAT.search(one.id.lower())]


def _files() -> Iterator[Source]:
    is_ready = importlib.util.find_spec("xllamacpp") is not None
    todo = "" if is_ready else f"first: {install_command('local')}"
    found = dict[Path, Path]()
    for file in _ggufs(disk.home()):
        found.setdefault(file.resolve(), file.absolute())  # a folder may be a link
    for file in found.values():
        endpoint = find_endpoint(f"{GGUF}/{file}", {}, {})
        yield Source(file.name, (endpoint,), str(file.parent), todo)


def _ggufs(home: Path | None) -> Iterator[Path]:
    waiting = deque([(Path(), 0), *((home / name, _LEVELS) for name in _FOLDERS if home)])
    looked_at = 0
    while waiting and looked_at < _LOOKED_AT:
        folder, levels = waiting.popleft()
        try:
            entries = disk.entries(folder)
        except OSError:
            continue
        looked_at += len(entries)
        for entry in entries:
            name, path = entry.name.lower(), Path(entry.path)
            if levels and entry.is_dir(follow_symlinks=False):
                waiting.append((path, levels - 1))
            elif _IS_MODEL.search(name) and not _NO_CHAT.search(name) and entry.is_file():
                yield path
