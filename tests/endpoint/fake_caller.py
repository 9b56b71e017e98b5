"""A request through OpenAI's own client, for chat or completions, and what comes back of it."""

from dataclasses import dataclass
from typing import Any

import httpx2
import openai

PROMPT = "What is in this folder? " * 4  # 24 tokens at four characters each


@dataclass
class Heard:
    text: str = ""
    why: str | None = None
    usage: tuple[int, int] | None = None


def plain_http(**options: Any) -> httpx2.Client:
    """Knows neither proxies nor certificates, which take longer to read than a test to run."""
    return httpx2.Client(trust_env=False, verify=False, **options)


class Caller:
    def __init__(self, url: str, http: httpx2.Client) -> None:
        base = f"{url}/v1"
        self.openai = openai.OpenAI(base_url=base, api_key="any", max_retries=0, http_client=http)

    def hear(self, api: str, stream: bool = False, **more: Any) -> Heard:
        asked: dict[str, Any] = {"model": "m", "stream": stream, **more}
        if stream:
            asked["stream_options"] = {"include_usage": True}
        if api == "chat":
            said = [{"role": "user", "content": PROMPT}]
            got: Any = self.openai.chat.completions.create(messages=said, **asked)
        else:
            got = self.openai.completions.create(prompt=PROMPT, **asked)
        heard = Heard()
        for chunk in got if stream else [got]:
            if chunk.usage:
                heard.usage = chunk.usage.prompt_tokens, chunk.usage.completion_tokens
            for choice in chunk.choices:
                heard.text += _text(choice, api, stream)
                heard.why = choice.finish_reason
        return heard


def _text(choice: Any, api: str, stream: bool) -> str:
    if api == "completions":
        return str(choice.text)
    return (choice.delta if stream else choice.message).content or ""
