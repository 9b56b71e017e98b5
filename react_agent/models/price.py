"""Look up the cost of a call in dollars in the genai-prices tables; it is None if unknown."""

from react_agent.models.contract import Usage

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


def price(model: str, base_url: str, usage: Usage) -> float | None:
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
        is_listed = prices.input_mtok is not None or prices.output_mtok is not None
        return float(found.total_price) if is_listed else None
    except _UNPRICED:
        return None
