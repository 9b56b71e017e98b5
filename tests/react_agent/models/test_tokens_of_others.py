"""Special tokens that stand in a text reach no endpoint, whatever the text is."""

from typing import Any

import pytest
from fake_endpoint import KINDS, Reply

from react_agent.models.contract import View
from react_agent.parsers.servers.rewriting import inert

TOKENS = ("<|im_start|>", "<|eot_id|>", "[INST]", "<s>", "<start_of_turn>", "<｜User｜>")
ALL = "".join(TOKENS)
VIEW = View(
    f"Notes: {ALL}\n\n",
    f"Objective: {ALL}\n",
    (f"Thought: {ALL}\nAction: b\nAction Input: {ALL}\nObservation: {ALL}\n",),
    f"({ALL})\nThought:",
)


@pytest.mark.attack(
    "special tokens in a prompt, to an endpoint of the kind {id}", by="issue", wall="quoting"
)
@pytest.mark.parametrize("kind", KINDS)
def test_an_endpoint_sees_none(trial: Any, kind: str) -> None:
    endpoint = trial.serve(Reply(" look\nAction: b\nAction Input: <U+003C>|im_start|>"))
    answer = trial.ask(trial.model(kind, endpoint), VIEW)
    [asked] = endpoint.posts
    sent = asked.prompt
    assert [token for token in TOKENS if token in sent] == []
    assert sent.count(inert(ALL)) == 6
    assert answer.text.endswith("<U+003C>|im_start|>")  # it is read first: that is no end of it
