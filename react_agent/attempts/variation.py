"""What makes one attempt another than the last: how the model is asked, or where it begins."""

from dataclasses import dataclass

_FIRST_HEAT, _MORE_HEAT, _MOST_HEAT = 0.4, 0.3, 1.0
_BEGINNINGS = (
    "begin with a test or a command that shows what the issue describes, then look for its cause",
    "before you change anything, name two places that could be the cause, and rule one of them out",
    "begin with the tests there are for what the issue speaks of, and with what they leave out",
    "follow what the issue describes from where it enters the program, step by step, to its cause",
    "look how the same is done elsewhere in this repository, and make the change like that",
)


@dataclass(frozen=True, slots=True)
class Variation:
    number: int
    spec: str  # of the model
    hint: str = ""  # for the first prompt

    @property
    def said(self) -> str:
        """In a few words, for a person."""
        settings = self.spec.partition(" temperature=")
        heat = f"temperature {settings[2].split()[0]}" if settings[1] else ""
        return heat or (f"hint: {self.hint}" if self.hint else "as it is")


def variation(number: int, spec: str, *, takes_temperature: bool) -> Variation:
    """The first attempt is the plain run. Where no temperature is taken, the beginning differs."""
    if number == 1:
        return Variation(number, spec)
    if takes_temperature and "=" not in spec.rpartition(" key=")[2].partition(" ")[2]:
        heat = min(_FIRST_HEAT + _MORE_HEAT * (number - 2), _MOST_HEAT)
        return Variation(number, f"{spec} temperature={heat:g} seed={number}")
    return Variation(number, spec, _BEGINNINGS[(number - 2) % len(_BEGINNINGS)])
