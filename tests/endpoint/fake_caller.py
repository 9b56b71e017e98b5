"""The same request through each API of the real SDKs, and what comes back of it."""

from dataclasses import dataclass
from typing import Any

import anthropic
import httpx2
import openai

PROMPT = "What is in this folder? " * 4  # 24 tokens at four characters each
APIS = ("messages", "chat", "completions", "responses")


@dataclass
class Heard:
    text: str = ""
    why: str | None = None
    reasoning: str = ""
    usage: tuple[int, int] | None = None
    chunks: int = 0
    error: str = ""


def plain_http(**options: Any) -> httpx2.Client:
    """Knows neither proxies nor certificates, which take longer to read than a test to run."""
    return httpx2.Client(trust_env=False, verify=False, **options)


class Caller:
    """Makes the same request through each API."""

    def __init__(self, url: str, http: httpx2.Client, key: str = "any") -> None:
        options: dict[str, Any] = {"api_key": key, "max_retries": 0, "http_client": http}
        self.anthropic = anthropic.Anthropic(base_url=url, **options)
        self.openai = openai.OpenAI(base_url=f"{url}/v1", **options)

    def begin(self, api: str, **more: Any) -> Any:
        said = [{"role": "user", "content": PROMPT}]
        messages = {"model": "m", "messages": said, **more}
        if api == "messages":
            stop = messages.pop("stop", None)
            more = {"stop_sequences": [stop]} if stop else {}
            return self.anthropic.messages.create(**{"max_tokens": 50, **messages, **more})
        if more.get("stream") and api != "responses":
            more = messages["stream_options"] = {"include_usage": True}
        if api == "chat":
            return self.openai.chat.completions.create(**messages)
        del messages["messages"]
        if api == "completions":
            return self.openai.completions.create(prompt=PROMPT, **messages)
        return self.openai.responses.create(input=PROMPT, **messages)

    def hear(self, api: str, stream: bool = False, **more: Any) -> Heard:
        got = self.begin(api, stream=stream, **more)
        if not stream:
            return WHOLE[api](got)
        heard = Heard()
        with got:
            for event in got:
                READ[api](heard, event)
        return heard


def _whole_message(message: Any) -> Heard:
    blocks = {block.type: block for block in message.content}
    text = blocks["text"].text if "text" in blocks else ""
    thought = blocks["thinking"].thinking if "thinking" in blocks else ""
    usage = message.usage.input_tokens, message.usage.output_tokens
    return Heard(text, message.stop_reason, thought, usage)


def _whole_chat(chat: Any) -> Heard:
    [choice] = chat.choices
    thought = (choice.message.model_extra or {}).get("reasoning_content", "")
    return Heard(choice.message.content, choice.finish_reason, thought, _tokens(chat.usage))


def _whole_completion(completion: Any) -> Heard:
    [choice] = completion.choices
    return Heard(choice.text, choice.finish_reason, "", _tokens(completion.usage))


def _whole_response(response: Any) -> Heard:
    summaries = (item.summary[0].text for item in response.output if item.type == "reasoning")
    usage = response.usage.input_tokens, response.usage.output_tokens
    return Heard(response.output_text, response.status, "".join(summaries), usage)


def _tokens(usage: Any) -> tuple[int, int] | None:
    return (usage.prompt_tokens, usage.completion_tokens) if usage else None


def _read_message(heard: Heard, event: Any) -> None:
    if event.type == "content_block_delta":
        heard.text += getattr(event.delta, "text", "")
        heard.reasoning += getattr(event.delta, "thinking", "")
        heard.chunks += event.delta.type == "text_delta"
    elif event.type == "message_delta":
        heard.why = event.delta.stop_reason
        heard.usage = event.usage.input_tokens, event.usage.output_tokens


def _read_chat(heard: Heard, chunk: Any) -> None:
    heard.usage = _tokens(chunk.usage) or heard.usage
    for choice in chunk.choices:
        heard.text += choice.delta.content or ""
        heard.reasoning += (choice.delta.model_extra or {}).get("reasoning_content", "")
        heard.chunks += bool(choice.delta.content)
        heard.why = choice.finish_reason


def _read_completion(heard: Heard, chunk: Any) -> None:
    heard.usage = _tokens(chunk.usage) or heard.usage
    for choice in chunk.choices:
        heard.text += choice.text
        heard.chunks += bool(choice.text)
        heard.why = choice.finish_reason


def _read_response(heard: Heard, event: Any) -> None:
    if event.type == "response.output_text.delta":
        heard.text += event.delta
        heard.chunks += 1
    elif event.type == "response.reasoning_summary_text.delta":
        heard.reasoning += event.delta
    elif event.type in ("response.completed", "response.incomplete"):
        heard.why = event.response.status
        heard.usage = event.response.usage.input_tokens, event.response.usage.output_tokens
    elif event.type in ("error", "response.failed"):
        heard.error = event.type


WHOLE = dict(
    zip(APIS, (_whole_message, _whole_chat, _whole_completion, _whole_response), strict=True)
)
READ = dict(zip(APIS, (_read_message, _read_chat, _read_completion, _read_response), strict=True))
