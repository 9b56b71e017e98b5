"""What readers make of texts: tests/scenarios/readers, a table a subject."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from check_rows import EachRow
from reader_rows import FOLDER, read_rows

from react_agent import tools
from react_agent.parsers.answers import labelled, speech
from react_agent.parsers.claims import claims, definitions, spelling
from react_agent.parsers.edits.edits import Edits, Replacement, parse_file_text, replaced
from react_agent.parsers.forge import remote, safe_markdown
from react_agent.parsers.issue import clues, examples, reference, title
from react_agent.parsers.issue.places import PathEnds
from react_agent.parsers.patch import Refused, Repaired, repair
from react_agent.parsers.patch.changes import FileChange, Named, Reading
from react_agent.parsers.patch.placing.placing import Placement
from react_agent.parsers.patch.reading.blocks import read_blocks
from react_agent.parsers.patch.reading.reader import read_changes
from react_agent.parsers.patch.reading.v4a import read_v4a
from react_agent.parsers.patch.source import Splice, source_of
from react_agent.parsers.patch.write import written
from react_agent.parsers.plan import plan, requests
from react_agent.parsers.repo import file_roles, git_diff, globs, outline, similarity
from react_agent.parsers.servers import http_answers, rewriting
from react_agent.parsers.settings import front_matter, hidden, procedure, profile_text
from react_agent.parsers.shell import line, lookups, tool_aliases
from react_agent.parsers.testing import commands as test_commands
from react_agent.parsers.testing import log, repository, selection
from react_agent.parsers.testing.commands import Runner
from react_agent.parsers.text import (
    counted,
    fence,
    gist,
    html_text,
    json_rows,
    names,
    printed,
    textbook,
    tokens,
)
from react_agent.parsers.text.late_pattern import TimedPattern
from react_agent.parsers.transcript import facts, hook_files, labels, quoting, reader
from react_agent.parsers.turn import other_formats, reply, stop, tool_name, turn
from react_agent.parsers.values import arguments, commands, damaged_json, schema, searches, targets
from react_agent.parsers.values.arguments import Argument, Unreadable, texts

PATTERNS = (
    *(("git", "push"), ("vim",), ("python", "$"), ("bash", "$")),
    *(("git", "log", "--all"), ("pip", "install"), ("git", "clean", "-f")),
)
PATHS, WORDS = Argument({"path", ""}, texts, begins=True), Argument({"words", "path"}, texts)
TABLE = (PATHS, WORDS, *arguments.OF_LINES)
FOLDERS = {"src", "src/", "src/x.py", "docs", "README.md", "."}
EDITED = {"src/x.py": "old\n", "fix": "old\n", "CHANGES": "one old\n", "src/CHANGES": "old\n"}
EDITED["two"] = "old\nold\n"
LETTERS = {"x.py": "".join(f"{letter}\n" for letter in "pqrstuabcdef")}
ENDS = PathEnds(["src/a/x.py", "src/b/x.py", "x.py", "setup.cfg", "lib/a/y.py"])
KNOWN = {"Account": "bank.account", "half": "bank", "wrap": "src.text"}
CALLED = {"grep", "run", "read_file", "list_files", "write_file"}
FACTS = Path(tools.__path__[0], "facts.txt").read_text(encoding="utf-8")
SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "words\n of it"},
        "maxResults": {"type": "integer"},
        "exact": {"type": "boolean"},
        "state": {"anyOf": [{"enum": ["open", "closed"]}, {"type": "null"}]},
        "labels": {"type": ["array", "null"], "items": {"type": "string"}},
        "near": {"$ref": "#/$defs/Point"},
        "anything": True,
    },
    "required": ["query"],
    "$defs": {"Point": {"type": "object", "properties": {"x": {"type": "number"}}}},
}
SOURCE = """\
I look for parse_date in src/dates.py, lines 40 to 44.
class DateParser: raise ValueError("bad date 2024-13-01") # sha256, e.g. and or
tests/test_dates.py::test_leap failed; `git log --oneline`; version 3.12; update.py
"""


def _decided(done: Repaired | Refused) -> object:
    """The new texts and what was repaired; or the first lines of why not."""
    if isinstance(done, Refused):
        return tuple(reason.split("\n")[0] for reason in done.reasons)
    return ({result.new: result.text for result in done.results}, *done.repairs)


def _replaced(content: str, old: str, new: str, **how: bool) -> object:
    return _decided(replaced([Replacement("f", old, new, **how)], {"f": content}))


def _hunks(reading: Reading) -> list[list[str]]:
    return [list(map("".join, hunk.lines)) for one in reading.changes for hunk in one.hunks]


def _roles(reading: Reading) -> str:
    return "".join(role[0] for role in reading.roles)


def _requests(text: str) -> object:
    found = arguments.read_arguments(text, TABLE, "HINT")
    if isinstance(found, Unreadable):
        return found
    return [(each.all(PATHS), each.all(WORDS), each.left_out) for each in found]


def _span(lines: str) -> object:
    found = arguments.read_arguments(f'{{"path": "a", {lines}}}', TABLE)
    return found if isinstance(found, Unreadable) else arguments.span_of(found[0])


def _call(text: str, offered: set[str] | None = CALLED) -> object:
    try:
        return other_formats.find_call(text, offered)
    except other_formats.NoCall as error:
        return error.form, error.reason, error.truncated


def _plan() -> plan.Plan:
    made = plan.new_plan("do it").with_subtasks("0", [plan.Draft("first"), plan.Draft("second")])
    assert isinstance(made, plan.Plan)
    return made


def _told(came: requests.Replanned | Unreadable) -> str:
    return came.reason if isinstance(came, Unreadable) else came.text


def _scanned(text: str) -> tuple[str, bool]:
    scanner = stop.StopScanner()
    return "".join(map(scanner.feed, text)) + scanner.finish(), scanner.stopped


def _open_and_acted(text: str) -> tuple[bool, bool]:
    scanner = stop.StopScanner()
    scanner.feed(text)
    return scanner.is_open, scanner.has_acted


def _remote(text: str) -> object:
    found = remote.read_remote_url(text)
    return found and (found, found.url, found.forge_host)


def _nearest_fact(question: str) -> str | None:
    found = textbook.nearest(question, textbook.read_fact_file(FACTS))
    return found[0].title if found else None


def _reply(text: str) -> reply.Reply:
    read = reply.Reply()
    read.take_all(text.split("\n"))
    return read


def _reasoned_and_said(text: str) -> tuple[dict[str, str], ...]:
    parts = (_reply(text).reasoned, _reply(text).said)
    return tuple(
        {str(at): one.text for at, one in part.fields.items()} if part else {} for part in parts
    )


def _job(words: str) -> hook_files.Job:
    return hook_files.Job("k", "post-commit", hook_files.Kind.FILE, words, "0a" * 20, "/")


def _values(found: front_matter.FrontMatter, known: Sequence[str]) -> object:
    return found.values(*known), found.value(*known)


def _written_hunks(text: str, splices: Sequence[Sequence[Any]], newline: bool) -> str:
    meant = Named(FileChange(1, "x", "x"), "x", "x")
    placement = Placement([Splice(*one) for one in splices], newline)
    return written([(meant, source_of(text), placement)])[0]


def _those(role: Callable[[str], bool]) -> Callable[[str], list[str]]:
    return lambda paths: list(filter(role, paths.split()))


FUNCTIONS: dict[str, Callable[..., object]] = {
    "added_to_plan": lambda text: _told(requests.added(_plan(), text)),
    "alike": lambda path: (ENDS.alike(path), ENDS.named(path)),
    "all_replaced": lambda content, old: _replaced(content, old, "x", whole_lines=False, all=True),
    "alone": lambda pattern: list(spelling.alone(pattern)),
    "any_log": lambda text: log.read_log(text, Runner.OTHER),
    "are_better": examples.are_better,
    "as_code": lambda text: tool_aliases.meant(hidden.HiddenKind.CODE, "python", text),
    "as_command": lambda *given: tool_aliases.meant(hidden.HiddenKind.COMMAND, *given),
    "as_editor": lambda text: tool_aliases.meant(hidden.HiddenKind.EDITOR, "edit", text),
    "as_notes": rewriting.as_notes,
    "as_shell": lambda text: tool_aliases.meant(hidden.HiddenKind.SHELL, "bash", text),
    "background_numbers": commands.background_numbers,
    "backoff": http_answers.backoff,
    "bare": gist.bare,
    "calculated": lambda text: textbook.written(textbook.calculated(text)),
    "call_in": _call,
    "call_of": _call,
    "checked_edit": commands.checked_edit,
    "claims": claims.claims,
    "closes_four": lambda text: fence.Fence("`", 4).is_closed_by(text),
    "closing": damaged_json.closing,
    "clues_of": clues.clues_of,
    "code": safe_markdown.code,
    "commands_of": lambda text: [" ".join(one.words) for one in line.commands(text)],
    "counted": counted.counted,
    "defined_as": definitions.defined_as,
    "depth": lambda text: _reply(text).depth,
    "differ_by_noise": lambda *both: len(set(map(printed.without_noise, both))) == 1,
    "edited": lambda text: _decided(Edits(EDITED, "write an edit", ("/w", "/real/w")).edited(text)),
    "ends_of": ENDS.of,
    "escape": quoting.escape,
    "estimate_tokens": tokens.estimate_tokens,
    "examples": lambda issue: list(examples.examples_of(issue, KNOWN)),
    "fact_file": lambda text: [(one.titles, one.text) for one in textbook.read_fact_file(text)],
    "fed": lambda *pieces: list(map(stop.StopScanner().feed, pieces)),
    "fenced": safe_markdown.fenced,
    "file_text": lambda text: parse_file_text(text, "HINT"),
    "filled": hidden.filled,
    "first_barred": lambda text: line.first_barred(text, PATTERNS),
    "folded": tool_name.folded,
    "found_at": lambda source, text: TimedPattern(source).find(text, 1),
    "found_in_any_case": lambda source, text: TimedPattern(source, ignore_case=True).find(text, 1),
    "from_notes": rewriting.from_notes,
    "front_values": lambda text, *known: _values(front_matter.read_front_matter(text), known),
    "generous": labels.generous,
    "gives_up": labelled.gives_up,
    "go_log": lambda text: log.read_log(text, Runner.GO),
    "has_usual_tokens": lambda text: 2.7 <= len(text) / tokens.estimate_tokens(text) <= 4.9,
    "headline": gist.headline,
    "heredocs": lambda text: list(line.heredocs(text)),
    "html": lambda html: html_text.html_text(html, "https://example.org/a").text,
    "hunks_of": lambda text: _hunks(read_changes(text)),
    "hunks_of_blocks": lambda text: _hunks(read_blocks(text.split("\n"))),
    "in_file": lambda patch: _decided(repair(patch, LETTERS)),
    "in_words": schema.in_words,
    "inert": rewriting.inert,
    "insists_on_json": damaged_json.insists_on_json,
    "instructions_for_notes": rewriting.instructions_for_notes,
    "is_aside": definitions.is_aside,
    "is_closed": lambda text, dash: line.Heredoc("EOF", is_indented=dash).is_closed_by(text),
    "is_data": definitions.is_data,
    "is_misspelled": spelling.is_misspelled,
    "is_part": spelling.is_part,
    "is_path": names.is_path,
    "is_repaired": lambda patch: isinstance(repair(patch, LETTERS), Repaired),
    "is_restyled": spelling.is_restyled,
    "is_same_place": similarity.is_same_place,
    "is_skip": repository.is_skip,
    "letter": lambda text: turn.to_the_letter(turn.parse_turn(text, tools=["grep"])),
    "lines_changed": lambda text: sorted(similarity.changed_lines(text)),
    "lines_replaced": _replaced,
    "lookup": lookups.lookup,
    "lookup_in_sub": lambda text: lookups.lookup(text, "sub"),
    "looser": lambda pattern: list(spelling.looser(pattern)),
    "main_names": lambda text: names.main_names(text, 3),
    "matching": globs.matching,
    "may_become_an_observation": lambda begun: labels.may_become_one(
        begun, labels.DEFAULT, lambda label: label is labels.Label.OBSERVATION
    ),
    "misspelled": lambda pattern: list(spelling.misspelled(pattern)),
    "modified_in_plan": lambda text: _told(requests.modified(_plan(), text)),
    "named_command": lambda text: commands.named_text(text, commands.COMMANDS),
    "named_files": targets.named_files,
    "named_folders": targets.named_folders,
    "named_patch": lambda text: commands.named_text(text, commands.PATCHES),
    "named_test": repository.named_test,
    "names_and_modes": lambda text: [
        (one.old, one.new, one.old_mode, one.mode) for one in git_diff.read_git_diff(text)
    ],
    "names_in": names.names_in,
    "nearest_fact": _nearest_fact,
    "not_imported": claims.not_imported,
    "notes": lambda answer: labelled.read_condensed(answer, 3, 9),
    "numbered_values": lambda text: list(json_rows.numbered_values(text)),
    "numbers_to_nine": lambda text: facts.read_numbers(text, 9),
    "of_tests": lambda text: (
        test_commands.runs_tests(text),
        test_commands.only_runs_tests(text),
        test_commands.runner_of(text).name.lower(),
    ),
    "one_line": lambda text: http_answers.one_line(text, "s3cret", 30),
    "open_and_acted": _open_and_acted,
    "opening_fence": fence.opening_fence,
    "outline_line": lambda title: outline.lines_of([outline.Defined(title, 1, 2, 1)]),
    "parse_recall_request": targets.parse_recall_request,
    "plain": printed.plain,
    "problem_of": lambda text: read_changes(text).problem,
    "problem_of_blocks": lambda text: read_blocks(text.split("\n")).problem,
    "problem_of_v4a": lambda text: read_v4a(text.split("\n")).problem,
    "prose": lambda text: safe_markdown.prose(text, 12),
    "pytest_log": lambda text: log.read_log(text, Runner.PYTEST),
    "python_outline": outline.python_outline,
    "quote_lines": quoting.quote_lines,
    "quoted": lambda text: (quoting.quote_world(text), quoting.quote_own(text)),
    "read_age": counted.read_age,
    "read_answers": labelled.read_answers,
    "read_complaint": remote.read_complaint,
    "read_criticism": labelled.read_criticism,
    "read_edit_request": targets.read_edit_request,
    "read_endpoints": facts.read_endpoints,
    "read_facts": facts.read_facts,
    "read_fields": arguments.read_fields,
    "read_fields_of": lambda text: arguments.read_fields(text, ("path", "text")),
    "read_front_matter": front_matter.read_front_matter,
    "read_git_diff": git_diff.read_git_diff,
    "read_hidden": hidden.read_hidden,
    "read_id": plan.read_id,
    "read_input": lambda text: schema.read_input(text, SCHEMA),
    "read_job": hook_files.read_job,
    "read_json": damaged_json.read_json,
    "read_name": git_diff.read_name,
    "read_number": lambda answer: speech.read_number(answer, 2),
    "read_procedure": lambda text: replace(
        procedure.read_procedure(text, "f", ("grep", "read_file").__contains__), text=""
    ),
    "read_project": repository.read_project,
    "read_pull_words": labelled.read_pull_words,
    "read_push": hook_files.read_push,
    "read_reference": reference.read_reference,
    "read_request": hook_files.read_request,
    "read_sections": profile_text.read_sections,
    "read_selection": selection.read_selection,
    "read_transcript": reader.read_transcript,
    "readable": safe_markdown.readable,
    "readings": targets.readings,
    "reasoned_and_said": _reasoned_and_said,
    "remote_and_addresses": _remote,
    "repaired_in": lambda patch, text: _decided(repair(patch, {"x.py": text})),
    "requests": _requests,
    "requests_in": hook_files.requests_in,
    "retry_after": http_answers.retry_after,
    "role_named": lambda answer: speech.read_name(answer, {"Ann": "Ann", "Bob": "Bob"}),
    "roles_of_blocks": lambda text: _roles(read_blocks(text.split("\n"))),
    "roles_of_v4a": lambda text: _roles(read_v4a(text.split("\n"))),
    "said_of_files": lambda text: getattr(targets.named_files(text), "said", None),
    "same_call": lambda *both: similarity.is_same_call(*map(similarity.loose_words, both)),
    "same_search": lambda *both: similarity.is_same_call(*map(similarity.searched_words, both)),
    "says_none": tool_name.says_none,
    "scanned": _scanned,
    "searched": claims.searched,
    "searches": lambda text: searches.searches(text, FOLDERS.__contains__),
    "skips_now": repository.skips_now,
    "slug_of": title.slug_of,
    "sort_before": definitions.sort_before,
    "span": _span,
    "speech_of_ann": lambda text: speech.process(
        text, ("Ann", "author"), ("Ann", "author", "Bob", "reviewer")
    ),
    "spoken_of": lambda given: _reply(f"Action: a\nAction Input: {given}").spoken_of,
    "spread": http_answers.spread,
    "state_of": requests.state_of,
    "states_but_root": lambda text: " ".join(
        task.state for task in requests.apart_from_root(_plan(), text).tasks
    ),
    "statuses": lambda *told: {
        name: one.value for name, one in log.read_statuses("\n".join(told)).items()
    },
    "statuses_of": lambda known, text: log.read_statuses(text, known),
    "step_diffs": lambda text: list(git_diff.read_step_diffs(text)),
    "strict": labels.strict,
    "sure_clues": lambda text: (
        [one for one in clues.clues_of(text).names if one.is_sure],
        clues.clues_of(text).frames,
    ),
    "text_replaced": lambda *texts: _replaced(*texts, whole_lines=False),
    "those_by_product": _those(file_roles.is_by_product),
    "those_code": _those(file_roles.is_code),
    "those_of_tests": _those(file_roles.is_of_tests),
    "those_scratch": _those(file_roles.is_scratch),
    "title_of": title.title_of,
    "title_of_job": lambda words: _job(words).title,
    "tool_named": lambda text: tool_name.read_name(text, ["grep", "read_file", "run", "[x]"]),
    "unescape": quoting.unescape,
    "unfenced": fence.unfenced,
    "unittest_log": lambda text: log.read_log(text, Runner.UNITTEST),
    "unquoted": arguments.unquoted,
    "with_grep": lambda text: hidden.with_tools(text, {"grep": "`grep`"}),
    "within": arguments.within,
    "without_invented": lambda text: labelled.without_invented(text, SOURCE),
    "word_of": lambda text: line.commands(f"echo {text}")[0].words[1],
    "words": lambda text: list(commands.words(text)),
    "write_age": counted.write_age,
    "write_endpoints": facts.write_endpoints,
    "write_facts": facts.write_facts,
    "write_list": facts.write_list,
    "write_name": git_diff.write_name,
    "write_numbers": facts.write_numbers,
    "written_hunks": _written_hunks,
}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_gives_the_value_of_each_row(path: Path, each_row: EachRow) -> None:
    each_row(read_rows(path), lambda row: row.check(FUNCTIONS))
