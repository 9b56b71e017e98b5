"""What the runs came to, as tables of at most 80 columns; and the bars."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from blunder_files import SOUND
from playing import RETRACTED, Arm, Played

AS_BUILT, NEITHER = Arm(), Arm(backtracks=False, widens=False)
ARMS = (AS_BUILT, Arm(widens=False), Arm(backtracks=False), NEITHER)
WITH_A_CRITIC = Arm(has_critic=True)
AT_LEAST, FRESH_AT_LEAST = 24, 11  # blunders that finish right
AT_MOST = 0.1  # of those that do with neither
ALARMS_AT_MOST = 1
_COUNTED = ("hint", "demote", RETRACTED, "asked")


def bars(
    known: Sequence[Played], fresh: Sequence[Played], alarms: Sequence[Played]
) -> list[tuple[str, bool]]:
    """What has to hold, in words, and whether it does."""
    provable = [one for one in known if one.case.is_provable]
    without = _of(provable, NEITHER)
    right = sum(one.is_right for one in _of(provable, AS_BUILT))
    fresh_right = sum(one.is_right for one in _of(fresh, AS_BUILT) if not _is_sound(one))
    sound = [one for one in (*known, *fresh, *alarms) if _is_sound(one)]
    taken_back = sum(bool(one.reasons) for one in sound)
    return [
        (f"as built, at least {AT_LEAST} finish right", right >= AT_LEAST),
        (f"of the fresh set, at least {FRESH_AT_LEAST}", fresh_right >= FRESH_AT_LEAST),
        (f"with neither, at most {AT_MOST:.0%} finish right", _rate(without) <= AT_MOST),
        (f"at most {ALARMS_AT_MOST} sound run is taken back", taken_back <= ALARMS_AT_MOST),
        ("every sound run finishes right", all(one.is_right for one in sound)),
    ]


def of_the_fresh(played: Sequence[Played]) -> Iterator[str]:
    """By itself: what to expect of a run that nobody had in mind."""
    alarms = [one for one in played if _is_sound(one)]
    provable = [one for one in played if not _is_sound(one)]
    yield from ("", "The fresh set, of which those who write the backtracker have read nothing", "")
    yield from _two_by_two(provable)
    yield from _by_kind(provable)
    yield from _alarms(alarms)
    back = sum(bool(one.reasons) for one in alarms)
    yield f"  {_share(_of(provable, AS_BUILT))} finish right; {back} of {len(alarms)} false alarms"


def of_the_alarms(played: Sequence[Played]) -> Iterator[str]:
    back = [one for one in played if one.reasons]
    yield from ("", "Sound runs that were taken back when they were written: bugs, without a bar")
    yield f"  still taken back: {len(back)} of {len(played)}"
    yield from (f"    {one.case.name}" for one in back)


def everything(played: Sequence[Played]) -> Iterator[str]:
    provable = [one for one in played if one.case.is_provable]
    yield from _two_by_two(provable)
    yield from _by_kind(provable)
    yield from _ladder([one for one in played if not one.case.is_provable and not _is_sound(one)])
    yield from _alarms([one for one in played if _is_sound(one)])


def _two_by_two(played: Sequence[Played]) -> Iterator[str]:
    yield "Blunders that a check can prove: how many finish right"
    yield f"  {'backtracker':13}{'searches widen':15}{'all':>12}{'held out':>12}{'told':>12}"
    for arm in ARMS:
        runs = _of(played, arm)
        if runs:
            told = sum(bool(one.told_at) for one in runs)
            held_out = [one for one in runs if one.case.held_out]
            yield (
                f"  {_switch(arm.backtracks):13}{_switch(arm.widens):15}"
                f"{_share(runs):>12}{_share(held_out):>12}{f'{told} of {len(runs)}':>12}"
            )


def _by_kind(played: Sequence[Played]) -> Iterator[str]:
    yield ""
    yield f"  {'kind':24}{'as built':>12}{'neither':>12}   steps taken back, as built"
    for kind in sorted({one.case.kind for one in played}):
        runs = [one for one in played if one.case.kind == kind]
        as_built = _of(runs, AS_BUILT)
        back = sum(one.events.get(RETRACTED, 0) for one in as_built)
        yield f"  {kind:24}{_share(as_built):>12}{_share(_of(runs, NEITHER)):>12}   {back}"
    for one in _of(played, AS_BUILT):
        if not one.is_right:
            told = f"told at prompt {one.told_at}" if one.told_at else "never told"
            yield f"  not right: {one.case.name} ({told}, {one.stop})"


def _ladder(played: Sequence[Played]) -> Iterator[str]:
    yield ""
    yield "Other blunders: what was done about them (no bar)"
    heads = "".join(f"{name:>8}" for name in ("hints", "rests", "back", "asked"))
    yield f"  {'kind':35}{'critic':6}{heads}  end"
    for one in played:
        counts = "".join(f"{one.events.get(name, 0):>8}" for name in _COUNTED)
        end = "right" if one.is_right else str(one.stop)
        critic = "good" if one.arm.has_critic else "none"
        yield f"  {one.case.kind[:34]:35}{critic:6}{counts}  {end}"
    for arm, said in ((AS_BUILT, "no critic that knows"), (WITH_A_CRITIC, "a critic that knows")):
        yield f"  finish right with {said}: {_share(_of(played, arm))}"


def _alarms(played: Sequence[Played]) -> Iterator[str]:
    yield ""
    yield "Sound runs: false alarms"
    yield f"  {'':12}{'runs':>8}{'right':>8}{'hints':>8}{'rests':>8}{'asked':>8}{'back':>8}"
    held_out = [one for one in played if one.case.held_out]
    for said, runs in (("all", played), *((("held out", held_out),) if held_out else ())):
        events = sum((Counter(one.events) for one in runs), Counter[str]())
        right = sum(one.is_right for one in runs)
        yield (
            f"  {said:12}{len(runs):>8}{right:>8}{events['hint']:>8}{events['demote']:>8}"
            f"{events['asked']:>8}{events[RETRACTED]:>8}"
        )
    for one in played:
        for reason in one.reasons:
            yield from (f"  taken back: {one.case.name}", f"    {reason}")
        if not one.is_right:
            yield f"  not right: {one.case.name} ({one.stop})"


def _is_sound(one: Played) -> bool:
    return one.case.kind == SOUND


def _of(played: Iterable[Played], arm: Arm) -> list[Played]:
    return [one for one in played if one.arm == arm]


def _rate(runs: Sequence[Played]) -> float:
    return sum(one.is_right for one in runs) / len(runs)


def _share(runs: Sequence[Played]) -> str:
    return f"{sum(one.is_right for one in runs)} of {len(runs)}" if runs else ""


def _switch(is_on: bool) -> str:
    return "on" if is_on else "off"
