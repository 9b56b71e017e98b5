r"""Turn a patch that a model wrote into one that applies, and report what was repaired.

    done = repair(text, {"src/x.py": "one\n"})     any mapping from paths to texts
    Repaired: done.patch, done.results, done.repairs
    Refused:  done.reasons

Texts must be decoded with surrogateescape, and line ends are kept.
"""

from react_agent.parsers.patch.changes import Refused, Repaired
from react_agent.parsers.patch.repair import repair

__all__ = ["Refused", "Repaired", "repair"]
