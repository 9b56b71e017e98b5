"""Vectors of passages, kept beside their words; a file that is made again is without them."""

from collections.abc import Mapping

from react_agent.memory.store import Memory


def vectors_kept(memory: Memory, model: str, oldest: int) -> dict[int, bytes]:
    """Those of passages from that number on."""
    words = "SELECT passage, vector FROM meaning WHERE model = ? AND passage >= ?"
    return memory.tried(lambda: dict(memory.database.execute(words, (model, oldest)).fetchall()))


def keep_vectors(memory: Memory, model: str, vectors: Mapping[int, bytes]) -> None:
    rows = [(model, passage, vector) for passage, vector in vectors.items()]

    def keep() -> None:
        memory.database.execute("SAVEPOINT meaning")  # within what is not committed, or alone
        memory.database.executemany("INSERT OR REPLACE INTO meaning VALUES (?, ?, ?)", rows)
        memory.database.execute("RELEASE meaning")

    memory.tried(keep)
