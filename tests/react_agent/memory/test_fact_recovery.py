"""Facts that stand far back in long runs are found again: asked for, and without being asked."""

from collections import Counter
from collections.abc import Iterable, Iterator

import pytest
from held_out import HELD_OUT, HELD_OUT_DECOYS
from made_runs import Made, made_run
from planted import Fact

from react_agent.memory.index import Memory
from react_agent.memory.recall import reminders
from react_agent.memory.search import search

RUNS = 30  # all of them in a tenth too: a rate of three runs is chance
OTHERS = 5000  # seeds of the held-out runs begin so much later
FOUND, REMINDED = 0.95, 0.80
OTHERS_REMINDED = 0.75  # a comment has no symbol, and some Thoughts share no word with the line
ALL = "all"
OF_A_KIND = 0.75  # that none of the kinds is left out
TOP = 3
LINES = 4  # of a reminder


def _is_found(memory: Memory, made: Made, fact: Fact, words: str) -> bool:
    """The line itself, and not only the step."""
    hits = search(memory, words, {len(made.state.steps)}).found[:TOP]
    texts = [text for hit in hits if hit.step == made.planted[fact] for _, text in hit.lines]
    return any(fact.text.strip() in text for text in texts)


def _is_reminded(memory: Memory, made: Made, fact: Fact, thought: str) -> bool:
    told = reminders(memory, thought, {len(made.state.steps)}, LINES)
    assert len(told) <= LINES
    return any(fact.text.strip() in line for line in told)


def _held_out(seeds: range) -> Iterator[Made]:
    return (made_run(seed, HELD_OUT, HELD_OUT_DECOYS) for seed in seeds)


def _asked(runs: Iterable[Made]) -> Iterator[tuple[str, bool]]:
    for made in runs:
        memory = made.memory
        for fact in made.planted:
            for words in fact.asked:
                yield fact.kind, _is_found(memory, made, fact, words)


def _named(runs: Iterable[Made]) -> Iterator[tuple[str, bool]]:
    for made in runs:
        memory = made.memory
        for fact in made.planted:
            of_symbol = f"I need to look at {fact.symbol} again before I change anything."
            of_file = f"Next I change {fact.file}: {fact.topic}."
            for name, thought in (("symbol", of_symbol), ("file", of_file)):
                yield f"{fact.kind} by its {name}", _is_reminded(memory, made, fact, thought)


def _rates(answers: Iterator[tuple[str, bool]]) -> dict[str, float]:
    """Of all, and of each kind; they are printed for whoever looks."""
    good, every = Counter[str](), Counter[str]()
    for kind, is_good in answers:
        good.update({kind: is_good, ALL: is_good})
        every.update((kind, ALL))
    rates = {kind: good[kind] / count for kind, count in every.items()}
    print("\n".join(f"{kind}: {good[kind]} of {every[kind]}" for kind in every))
    return rates


def _holds(rates: dict[str, float], least: float) -> bool:
    return rates[ALL] >= least and min(rates.values()) >= OF_A_KIND


def test_what_is_asked_for_or_named_is_among_the_first() -> None:
    runs = list(map(made_run, range(2)))
    assert _holds(_rates(_asked(runs)), FOUND)
    assert _holds(_rates(_named(runs)), REMINDED)


@pytest.mark.long
def test_that_holds_for_thirty_runs(long_seed: int) -> None:
    seeds = range(long_seed, long_seed + RUNS)
    assert _holds(_rates(_asked(map(made_run, seeds))), FOUND)
    assert _holds(_rates(_named(map(made_run, seeds))), REMINDED)


@pytest.mark.long
def test_that_holds_for_facts_of_other_kinds(long_seed: int) -> None:
    seeds = range(long_seed + OTHERS, long_seed + OTHERS + RUNS)
    assert _holds(_rates(_asked(_held_out(seeds))), FOUND)
    assert _rates(_named(_held_out(seeds)))[ALL] >= OTHERS_REMINDED


def test_a_thought_that_names_nothing_brings_nothing() -> None:
    thought = "Now I run the tests again, and then I look at the default settings and the error."
    assert reminders(made_run(1).memory, thought, set(), LINES) == []


def test_what_stands_above_is_not_brought_again() -> None:
    made = made_run(1)
    memory = made.memory
    every = set(range(1, len(made.state.steps) + 1))
    for fact in made.planted:
        assert reminders(memory, f"Look at {fact.file} and {fact.symbol}", every, LINES) == []
