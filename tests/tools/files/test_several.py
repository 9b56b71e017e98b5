from check_rows import table_of

from react_agent.tools.observation import Observation, Status, failed, joined, room_for, shares


def test_one_answer_makes_the_whole_worth_reading() -> None:
    shown = [failed("no"), Observation("a", paths=("x", "y")), Observation("b", paths=("x",))]
    assert joined(shown) == Observation("no\n\na\n\nb", Status.OK, ("x", "y"))


@table_of(
    ("needs", "room", "expected"),
    [
        ([10, 20], 100, [10, 20]),
        ([90, 10], 60, [50, 10]),
        ([90, 10, 80], 110, [50, 10, 50]),
        ([90], 50, [50]),
        ([], 50, []),
    ],
)
def test_who_needs_little_hands_the_rest_on(
    needs: list[int], room: int, expected: list[int]
) -> None:
    assert shares(needs, room) == expected


def test_what_stands_between_takes_room_too() -> None:
    texts = ["a" * 10, "b" * 10]
    room = room_for(2, 100)
    whole = joined([Observation(text + "c" * ((room - 20) // 2)) for text in texts])
    assert len(whole.text) == 100 - room % 2
