"""A procedure: states in which roles take turns, and the ways from one state to the next."""

from dataclasses import dataclass
from enum import StrEnum

END = "end_state"


class Sharing(StrEnum):
    """Of what was said, how much a role gets to see."""

    COOPERATIVE = "cooperative"  # all of it
    COMPETITIVE = "competitive"  # what was said since its state was entered


class Controller(StrEnum):
    """Who speaks next."""

    ORDER = "order"
    RANDOM = "random"
    RULE = "rule"  # the model says it


@dataclass(frozen=True, slots=True)
class Role:
    key: str  # what the file calls it
    name: str  # what it is called in what is said
    task: str = ""
    rules: tuple[str, ...] = ()
    style: str = ""
    demonstrations: tuple[str, ...] = ()
    last: str = ""  # stands at the end of each prompt
    tools: tuple[str, ...] = ()  # none: those of the profile
    steps: int | None = None  # of one turn, at most
    model: str = ""  # none: that of the run

    @property
    def says_nothing(self) -> bool:
        return self == Role(self.key, self.name)


@dataclass(frozen=True, slots=True)
class Phase:
    """A state of the procedure."""

    name: str
    roles: tuple[Role, ...]
    next: tuple[str, ...]  # by the number that a judge answers; the last one is the way out
    environment: str = ""
    begin_role: str = ""  # none: the first
    begin_query: str = ""  # what it says at first, without a model
    controller: Controller = Controller.ORDER
    choose: str = ""  # told to the model that says who is next
    maximum_turns: int = 20
    judge: str = ""
    summary_prompt: str = ""

    @property
    def first_role(self) -> str:
        return self.begin_role or self.roles[0].key

    def role(self, key: str) -> Role | None:
        return next((role for role in self.roles if role.key == key), None)


@dataclass(frozen=True, slots=True)
class Procedure:
    name: str
    phases: tuple[Phase, ...]
    profile: str = ""  # none: the one of the settings
    sharing: Sharing = Sharing.COOPERATIVE
    summary_every: int = 8  # entries; 0: never
    relevant_history: int = 3  # earlier entries that a prompt shows; 0: none
    shows_demonstrations: bool = False

    def phase(self, name: str) -> Phase | None:
        return next((phase for phase in self.phases if phase.name == name), None)

    @property
    def only_phase(self) -> Phase | None:
        """Where one role takes one turn and that is all: a run like any other."""
        first = self.phases[0]
        is_only = len(self.phases) == len(first.roles) == 1 and first.next == (END,)
        return first if is_only and not first.begin_query else None

    @property
    def names(self) -> frozenset[str]:
        """Of all who may speak."""
        roles = [role for phase in self.phases for role in phase.roles]
        return frozenset(name for role in roles for name in (role.key, role.name))
