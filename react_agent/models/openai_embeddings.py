"""`/v1/embeddings`, of OpenAI and of the many servers that speak like it."""

import math
from array import array
from collections.abc import Sequence

import openai

from react_agent.errors import ModelError
from react_agent.models.answers import Object, object_of
from react_agent.models.connection import Connection
from react_agent.models.contract import Embedded, Usage
from react_agent.models.openai_request import faults, usage_of
from react_agent.models.remedy import LONGEST_ERROR
from react_agent.models.wire import Failed, Fault
from react_agent.parsers.servers.asking_again import one_line
from react_agent.parsers.text.tokens import estimate_tokens


def embedded(
    line: Connection, client: openai.OpenAI, model: str, texts: Sequence[str], seconds: float
) -> Embedded:
    """Raises ModelError."""
    create = client.embeddings.with_streaming_response.create
    try:
        with (
            faults(),
            create(
                model=model,
                input=list(texts),
                encoding_format="float",  # not all servers know the other one
                timeout=seconds,
            ) as answer,
        ):
            found = object_of(answer)
            vectors = _vectors(found, len(texts))
            usage = _usage(found, texts)
    except Fault as fault:
        told = f"{fault.status or ''} {fault.message}".strip()
        what = f"{fault.how}: {told}" if told else fault.how
        raise ModelError(one_line(what, line.secret, LONGEST_ERROR)) from None
    cost = line.price(usage)
    return Embedded(vectors, Usage(usage.prompt, 0, is_estimate=usage.is_estimate, cost=cost))


def _vectors(found: Object, count: int) -> tuple[bytes, ...]:
    rows = sorted(found["data"], key=lambda row: row["index"])
    vectors = tuple(_unit(row["embedding"]) for row in rows)
    if len(vectors) != count or len(set(map(len, vectors))) != 1:
        raise Fault(Failed.STRANGE, f"{len(vectors)} vectors for {count} texts, or not alike")
    return vectors


def _usage(found: Object, texts: Sequence[str]) -> Usage:
    counted = usage_of(found.get("usage") or {})
    return counted or Usage(sum(map(estimate_tokens, texts)), 0, is_estimate=True)


def _unit(numbers: Sequence[float]) -> bytes:
    """Of length 1, as floats of 32 bits. Raises ValueError for what points nowhere."""
    length = math.hypot(*numbers)
    if not 0 < length < math.inf:
        raise ValueError("a vector that points nowhere")
    return array("f", (number / length for number in numbers)).tobytes()
