"""A private key, however it stands there; and no line more or less for it."""

import pytest
from check_rows import table_of
from planted_keys import MIXED, lot, pem

from react_agent.parsers.secrets.redaction import Redaction

KEY = pem("RSA ")
BEGIN, *BODY, END = KEY.split("\n")
NUMBERED = "\n".join(f"{at:>4}| {line}" for at, line in enumerate(KEY.split("\n"), 8))
FOUND = "\n".join(f"a/id_rsa:{at}:{line}" for at, line in enumerate(KEY.split("\n"), 8))
REST = "\n".join(["cut off", *BODY[2:], END])


@table_of(
    "text",
    [
        pytest.param(f"x\n{KEY}\ny\n{KEY}", id="twice"),
        pytest.param(NUMBERED, id="numbered"),
        pytest.param(FOUND, id="found by grep"),
        pytest.param("\n".join(f"+{line}" for line in KEY.split("\n")), id="in a diff"),
        pytest.param("\n".join(f'    "{line}\\n"' for line in KEY.split("\n")), id="in strings"),
        pytest.param(KEY.replace("\n", "\\n"), id="in one string"),
        pytest.param("\n".join([BEGIN, *BODY]), id="its end cut off"),
        pytest.param(REST, id="its beginning cut off"),
        pytest.param(f"{BEGIN}\n[redacted: private key]\n{END}\n{REST}", id="behind another one"),
        pytest.param("\r\n".join(KEY.split("\n")), id="with other ends of lines"),
    ],
)
def test_no_line_of_it_stays(text: str) -> None:
    made = Redaction()(text)
    assert [line for line in BODY if line in made] == []
    assert made.count("\n") == text.count("\n")
    assert made.count("[redacted: private key]") >= 1
    assert Redaction()(made) == made


@table_of(
    "text",
    [
        f"{BEGIN}\n...\n{END}",
        f"{BEGIN} and then {END}",
        f'if line.startswith("{BEGIN}"):\n    return parse_private_key_of_this_kind(lines)',
        f"-----BEGIN CERTIFICATE-----\n{lot(MIXED, 64)}\n-----END CERTIFICATE-----",
        f"{lot(MIXED, 64)}\n\n{BEGIN}\n{END}\n\n{lot(MIXED, 64)}",
    ],
)
def test_what_only_tells_of_one_stays(text: str) -> None:
    assert Redaction()(text) == text
