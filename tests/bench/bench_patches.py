"""What tools make of damaged patches: right, refused, or accepted and wrong.

Real files of the standard library, true edits, and the defects of recorded patches of models, each
as often as there. git and patch get the last fenced part without its fence, ours all.
"""

import os
import sys
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "damage"))

from appliers import GIT, PATCH, RECOUNT, Applier, Tree, by_command, ours, unfenced
from beside import judge, share
from cases import Case, as_recorded, case

CASES = 5000
SEED = os.environ.get("LONG_SEED", "0")
MOST_WRONG = 1000  # one in so many
OURS = "ours"
TOOLS: Mapping[str, Applier] = {
    OURS: ours,
    "git apply": by_command(*GIT),
    "git apply --recount --ignore-whitespace": by_command(*RECOUNT),
    "patch --fuzz=5": by_command(*PATCH),
}
SHOW = os.environ.get("SHOW_WRONG")


def main() -> int:
    count = share(CASES)
    found = {name: Counter[str]() for name in TOOLS}
    told = 0
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for one, verdicts in threads.map(_judged, range(count)):
            told += one.is_told
            for name, verdict in verdicts.items():
                found[name][verdict] += 1
    return _show_tools(found, count, told)


def _judged(n: int) -> tuple[Case, Mapping[str, str]]:
    seed = f"bench {SEED}-{n}"
    one = case(seed, as_recorded(seed), of_library=1.0)
    verdicts = {name: _verdict(name, apply, one) for name, apply in TOOLS.items()}
    if SHOW and verdicts[OURS] == SHOW:
        print(f"{one.shown(ours(one.patch, one.before))}\n{'=' * 99}")
    return one, verdicts


def _verdict(name: str, apply: Applier, one: Case) -> str:
    patch = unfenced(one.patch) if name != OURS else one.patch
    after: Tree | None = apply(patch, one.before)
    if after is None:
        return "refused"
    return "right" if after == one.after else "wrong"


def _show_tools(found: Mapping[str, Counter[str]], count: int, told: int) -> int:
    print(f"{count} damaged patches, seed {SEED}; of {told} the edit can be told")
    print(f"  {'':40}{'right':>10}{'refused':>10}{'wrong':>10}")
    for name, verdicts in found.items():
        cells = "".join(f"{verdicts[each] / count:10.1%}" for each in ("right", "refused"))
        print(f"  {name:40}{cells}{verdicts['wrong']:10}")
    others = max(each["right"] for name, each in found.items() if name != OURS)
    wrong = found[OURS]["wrong"]
    met = found[OURS]["right"] > others and wrong <= max(1, count / MOST_WRONG)
    return judge(met, f"more right than any, wrong one in {MOST_WRONG} at most")


if __name__ == "__main__":
    sys.exit(main())
