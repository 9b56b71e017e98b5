"""tests/scenarios/turns: replies of models and text of the world, a table a rule."""

from dataclasses import dataclass
from pathlib import Path

from scenario_table import Row, ScenarioError, parse_table

from react_agent.parsers.transcript.labels import DEFAULT, Dialect, Label, dialect
from react_agent.parsers.turn.turn import Kind, Turn, parse_turn

FOLDER = Path(__file__).parents[1] / "scenarios" / "turns"
WORDS = "why|refuses|tools|no-argument|ended|dialect|again|turn|action|problem|fabricated|truncated"
TEXTS = "reply|thought|input|conclusion|repairs|world|quoted"
KINDS = "expected `reply` and `turn`, or `world` and `quoted`"


def _dialect(*words: str) -> Dialect:
    return dialect(dict(zip(Label, words, strict=True)))


def gist(turn: Turn) -> tuple[str, ...]:
    return turn.kind, turn.thought, turn.action, turn.input, turn.conclusion


DIALECTS = {
    "english": DEFAULT,
    "chinese": dialect(
        dict(zip(Label, ("目标", "思考", "操作", "操作输入", "观察", "最终答案"), strict=True)),
        also={"行动": Label.ACTION, "行动输入": Label.INPUT, **DEFAULT.read},
    ),
    "german": _dialect("Ziel", "Gedanke", "Aktion", "Aktionseingabe", "Beobachtung", "Schluß"),
    "russian": _dialect("Цель", "Мысль", "Действие", "Ввод действия", "Наблюдение", "Вывод"),
    "japanese": _dialect("目的", "思考", "行動", "行動入力", "観察", "結論"),
    "french": _dialect("But", "Idée", "Action", "Entrée de l'action", "Observation", "Conclusion"),
}


@dataclass(frozen=True, slots=True)
class Case:
    row: Row

    @property
    def name(self) -> str:
        return self.row.name

    @property
    def expected(self) -> Turn:
        row = self.row
        return Turn(
            Kind(row.words("turn")),
            row.text("thought"),
            row.words("action"),
            row.text("input"),
            row.text("conclusion"),
            row.lines("repairs"),
            fabricated=row.words("fabricated") == "yes",
            truncated=row.words("truncated") == "yes",
            problem=row.text("problem"),
        )

    @property
    def spoken(self) -> Dialect:
        return DIALECTS[self.row.words("dialect") or "english"]

    @property
    def ended(self) -> str | None:
        return self.row.words("ended") or None

    def read(self, text: str, *, spoken: Dialect, ended: str | None = None) -> Turn:
        tools = self.row.words("tools").split()
        return parse_turn(
            text,
            dialect=spoken,
            tools=tools if "tools" in self.row.fields else None,
            no_argument_tools=self.row.words("no-argument").split(),
            why=ended,
        )

    @property
    def turn(self) -> Turn:
        return self.read(self.row.text("reply"), spoken=self.spoken, ended=self.ended)

    @property
    def is_refusal(self) -> bool:
        return "refuses" in self.row.fields or self.row.words("turn") == Kind.MALFORMED


def parse_cases(name: str, text: str) -> list[Case]:
    rows = parse_table(name, text, words=WORDS, texts=TEXTS)
    for row in rows:
        kinds = {"reply", "turn", "world", "quoted"} & row.fields.keys()
        if kinds not in ({"reply", "turn"}, {"world", "quoted"}):
            raise ScenarioError(f"{row.at}: {KINDS}")
        if "why" not in row.fields:
            raise ScenarioError(f"{row.at}: no `why`")
        if row.words("dialect") not in ("", *DIALECTS):
            raise ScenarioError(f"{row.at}: no such dialect")
    return [Case(row) for row in rows]


FILES = sorted(FOLDER.glob("*.txt"))
