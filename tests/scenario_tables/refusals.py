"""What a call says when it refuses: the text of the error it raises."""

from collections.abc import Callable

import pytest


def refusal(
    kind: type[Exception] | tuple[type[Exception], ...],
    call: Callable[..., object],
    /,
    *given: object,
    **named: object,
) -> str:
    with pytest.raises(kind) as caught:
        call(*given, **named)
    return str(caught.value)
