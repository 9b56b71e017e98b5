r"""Turn a patch as a model wrote it into one that applies, and say what was repaired.

    done = repair(text, {"src/x.py": "one\n"})     any mapping from paths to texts
    Repaired: done.patch, done.results, done.repairs, done.roles
    Refused:  done.reasons, done.roles

Texts are decoded with surrogateescape, and line ends stay as they are.
"""

from react_agent.parsers.patch.repair import Refused, Repaired, repair

__all__ = ["Refused", "Repaired", "repair"]
