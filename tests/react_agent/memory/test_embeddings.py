"""What no word of a question holds is found by what it means; without an endpoint, by its words."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from back_profile import PROFILE
from fake_embeddings import embedded, vectors_of
from fake_endpoint import FakeEndpoint, Reply, Request
from made_runs import made_of

from react_agent.errors import UsageError
from react_agent.memory.embeddings import Embeddings
from react_agent.memory.search import Hits, search
from react_agent.models.connection import Time
from react_agent.models.contract import Embedder
from react_agent.models.endpoint import find_endpoint
from react_agent.models.endpoints import Endpoints, Memory
from react_agent.runs.run_setup import again
from react_agent.runs.solve import solve

KEY = "sk-secret-of-the-tests"
TEXTS = ("the automobile stops", "all trains stop", "a train goes")
Script = Callable[[Request], Reply]


@dataclass
class Places:
    """Endpoints, what was told, and runs that were made by hand."""

    folder: Path
    open: ExitStack
    told: list[str] = field(default_factory=list)

    def serve(self, script: Script = embedded) -> FakeEndpoint:
        return self.open.enter_context(FakeEndpoint(script))

    def embedder(self, url: str) -> Embedder:
        ends = Endpoints(Memory(self.folder), Time(float, abs), "session")
        self.open.callback(ends.close)
        return ends.embedder(find_endpoint(f"openai/m@{url}/v1 key=KEY", {}, {"KEY": KEY}))

    def meaning(self, url: str, **options: Any) -> Embeddings:
        return Embeddings(self.embedder(url), float, self.told.append, **options)


@pytest.fixture
def places(tmp_path: Path) -> Iterator[Places]:
    with ExitStack() as stack:
        yield Places(tmp_path, stack)


def _found(hits: Hits) -> list[int]:
    return [found.step for found in hits.found]


def _inputs(endpoint: FakeEndpoint) -> list[int]:
    return [len(request.body["input"]) for request in endpoint.requests]


def test_what_no_word_holds_is_found_by_its_meaning(places: Places) -> None:
    memory, meaning = made_of(*TEXTS).memory, places.meaning(places.serve().url)
    assert _found(search(memory, "car", set())) == []
    hits = search(memory, "car", set(), embeddings=meaning)
    assert (hits.found[0].step, hits.found[0].lines) == (1, ((1, "the automobile stops"),))
    assert hits.nowhere == ("car",)
    assert _found(search(memory, "car", {1}, embeddings=meaning)) == []


def test_a_passage_is_sent_once(places: Places) -> None:
    endpoint = places.serve()
    memory, meaning = made_of(*TEXTS).memory, places.meaning(endpoint.url)
    search(memory, "car", set(), embeddings=meaning)
    search(memory, "other", set(), embeddings=meaning)
    assert _inputs(endpoint) == [1 + len(TEXTS), 1]
    assert {request.body["encoding_format"] for request in endpoint.requests} == {"float"}


def test_many_passages_are_sent_in_parts_and_the_newest_first(places: Places) -> None:
    endpoint = places.serve()
    memory = made_of(*(f"text {number}" for number in range(80))).memory
    search(memory, "car", set(), embeddings=places.meaning(endpoint.url))
    assert _inputs(endpoint) == [32, 32, 17]
    assert endpoint.requests[0].body["input"][1] == "text 79"


def test_what_there_is_no_time_for_is_made_by_the_next_search(places: Places) -> None:
    endpoint, ticks = places.serve(), itertools.count()
    memory = made_of("the automobile", *(f"text {number}" for number in range(80))).memory
    meaning = places.meaning(endpoint.url)
    meaning.clock, meaning.seconds = lambda: float(next(ticks)), 1.5
    assert _found(search(memory, "car", set(), embeddings=meaning)) == []
    assert _found(search(memory, "car", set(), embeddings=meaning))[:1] == [1]
    assert (_inputs(endpoint), places.told) == ([32, 32, 19], [])


def _said(text: str) -> Script:
    return lambda request: Reply(text)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(lambda request: Reply(status=500, error=f"no {KEY}"), id="500"),
        pytest.param(lambda request: Reply(fault="hang"), id="silence"),
        pytest.param(lambda request: vectors_of(["one", "two"]), id="too few"),
        pytest.param(_said("[[NaN]]"), id="no number"),
        pytest.param(_said("[[1.0], [1.0, 2.0], [], [], [], [], []]"), id="not alike"),
    ],
)
def test_an_endpoint_that_fails_leaves_the_words(places: Places, script: Script) -> None:
    endpoint = places.serve(script)
    memory, meaning = made_of(*TEXTS).memory, places.meaning(endpoint.url, seconds=0.3)
    for _ in range(5):
        assert _found(search(memory, "trains", set(), embeddings=meaning)) == [3, 2]
    assert len(places.told) == 1
    assert places.told[0].startswith("recall searches by words only, without embeddings")
    assert KEY not in places.told[0]
    assert len(endpoint.requests) == 3


def test_numbers_alone_are_looked_for_as_they_are(places: Places) -> None:
    endpoint = places.serve()
    search(made_of(*TEXTS).memory, "99", set(), embeddings=places.meaning(endpoint.url))
    assert endpoint.requests == []


def test_only_some_apis_have_embeddings(places: Places) -> None:
    ends = Endpoints(Memory(places.folder), Time(float, abs), "")
    for spec, line in (
        ("anthropic/m@http://localhost", "can't make embeddings: name a model as openai/NAME"),
        ("openai/m", "openai/m needs a key: set OPENAI_API_KEY"),
    ):
        with pytest.raises(UsageError, match=line):
            ends.embedder(find_endpoint(spec, {}, {}))


RUN = (
    " read\nAction: read_file\nAction Input: README.md\n",
    " list\nAction: list_files\nAction Input:\n",
    " look back\nAction: recall\nAction Input: zebra\n",
    " done\nConclusion: it is done",
)


def test_a_run_is_charged_and_done_again_without_a_network(desk: Any, places: Places) -> None:
    endpoint = places.serve(lambda request: vectors_of(["zebra"] * len(request.body["input"])))
    desk.profiles.joinpath("back.cfg").write_text(PROFILE)
    desk.settings["embeddings"] = "meant"
    around = replace(desk.around(*RUN), open_embedder=lambda _: places.embedder(endpoint.url))
    outcome = solve(desk.request(profile="back"), around)
    seen = outcome.state.steps[2].seen
    assert seen.text.startswith("step 1, 2 steps ago: read_file README.md")
    assert seen.text.endswith("; not found in any step: zebra]")
    paid = int(seen.facts["in"])
    assert (seen.facts["for"], seen.facts["status"], paid > 0) == ("embed", "ok", True)
    assert outcome.state.spent.prompt_tokens >= paid
    asked = len(endpoint.requests)
    assert KEY not in outcome.folder.transcript.read_text()
    request = replace(again(outcome.folder, None), names=None)
    once_more = solve(request, replace(around, runs=desk.folder / "again"))
    assert once_more.state.steps[2].seen.facts["status"] == "empty"
    assert len(endpoint.requests) == asked
    assert any(line.startswith("step 3: Observation was ") for line in desk.told)
