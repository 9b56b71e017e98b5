"""The line editor for conversations, with history, multi-line input and completion."""

from collections.abc import Callable, Iterable, Iterator

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

Words = Callable[[str], Iterable[str]]  # that may follow the text before the cursor


def editor(earlier: Iterable[str], words: Words) -> Callable[[str], str]:
    """Return a function that asks for a text and starts with the text that is typed already."""
    session = PromptSession[str](
        history=InMemoryHistory(list(earlier)),
        completer=_Words(words),
        complete_while_typing=False,
        multiline=True,
        key_bindings=_keys(),
    )
    return lambda typed: session.prompt("> ", default=typed, prompt_continuation="  ")


class _Words(Completer):
    def __init__(self, words: Words) -> None:
        self.words = words

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterator[Completion]:
        before = document.text_before_cursor
        begun = before.split(" ")[-1].split("\n")[-1]
        for word in self.words(before):
            if word.startswith(begun):
                yield Completion(word, -len(begun))


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter")
    def say(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @keys.add("escape", "enter")
    @keys.add("c-j")
    def break_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return keys
