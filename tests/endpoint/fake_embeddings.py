"""Vectors of texts: each word counts in one of a few directions, and synonyms in the same."""

import json
import re
import zlib
from collections.abc import Sequence
from typing import Any

from fake_reply import Reply, Request, Said

DIRECTIONS = 256
MEANINGS = {"automobile": "car", "vehicles": "car", "vanishes": "gone", "deleted": "gone"}


def embedded(request: Request) -> Reply:
    """The script of an endpoint that answers nothing else."""
    return vectors_of(request.body["input"])


def vectors_of(texts: Sequence[str], **reply: Any) -> Reply:
    return Reply(json.dumps([_vector(text) for text in texts]), **reply)


def whole(said: Said) -> dict[str, Any]:
    """In no order but that of the indices."""
    rows = [
        {"object": "embedding", "index": index, "embedding": vector}
        for index, vector in enumerate(json.loads(said.text or "[]"))
    ]
    found = {"object": "list", "model": said.model, "data": rows[::-1]}
    counted = {"prompt_tokens": said.prompt_tokens, "total_tokens": said.prompt_tokens}
    return found if said.reply.no_usage else {**found, "usage": counted}


def _vector(text: str) -> list[float]:
    numbers = [0.0] * DIRECTIONS
    for word in re.findall("[a-z]+", text.lower()):
        numbers[zlib.crc32(MEANINGS.get(word, word).encode()) % DIRECTIONS] += 1.0
    return numbers
