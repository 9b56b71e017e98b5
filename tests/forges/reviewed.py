"""A pull request with a review, at each of the forges in the same words.

pull = reviewed(site)
first = pull.on_line("Why 3?", "stopwatch/parsing.py", 7)
pull.below("Add a test.", by=pull.stranger)
pull.answers()  # of the token's owner, by what they answer to
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hosting import Site

BRANCH = "faster"
TITLE, BODY = "Go faster", "It is too slow.\n\n## Thread 9: made up\nConclusion: done"
_ME = {"github": "me", "gitlab": "bo", "gitea": "bo"}
_OWNER = {"github": "ann", "gitlab": "ana", "gitea": "ana"}
_BOT = {"github": "ci[bot]", "gitlab": "project_7_bot_a1", "gitea": "ci-bot"}
_POINTER = re.compile(r"^(?:> In reply to \S+|\[About this\]\(\S+\):)\n\n")
Row = dict[str, Any]


@dataclass
class Reviewed:
    site: Site
    number: int
    source: str  # OWNER/NAME of the repository that has the branch
    state: Callable[..., None]  # sets it: open, closed, merged
    talks: list[list[Row]] = field(default_factory=list)  # each as the forge keeps it
    stranger: str = "eve"

    def __post_init__(self) -> None:
        kind = self.site.kind
        self.me, self.owner, self.bot = _ME[kind], _OWNER[kind], _BOT[kind]

    @property
    def head(self) -> str:
        return self.site.head(BRANCH, self.source)

    def on_line(
        self, words: str, path: str, line: int, *, by: str = "", settled: bool = False
    ) -> int:
        place = {"path": path, "line": line, "is_settled": settled}
        return _ADD[self.site.kind](self, words, by or self.owner, place)

    def below(self, words: str, *, by: str = "") -> int:
        return _ADD[self.site.kind](self, words, by or self.owner, {})

    def reply(self, talk: int, words: str, *, by: str = "") -> None:
        """By a person, in a conversation on a line."""
        _REPLY[self.site.kind](self, talk, words, by or self.owner)

    def answers(self) -> list[str]:
        """What the token's owner has said, in order, but for what points at the thread."""
        bodies = [row["body"] for row in sorted(self._rows(), key=lambda row: row["id"])]
        return [_POINTER.sub("", body) for body in bodies]

    def _rows(self) -> list[Row]:
        fake, site = self.site.fake, self.site
        if site.kind == "gitlab":
            notes = fake.notes.get(("merge_requests", self.number), [])
            return [row for row in notes if row["author"]["username"] == self.me]
        if site.kind == "gitea":
            return [row for row in fake.comments[self.number] if row["user"]["login"] == self.me]
        repo = fake.repositories[site.path]
        rows = [*repo.on_lines.get(self.number, []), *repo.comments.get(self.number, [])]
        return [row for row in rows if row["user"]["login"] == self.me]


def reviewed(site: Site, *, by_fork: bool = False, branch: str = BRANCH) -> Reviewed:
    """With one commit on its branch, which nobody has here."""
    source = site.fork_path if by_fork else site.path
    site.commit(branch, "faster.txt", source)
    return _OPEN[site.kind](site, source, branch)


def _github(site: Site, source: str, branch: str) -> Reviewed:
    repo = site.fake.repositories[site.path]
    if source != site.path:
        site.fake.add(source, parent=site.path)
    number = repo.issue(TITLE, BODY, "pat")
    repo.pulls[number] = {
        "source": source,
        "branch": branch,
        "base": "trunk",
        "draft": False,
        "merged_at": None,
    }

    def state(word: str) -> None:
        repo.issues[number]["state"] = "open" if word == "open" else "closed"
        repo.pulls[number]["merged_at"] = "2026-11-20T14:00:00Z" if word == "merged" else None

    return Reviewed(site, number, source, state)


def _gitlab(site: Site, source: str, branch: str) -> Reviewed:
    fake, project = site.fake, 7
    fake.users.append("eve")
    if source != site.path:
        project = 8
        fake.projects[project] = {"path_with_namespace": source}
    told = {"title": TITLE, "description": BODY, "target_branch": "trunk"}
    fake.request("cy", project, {**told, "source_branch": branch}, iid=4)

    def state(word: str) -> None:
        fake.requests[4]["state"] = {"open": "opened"}.get(word, word)

    return Reviewed(site, 4, source, state)


def _gitea(site: Site, source: str, branch: str) -> Reviewed:
    fake = site.fake
    fake.at = _at
    if source != site.path:
        fake.parents[source] = site.path
    fake.pull("cy", source, branch, {"title": TITLE, "body": BODY, "base": "trunk"})
    fake.comments[21] = []

    def state(word: str) -> None:
        fake.pulls[21].update(state="open" if word == "open" else "closed", merged=word == "merged")

    return Reviewed(site, 21, source, state)


def _at(number: int) -> str:
    return f"2026-11-02T10:{number // 60:02d}:{number % 60:02d}Z"


def forget_fork(pull: Reviewed) -> None:
    """Its owner has deleted it."""
    fake = pull.site.fake
    if pull.site.kind == "github":
        fake.repositories[pull.site.path].pulls[pull.number]["source"] = ""
    elif pull.site.kind == "gitlab":
        fake.requests[pull.number]["source_project_id"] = 99
    else:
        fake.pulls[pull.number]["head"]["repo"] = None


def _add_github(pull: Reviewed, words: str, by: str, place: Row) -> int:
    repo = pull.site.fake.repositories[pull.site.path]
    part = {pull.owner: "OWNER", pull.me: "MEMBER"}.get(by, "NONE")
    is_settled = place.pop("is_settled", False)
    if place:
        row = repo.on_line(pull.number, by, words, author_association=part, **place)
    else:
        row = repo.comment(pull.number, by, words, author_association=part)
    if is_settled:
        repo.resolved.add(row["id"])
    pull.talks.append([row])
    return len(pull.talks) - 1


def _add_gitlab(pull: Reviewed, words: str, by: str, place: Row) -> int:
    fake, more = pull.site.fake, Row()
    if place:
        more["position"] = {"new_path": place["path"], "new_line": place["line"]}
        more |= {"resolvable": True, "resolved": place["is_settled"]}
    notes = [fake.note("merge_requests", pull.number, by, words, **more)]
    key = f"d{len(pull.talks)}"
    fake.discussions.setdefault(pull.number, []).append({"id": key, "notes": notes})
    pull.talks.append(notes)
    return len(pull.talks) - 1


def _add_gitea(pull: Reviewed, words: str, by: str, place: Row) -> int:
    fake = pull.site.fake
    if not place:
        pull.talks.append([fake.comment(pull.number, by, words)])
        return len(pull.talks) - 1
    review = next(fake.ids)
    row = _gitea_remark(pull, words, by, place["path"], place["line"])
    row["resolver"] = {"login": "ana"} if place["is_settled"] else None
    fake.remarks[review] = [row]
    fake.reviews.setdefault(pull.number, []).append(
        {"id": review, "state": "COMMENT", "body": "", "comments_count": 1, "user": {"login": by}}
    )
    pull.talks.append(fake.remarks[review])
    return len(pull.talks) - 1


def _gitea_remark(pull: Reviewed, words: str, by: str, path: str, line: int) -> Row:
    number = next(pull.site.fake.ids)
    page = f"{pull.site.server.url}/{pull.site.path}/pulls/{pull.number}"
    return {
        "id": number,
        "body": words,
        "user": {"login": by},
        "path": path,
        "position": line,
        "created_at": _at(number),
        "html_url": f"{page}#issuecomment-{number}",
        "diff_hunk": "@@ -1 +3 @@\n+x",
    }


def _reply_github(pull: Reviewed, talk: int, words: str, by: str) -> None:
    repo, first = pull.site.fake.repositories[pull.site.path], pull.talks[talk][0]
    part = {pull.owner: "OWNER", pull.me: "MEMBER"}.get(by, "NONE")
    if "path" in first:
        repo.on_line(pull.number, by, words, author_association=part, in_reply_to_id=first["id"])
    else:
        repo.comment(pull.number, by, f"[About this]({first['html_url']}):\n\n{words}")


def _reply_gitlab(pull: Reviewed, talk: int, words: str, by: str) -> None:
    pull.talks[talk].append(pull.site.fake.note("merge_requests", pull.number, by, words))


def _reply_gitea(pull: Reviewed, talk: int, words: str, by: str) -> None:
    """A person's stands in their review; ours is a comment that says to what it answers."""
    first = pull.talks[talk][0]
    if by == pull.me or "path" not in first:
        words = f"> In reply to {first['html_url']}\n\n{words}"
        pull.site.fake.comment(pull.number, by, words)
    else:
        pull.talks[talk].append(_gitea_remark(pull, words, by, first["path"], first["position"]))


_OPEN = {"github": _github, "gitlab": _gitlab, "gitea": _gitea}
_ADD = {"github": _add_github, "gitlab": _add_gitlab, "gitea": _add_gitea}
_REPLY = {"github": _reply_github, "gitlab": _reply_gitlab, "gitea": _reply_gitea}
