"""All endpoints of a process. Its runs share one client and one throttle for each endpoint."""

import contextlib
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from react_agent.errors import ModelError, UsageError
from react_agent.models.call import Hosted
from react_agent.models.connection import MOST, Connection, Throttle, Time
from react_agent.models.contract import Embedded, Embedder, Usage
from react_agent.models.endpoint import ANTHROPIC, GGUF, SIZES, Endpoint, hinted
from react_agent.models.gguf import GgufServer, ServedWire, serve
from react_agent.models.wire import Fault, Wire
from react_agent.parsers.transcript.facts import read_endpoints, write_endpoints
from react_agent.tools import disk

_LEARNED = "endpoints.txt"
# Unknown model or host: LookupError. Counts that can't be: ValueError. Missing, half installed or
# grown into another API: the others.
_UNPRICED = (
    *(LookupError, ValueError, TypeError, AttributeError, ArithmeticError),
    *(ImportError, SyntaxError),
)


@dataclass(frozen=True, slots=True)
class Memory:
    """Facts learned about endpoints, kept across runs in one small text file.

    If the folder is not writable, facts are not saved and no error is raised.
    """

    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / _LEARNED

    def recall(self, base_url: str, model: str) -> Mapping[str, str]:
        return self._read().get((base_url, model), {})

    def keep(self, base_url: str, model: str, facts: Mapping[str, str]) -> None:
        """Add facts to the file, and keep those that other processes have added meanwhile."""
        with contextlib.suppress(OSError):
            disk.mkdir(self.folder, parents=True, exist_ok=True)
            with disk.locked(self.path.with_suffix(".lock")):
                known = self._read()
                known[base_url, model] = {**known.get((base_url, model), {}), **facts}
                disk.write_over(self.path, write_endpoints(known).encode())

    def _read(self) -> dict[tuple[str, str], dict[str, str]]:
        try:
            return read_endpoints(disk.read_text(self.path, errors="replace"))
        except OSError:
            return {}


@dataclass(slots=True)
class Endpoints:
    memory: Memory
    time: Time
    session: str  # a cache key for this process
    throttles: dict[str, Throttle] = field(default_factory=dict)
    learned: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    clients: dict[tuple[str, str, str], Any] = field(default_factory=dict, repr=False)
    servers: dict[str, GgufServer] = field(default_factory=dict, repr=False)  # by their files
    lock: threading.Lock = field(default_factory=threading.Lock)

    def model(self, endpoint: Endpoint) -> Hosted:
        check_key(endpoint)
        return Hosted(self.line(endpoint))

    def embedder(self, endpoint: Endpoint) -> Embedder:
        """Return an embedder. It sends and imports nothing until used. Raises UsageError."""
        check_key(endpoint)
        if endpoint.kind in (ANTHROPIC, GGUF):
            raise UsageError(f"{endpoint.name} can't make embeddings: name a model as openai/NAME")

        def embed(texts: Sequence[str], seconds: float) -> Embedded:
            from react_agent.models.openai_apis import client, embedded

            line = self.line(endpoint)
            with self.lock:
                shared = self._client(endpoint, client)
            return embedded(line, shared, endpoint.model, texts, seconds)

        return embed

    def line(self, endpoint: Endpoint) -> Connection:
        url, name = endpoint.base_url, endpoint.model
        learned = dict(self.memory.recall(url, name))
        window = learned.pop("window", "")  # a server may have been started with another one
        sizes = {size: value for size, value in endpoint.manner.items() if size in SIZES}
        base = hinted(endpoint).changed(endpoint.manner).changed(learned).changed(sizes)
        with self.lock:
            most = endpoint.in_flight or MOST
            throttle = self.throttles.setdefault(url, Throttle(most, self.time))
            shared = self.learned.setdefault((url, name), {"window": window} if window else {})
            wire = self._wire(endpoint)
        return Connection(
            name=endpoint.name,
            wire=wire,
            base=base,
            shared=shared,
            throttle=throttle,
            time=self.time,
            keep=lambda facts: self.memory.keep(url, name, facts),
            price=lambda usage: None if endpoint.is_local else price(name, url, usage),
            is_local=endpoint.is_local,
            secret=endpoint.key,
        )

    def close(self) -> None:
        for client in self.clients.values():
            client.close()
        self.clients.clear()
        for server in self.servers.values():
            server.close()
        self.servers.clear()

    def _wire(self, endpoint: Endpoint) -> Wire:
        """Return the client for an endpoint. Import only its own SDK, which takes a second."""
        if endpoint.kind == ANTHROPIC:
            from react_agent.models import anthropic_messages as messages

            shared = self._client(endpoint, messages.client)
            return messages.AnthropicMessages(endpoint.model, shared)
        from react_agent.models import openai_apis

        if endpoint.kind == GGUF:
            server = self.servers.get(endpoint.model)
            if server is None or not server.is_alive:
                server = self.servers[endpoint.model] = serve(endpoint)
            own = server.endpoint
            client = self._client(own, openai_apis.client)
            return ServedWire(server, openai_apis.OpenaiWire(own.kind, own.model, client))
        shared = self._client(endpoint, openai_apis.client)
        session = self.session if endpoint.is_ours else ""
        return openai_apis.OpenaiWire(endpoint.kind, endpoint.model, shared, session)

    def _client(self, endpoint: Endpoint, make: Callable[[Endpoint], Any]) -> Any:
        sdk = ANTHROPIC if endpoint.kind == ANTHROPIC else ""
        key = (sdk, endpoint.base_url, endpoint.key)
        if key not in self.clients:
            try:
                self.clients[key] = make(endpoint)
            except Fault as fault:
                raise ModelError(f"{endpoint.name}: {fault.message}") from None
        return self.clients[key]


def check_key(endpoint: Endpoint) -> None:
    if endpoint.is_ours and not endpoint.key:
        raise UsageError(f"{endpoint.name} needs a key: set {endpoint.key_variable}")


def price(model: str, base_url: str, usage: Usage) -> float | None:
    """Return the cost of a call in dollars by the tables of genai-prices, or None if unknown."""
    try:
        import genai_prices  # slow: only who asks for a price waits

        tokens = genai_prices.Usage(
            input_tokens=usage.prompt,
            cache_read_tokens=usage.cached,
            cache_write_tokens=usage.written,
            output_tokens=usage.reply,
        )
        found = genai_prices.calc_price(tokens, model, provider_api_url=base_url)
        prices = found.model_price
        # Some models are listed without any price: that is not free.
        is_listed = prices.input_mtok is not None or prices.output_mtok is not None
        return float(found.total_price) if is_listed else None
    except _UNPRICED:
        return None
