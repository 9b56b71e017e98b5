"""A turn that had to be mended, as if nothing were: for comparison."""

from react_agent.parsers.turn.turn import Kind, Turn


def to_the_letter(turn: Turn) -> Turn:
    """What was imagined behind it may be cut, as a server's stop sequence would."""
    is_cut = turn.fabricated and len(turn.repairs) == 1
    if not turn.repairs or is_cut:
        return turn
    problem = f"it is not in the format ({'; '.join(turn.repairs)})"
    return Turn(
        Kind.MALFORMED,
        turn.thought,
        fabricated=turn.fabricated,
        truncated=turn.truncated,
        problem=problem,
    )
