"""Serve the pages of runs on this machine, and send an event when a run changes."""

import itertools
import secrets
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass

from react_agent.errors import TranscriptError
from react_agent.loopback import Asked, Given
from react_agent.page.index import file_names, index_page, names_of, row_of
from react_agent.page.run import run_page
from react_agent.page.run_data import read_run
from react_agent.profiles.settings import Settings
from react_agent.runs.run_folder import RunFolder
from react_agent.state.transcript import NAME, Redact, is_held

KIND = "text/event-stream"
MORE = b"data: more\n\n"
OVER = b"event: over\ndata: over\n\n"
_STILL_HERE = b": still here\n\n"  # a closed page is only noticed when something is sent
_BETWEEN_LOOKS = 0.5  # seconds between them
_BEAT = 20  # looks


def news(run: RunFolder, sleep: Callable[[float], None]) -> Generator[bytes, None, None]:
    """Yield an event at the start, after each change of the run, and when the run is over."""
    seen = None
    for look in itertools.count(1):
        is_over = not is_held(run.transcript)  # asked first, so as not to miss the last change
        within = list(run.path.glob(f"sub/*/{NAME}"))
        sizes = [(path, path.stat().st_size) for path in (run.transcript, *within)]
        if sizes != seen:
            yield MORE
            seen = sizes
        elif look % _BEAT == 0:
            yield _STILL_HERE
        if is_over:
            yield OVER
            return
        sleep(_BETWEEN_LOOKS)


_NEWS = ".news"
_HTML, _TEXT = "text/html; charset=utf-8", "text/plain; charset=utf-8"
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",  # the rest stands in the pages
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True, slots=True)
class Shelf:
    runs: Callable[[], Sequence[RunFolder]]
    secret: str
    redact: Redact
    sleep: Callable[[float], None]
    settings: Settings | None = None  # that runs may have been made with

    def answer(self, asked: Asked) -> Given:
        if asked.method != "GET":
            return _told(405, "this server only answers GET requests", {"Allow": "GET"})
        secret, slash, name = asked.path.removeprefix("/").partition("/")
        if not slash or not secrets.compare_digest(secret.encode(), self.secret.encode()):
            return _told(404, "open the complete address that react-agent page --serve printed")
        runs = self.runs()
        names = names_of(runs)
        files = file_names(names)
        if not name:
            each = zip(runs, names, files, strict=True)
            return _page(index_page([row_of(*one, self.redact) for one in each]))
        is_news = name.endswith(_NEWS)
        file = f"{name.removesuffix(_NEWS)}.html" if is_news else name
        if file not in files:
            return _told(404, "this run no longer exists")
        run = runs[files.index(file)]
        return Given(news(run, self.sleep), KIND, 200, _HEADERS) if is_news else self._run(run)

    def _run(self, run: RunFolder) -> Given:
        is_live = is_held(run.transcript)  # asked first, so as not to miss the run's end
        try:
            return _page(run_page(read_run(run, self.redact, self.settings), is_live=is_live))
        except TranscriptError as error:
            return _told(500, str(error))


def _page(html: str) -> Given:
    return Given(html.encode(errors="replace"), _HTML, 200, _HEADERS)


def _told(status: int, line: str, more: Mapping[str, str] | None = None) -> Given:
    text = f"{line}\n".encode(errors="replace")
    return Given(text, _TEXT, status, {**_HEADERS, **(more or {})})
