"""What every forge does alike."""

from dataclasses import replace
from typing import Any

from loopback import Loopback
from places import WANTED, Place
from refusals import refusal

from react_agent.forges.contract import ForgeError


def _say(fake: Any, place: Place, words: str) -> None:
    if place.name == "GitLab":
        fake.note("issues", 12, "ana", words)
    elif place.name == "Gitea":
        fake.comment(12, "ana", words)
    else:
        fake.repo.comment(12, "ana", words, created_at="2026-11-20T14:00:01Z")


def test_reads_many_pages_and_not_more_than_five_hundred(
    place: Place, fake: Any, server: Loopback
) -> None:
    for number in range(501):
        _say(fake, place, str(number))
    said = place.forge(server).comments(12)
    assert [remark.body for remark in said] == [str(number) for number in range(500)]


def test_opens_a_pull_request_and_later_brings_it_in_line(place: Place, server: Loopback) -> None:
    forge = place.forge(server)
    opened = forge.propose(replace(WANTED, is_draft=True))
    assert opened == forge.pull(opened.number)
    facts = (opened.title, opened.body, opened.branch, opened.base, opened.state, opened.is_draft)
    assert facts == ("Mend it", "As said.", "fix", "trunk", "open", True)
    assert (opened.author, opened.source) == ("bo", "")
    assert opened.source_url == f"{server.url}/{place.path}.git"
    title = "Mend it all" if place.name == "GitHub" else "WIP: Mend it all"  # which makes a draft
    again = forge.propose(replace(WANTED, title=title, body="More."))
    assert again == replace(opened, title="Mend it all", body="More.", is_draft=False)


def test_forks_once_and_proposes_from_there(place: Place, fake: Any, server: Loopback) -> None:
    forge = place.forge(server)
    fork = forge.fork()
    assert (fork.path, fork.clone_url) == ("bo/tool", f"{server.url}/bo/tool.git")
    assert (fork.default_branch, fork.can_push) == ("trunk", True)
    assert forge.fork() == place.forge(server).fork() == fork
    assert sum("/fork" in line for line in server.lines if line.startswith("POST")) == 1
    of_it = replace(WANTED, source=fork.path)
    opened = forge.propose(of_it)
    assert (opened.source, opened.source_url) == ("bo/tool", f"{server.url}/bo/tool.git")
    assert forge.propose(of_it) == opened == forge.pull(opened.number)
    assert forge.propose(WANTED).number != opened.number
    if place.name == "GitHub":
        del fake.repositories["bo/tool"]
    elif place.name == "GitLab":
        del fake.projects[101]
    else:
        fake.pulls[opened.number]["head"]["repo"] = None
    gone = forge.pull(opened.number)
    assert (gone.source, gone.source_url) == ("", "")


def test_says_that_a_fork_takes_too_long(place: Place, fake: Any, server: Loopback) -> None:
    if place.name == "GitHub":
        fake.branches_of = lambda path: dict
    else:
        fake.looks_before_ready = 99
    assert refusal(ForgeError, place.forge(server).fork) == (
        f"{server.host}: can't fork {place.path}: it is not ready after 60 s; try again later"
    )


def test_needs_no_fork_of_ones_own(place: Place, fake: Any, server: Loopback) -> None:
    if place.name == "GitHub":
        fake.add("bo/tool")
    elif place.name == "GitLab":
        fake.projects[7]["path_with_namespace"] = "bo/tool"
    else:
        fake.parents["bo/tool"], fake.branches["bo/tool"] = None, {"trunk"}
    assert replace(place, path="bo/tool").forge(server).fork().path == "bo/tool"
    assert not any("forks" in line for line in server.lines)


def test_follows_a_repository_that_moved(place: Place, fake: Any, server: Loopback) -> None:
    if place.name == "GitHub":
        fake.add("old/tool", moved_to=place.path)
    else:
        fake.moved["old/tool"] = 7 if place.name == "GitLab" else place.path
    moved = replace(place, path="old/tool").forge(server)
    assert moved.repository().path == place.path
    assert moved.propose(WANTED).branch == "fix"
    assert moved.me() == "bo"
