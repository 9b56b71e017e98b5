"""What the runs came to, as tables of at most 80 columns; and the bars."""

from collections.abc import Iterable, Iterator, Sequence

from blunder_files import SOUND
from playing import RETRACTED, Arm, Played

AT_LEAST, FRESH_AT_LEAST = 24, 11  # blunders that finish right
AT_MOST = 0.1  # of those that do with neither
ALARMS_AT_MOST = 1


def bars(
    known: Sequence[Played], fresh: Sequence[Played], alarms: Sequence[Played]
) -> list[tuple[str, bool]]:
    """What has to hold, in words, and whether it does."""
    provable = [one for one in known if one.case.is_provable]
    without = _of(provable, Arm.NEITHER)
    rate = sum(one.is_right for one in without) / len(without)
    right = sum(one.is_right for one in _of(provable, Arm.AS_BUILT))
    fresh_right = sum(one.is_right for one in _of(fresh, Arm.AS_BUILT) if not _is_sound(one))
    sound = [one for one in (*known, *fresh, *alarms) if _is_sound(one)]
    taken_back = sum(bool(one.reasons) for one in sound)
    return [
        (f"as built, at least {AT_LEAST} finish right", right >= AT_LEAST),
        (f"of the fresh set, at least {FRESH_AT_LEAST}", fresh_right >= FRESH_AT_LEAST),
        (f"with neither, at most {AT_MOST:.0%} finish right", rate <= AT_MOST),
        (f"at most {ALARMS_AT_MOST} sound run is taken back", taken_back <= ALARMS_AT_MOST),
        ("every sound run finishes right", all(one.is_right for one in sound)),
    ]


def table(title: str, played: Sequence[Played]) -> Iterator[str]:
    """Of one set."""
    yield from ("", title)
    if provable := [one for one in played if one.case.is_provable]:
        yield from _by_kind(provable)
    if others := [one for one in played if not one.case.is_provable and not _is_sound(one)]:
        yield f"  other blunders: {_share(others)} finish right (no bar)"
    yield from _alarms([one for one in played if _is_sound(one)])


def _by_kind(played: Sequence[Played]) -> Iterator[str]:
    yield f"  {'how many finish right':24}{'as built':>12}{'neither':>12}   steps taken back"
    for kind in (*sorted({one.case.kind for one in played}), "all"):
        runs = [one for one in played if kind in ("all", one.case.kind)]
        as_built, neither = _of(runs, Arm.AS_BUILT), _of(runs, Arm.NEITHER)
        back = sum(one.events.get(RETRACTED, 0) for one in as_built)
        yield f"  {kind:24}{_share(as_built):>12}{_share(neither):>12}   {back}"
    for one in _of(played, Arm.AS_BUILT):
        if not one.is_right:
            told = f"told at prompt {one.told_at}" if one.told_at else "never told"
            yield f"  not right: {one.case.name} ({told}, {one.stop})"


def _alarms(played: Sequence[Played]) -> Iterator[str]:
    back = sum(bool(one.reasons) for one in played)
    yield f"  sound runs: {_share(played)} finish right, {back} false alarms"
    for one in played:
        for reason in one.reasons:
            yield from (f"  taken back: {one.case.name}", f"    {reason}")
        if not one.is_right:
            yield f"  not right: {one.case.name} ({one.stop})"


def _is_sound(one: Played) -> bool:
    return one.case.kind == SOUND


def _of(played: Iterable[Played], arm: Arm) -> list[Played]:
    return [one for one in played if one.arm == arm]


def _share(runs: Sequence[Played]) -> str:
    return f"{sum(one.is_right for one in runs)} of {len(runs)}" if runs else ""
