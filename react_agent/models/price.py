"""Look up the cost of a call in dollars in the genai-prices tables; it is None if unknown."""

import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from react_agent.models.contract import Usage

if TYPE_CHECKING:
    from genai_prices.types import PriceCalculation

_MILLION = 1_000_000
_LOCAL_ZONES = (".local", ".localhost", ".internal", ".lan", ".home.arpa")
# Unknown model or host: LookupError. Counts that can't be: ValueError. Missing, half installed or
# grown into another API: the others.
_UNPRICED = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    ImportError,
    SyntaxError,
)


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices in dollars per million tokens. Prices that depend on length are for short prompts."""

    input: float
    cached: float
    written: float
    output: float


def price(model: str, base_url: str, usage: Usage) -> float | None:
    found = _calculated(model, base_url, usage)
    return None if found is None else float(found.total_price)


def prices_of(model: str, base_url: str) -> Prices | None:
    # One token: a million of them would be in the tier of long prompts.
    samples = (Usage(1, 0), Usage(1, 0, cached=1), Usage(1, 0, written=1), Usage(0, 1))
    rates = []
    for sample in samples:
        found = _calculated(model, base_url, sample)
        if found is None:
            return None
        # Not the total, since some also charge for the request.
        rates.append(float(_MILLION * (found.input_price + found.output_price)))
    return Prices(*rates)


def _calculated(model: str, base_url: str, usage: Usage) -> "PriceCalculation | None":
    if _bills_nothing(base_url):
        return None
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
        listed = prices.input_mtok is not None or prices.output_mtok is not None
    except _UNPRICED:
        return None
    return found if listed else None


def _bills_nothing(base_url: str) -> bool:
    """Return whether the address is known to be in a local network, where calls are free."""
    try:
        host = (urlsplit(base_url).hostname or "").rstrip(".")
    except ValueError:
        return True
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith(_LOCAL_ZONES)
