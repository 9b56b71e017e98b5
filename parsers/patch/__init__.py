"""A patch as a model wrote it -> one that applies, and in words what was mended.

    done = repair(text, {"src/x.py": "one\\n"})     any mapping from paths to texts
    Repaired: done.patch, done.results, done.repairs, done.roles
    Refused:  done.reasons, done.roles

Texts are decoded with surrogateescape, the ends of their lines are as they are.
"""

from react_agent.parsers.patch.repair import Refused, Repaired, repair

__all__ = ["Refused", "Repaired", "repair"]
