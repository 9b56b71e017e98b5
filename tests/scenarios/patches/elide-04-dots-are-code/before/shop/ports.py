from typing import Protocol


class Source(Protocol):
    def open(self) -> None:
        ...

    def read(self) -> str:
        ...


class Sink(Protocol):
    def write(self, text: str) -> None:
        ...
