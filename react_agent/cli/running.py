"""The options of every command that runs an agent, and what the edge hands in for them."""

from dataclasses import dataclass, replace

from react_agent.cli.options import (
    BaseUrl,
    Keep,
    Key,
    ModelName,
    Money,
    Network,
    Plain,
    Prepare,
    Sandbox,
    Seconds,
    Steps,
    Tokens,
    Window,
    budget,
    other_spec,
    spec_of,
)
from react_agent.cli.screen import Screen, console
from react_agent.edge import confined, surroundings
from react_agent.runs.commands import Surroundings


@dataclass(frozen=True, slots=True)
class Running:
    model: ModelName = None
    base_url: BaseUrl = None
    key: Key = None
    steps: Steps = None
    seconds: Seconds = None
    tokens: Tokens = None
    money: Money = None
    window: Window = None
    keep: Keep = False
    sandbox: Sandbox = None
    network: Network = False
    prepare: Prepare = None
    plain: Plain = False

    @property
    def budget(self) -> dict[str, str]:
        return budget(
            steps=self.steps,
            seconds=self.seconds,
            prompt_tokens=self.tokens,
            money=self.money,
            window=self.window,
        )

    @property
    def other_spec(self) -> str | None:
        """None where a run keeps the model that it has."""
        return other_spec(self.model, self.base_url, self.key)

    def spec(self, around: Surroundings) -> str:
        return spec_of(self.model or around.settings.model, self.base_url, self.key)

    def watched(self) -> tuple[Screen, Surroundings]:
        """The screen, and what the edge hands in."""
        screen = Screen(console(plain=self.plain))
        around = surroundings(screen.tell, screen.entry)
        around = confined(around, self.sandbox, self.network, self.prepare)
        return screen, replace(around, within=(screen.within,))
