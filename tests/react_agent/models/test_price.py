import subprocess
import sys
from pathlib import Path

import genai_prices
import pytest
from check_rows import table_of

from react_agent.models.contract import Usage
from react_agent.models.price import price, prices_of

MILLION = 1_000_000
ANTHROPIC = ("claude-sonnet-4-5", "https://api.anthropic.com")
OPENAI = ("gpt-4o", "https://api.openai.com/v1")
WRITES_COST = ("gpt-5.6", "https://api.openai.com/v1")
KNOWN = pytest.mark.parametrize(("model", "base_url"), [ANTHROPIC, OPENAI, WRITES_COST])

ASKS = """
from react_agent.models.contract import Usage
from react_agent.models.price import price, prices_of
model = ("claude-sonnet-4-5", "https://api.anthropic.com")
print(price(*model, Usage(1000, 10)), prices_of(*model))
"""


def _run(script: str, first: Path) -> str:
    """In a process of its own, where modules of `first` hide the installed ones."""
    command = [
        sys.executable,
        "-P",
        "-c",
        f"import sys; sys.path.insert(0, {str(first)!r})\n{script}",
    ]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@KNOWN
@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        pytest.param(Usage(MILLION, 0), {"input_tokens": MILLION}, id="input"),
        pytest.param(Usage(0, MILLION), {"output_tokens": MILLION}, id="output"),
        pytest.param(
            Usage(MILLION, 0, cached=MILLION),
            {"input_tokens": MILLION, "cache_read_tokens": MILLION},
            id="cached",
        ),
        pytest.param(
            Usage(MILLION, 0, written=MILLION),
            {"input_tokens": MILLION, "cache_write_tokens": MILLION},
            id="written",
        ),
        pytest.param(
            Usage(9000, 700, cached=5000, written=3000),
            {
                "input_tokens": 9000,
                "output_tokens": 700,
                "cache_read_tokens": 5000,
                "cache_write_tokens": 3000,
            },
            id="all",
        ),
        pytest.param(Usage(0, 0), {}, id="none"),
    ],
)
def test_a_call_costs_what_the_tables_say(
    model: str, base_url: str, usage: Usage, tokens: dict[str, int]
) -> None:
    theirs = genai_prices.calc_price(genai_prices.Usage(**tokens), model, provider_api_url=base_url)
    assert price(model, base_url, usage) == float(theirs.total_price)


@KNOWN
def test_prices_add_up_to_the_cost(model: str, base_url: str) -> None:
    prices = prices_of(model, base_url)
    assert prices is not None
    cost = 1000 * prices.input + 5000 * prices.cached + 3000 * prices.written + 700 * prices.output
    assert price(model, base_url, Usage(9000, 700, cached=5000, written=3000)) == pytest.approx(
        cost / MILLION
    )


def test_prices_are_those_of_short_prompts() -> None:
    """This model costs twice as much beyond 200,000 tokens."""
    prices, long = prices_of(*ANTHROPIC), price(*ANTHROPIC, Usage(MILLION, 0))
    assert prices is not None
    assert long is not None
    assert prices.input < long


@table_of(
    ("model", "base_url"),
    [
        pytest.param("qwen3-coder", "https://api.openai.com/v1", id="no such model there"),
        pytest.param("", "https://api.openai.com/v1", id="no name"),
        pytest.param("gpt-4o", "https://models.example.org/v1", id="host without a table"),
        pytest.param("gpt-4o", "https://api.githubcopilot.com", id="listed without a price"),
        pytest.param("gpt-4o", "", id="no URL"),
        pytest.param("gpt-4o", "http://[::1", id="no URL either"),
        pytest.param("gpt-4o", "http://127.0.0.1:8000/v1", id="loopback"),
        pytest.param("gpt-4o", "http://[::1]:8000/v1", id="loopback, IPv6"),
        pytest.param("gpt-4o", "http://localhost:8000/v1", id="localhost"),
        pytest.param("gpt-4o", "http://10.1.2.3/v1", id="10"),
        pytest.param("gpt-4o", "http://172.16.0.9/v1", id="172.16"),
        pytest.param("gpt-4o", "http://192.168.1.2/v1", id="192.168"),
        pytest.param("gpt-4o", "http://gpu.local/v1", id="in the house"),
        pytest.param("gpt-4o", "http://gpu/v1", id="no dot"),
    ],
)
def test_nothing_is_known_of_others(model: str, base_url: str) -> None:
    assert (price(model, base_url, Usage(1000, 10)), prices_of(model, base_url)) == (None, None)


@table_of(
    "base_url",
    [
        "https://10.0.0.7/x.googleapis.com",
        "https://localhost/x.googleapis.com",
        "https://gpu.local/x.googleapis.com",
    ],
)
def test_a_local_server_that_looks_like_a_vendor_has_no_price(base_url: str) -> None:
    model, usage = "gemini-2.5-pro", genai_prices.Usage(input_tokens=1)
    assert genai_prices.calc_price(usage, model, provider_api_url=base_url).total_price > 0
    assert price(model, base_url, Usage(1, 0)) is None


@pytest.mark.parametrize(
    "usage",
    [
        pytest.param(Usage(100, 1, cached=200), id="more cached than there was"),
        pytest.param(Usage(-1, 1), id="less than nothing"),
    ],
)
def test_counts_that_cannot_be_have_no_price(usage: Usage) -> None:
    assert price(*ANTHROPIC, usage) is None


@pytest.mark.parametrize(
    "package",
    [
        pytest.param("raise ModuleNotFoundError", id="missing"),
        pytest.param("def calc_price(", id="half installed"),
        pytest.param("", id="empty"),
        pytest.param("Usage = dict", id="another API"),
        pytest.param("Usage = dict\ndef calc_price(usage, model): ...", id="other arguments"),
        pytest.param("Usage = dict\ndef calc_price(*_, **__): return 3", id="another answer"),
        pytest.param("from decimal import Decimal\nUsage = lambda **_: Decimal('x')", id="no sum"),
    ],
)
def test_a_broken_package_breaks_no_run(tmp_path: Path, package: str) -> None:
    (tmp_path / "genai_prices.py").write_text(package)
    assert _run(ASKS, tmp_path) == "None None\n"


def test_the_package_is_loaded_when_it_is_asked(tmp_path: Path) -> None:
    loaded = "import sys; print('genai_prices' in sys.modules)\n"
    local = "price('gpt-4o', 'http://127.0.0.1/v1', Usage(1, 1))\n"
    script = f"from react_agent.models.price import *\n{local}{loaded}{ASKS}{loaded}"
    first, *_, last = _run(script, tmp_path).splitlines()
    assert (first, last) == ("False", "True")
