import subprocess
import sys
from pathlib import Path

import genai_prices
import pytest
from check_rows import table_of

from react_agent.models.contract import Usage
from react_agent.models.endpoints import price

MILLION = 1_000_000
ANTHROPIC = ("claude-sonnet-4-5", "https://api.anthropic.com")
WRITES_COST = ("gpt-5.6", "https://api.openai.com/v1")
ASKS = """
from react_agent.models.contract import Usage
from react_agent.models.endpoints import price
print(price("claude-sonnet-4-5", "https://api.anthropic.com", Usage(1000, 10)))
"""


def _run(script: str, first: Path) -> str:
    """In a process of its own, where modules of `first` hide the installed ones."""
    shown = f"import sys; sys.path.insert(0, {str(first)!r})\n{script}"
    command = [sys.executable, "-P", "-c", shown]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(("model", "base_url"), [ANTHROPIC, WRITES_COST])
@table_of(
    ("usage", "tokens"),
    {
        "input": (Usage(MILLION, 0), {"input_tokens": MILLION}),
        "all": (
            Usage(9000, 700, cached=5000, written=3000),
            {
                "input_tokens": 9000,
                "output_tokens": 700,
                "cache_read_tokens": 5000,
                "cache_write_tokens": 3000,
            },
        ),
        "none": (Usage(0, 0), {}),
    },
)
def test_a_call_costs_what_the_tables_say(
    model: str, base_url: str, usage: Usage, tokens: dict[str, int]
) -> None:
    theirs = genai_prices.calc_price(genai_prices.Usage(**tokens), model, provider_api_url=base_url)
    assert price(model, base_url, usage) == float(theirs.total_price)


@table_of(
    ("model", "base_url"),
    {
        "no such model there": ("qwen3-coder", "https://api.openai.com/v1"),
        "host without a table": ("gpt-4o", "https://models.example.org/v1"),
        "listed without a price": ("gpt-4o", "https://api.githubcopilot.com"),
        "no URL": ("gpt-4o", "http://[::1"),
        "loopback": ("gpt-4o", "http://127.0.0.1:8000/v1"),
        "a private network": ("gpt-4o", "http://192.168.1.2/v1"),
        "no dot": ("gpt-4o", "http://gpu/v1"),
    },
)
def test_nothing_is_known_of_others(model: str, base_url: str) -> None:
    assert price(model, base_url, Usage(1000, 10)) is None


@table_of("usage", [Usage(100, 1, cached=200), Usage(-1, 1)])
def test_counts_that_cannot_be_have_no_price(usage: Usage) -> None:
    assert price(*ANTHROPIC, usage) is None


@table_of(
    "package",
    {
        "missing": "raise ModuleNotFoundError",
        "half installed": "def calc_price(",
        "another API": "Usage = dict",
        "another answer": "Usage = dict\ndef calc_price(*_, **__): return 3",
    },
)
def test_a_broken_package_breaks_no_run(tmp_path: Path, package: str) -> None:
    (tmp_path / "genai_prices.py").write_text(package)
    assert _run(ASKS, tmp_path) == "None\n"


def test_the_package_is_loaded_when_it_is_asked(tmp_path: Path) -> None:
    loaded = "import sys; print('genai_prices' in sys.modules)\n"
    script = f"from react_agent.models.endpoints import *\n{loaded}{ASKS}{loaded}"
    first, *_, last = _run(script, tmp_path).splitlines()
    assert (first, last) == ("False", "True")
