"""What a run looks back with: its own steps, and the repository."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from react_agent.issue_to_pr.places import found_lines
from react_agent.issue_to_pr.whole_files import text_lines
from react_agent.loop.agent import Agent
from react_agent.loop.guards import REMIND
from react_agent.loop.run_tools import RECALL
from react_agent.loop.transcript import Transcript
from react_agent.memory.meaning import Meaning
from react_agent.memory.recall import recalled
from react_agent.models.endpoint import REPLAY
from react_agent.parsers.transcript.quoting import quote_lines
from react_agent.runs.commands import Commands
from react_agent.runs.project import Project
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.surroundings import Surroundings
from react_agent.tools.files.repo_map import repo_map
from react_agent.tools.shell.shell import user_line

_OF_WINDOW = 3  # a part of it is for files


def looking_back(agent: Agent, memory: Memory | None, meaning: Meaning | None) -> Agent:
    if memory is None:
        return agent
    recall = partial(recalled, memory, meaning, lambda: agent.transcript.state)
    remind = partial(reminded, memory, agent.transcript)
    return replace(agent, context=replace(agent.context, recall=recall), remind=remind)


def memory_for(folder: RunFolder, transcript: Transcript, project: Project) -> Memory | None:
    if project.registry.tool(RECALL.name) is None and REMIND not in project.profile.guards:
        return None
    return open_memory(folder.memory, lambda: transcript.state.steps)


def meaning_for(transcript: Transcript, around: Surroundings) -> Meaning | None:
    """None in a run that is done again: it asks no endpoint."""
    name, again = around.settings.embeddings, transcript.state.header["model"].startswith(REPLAY)
    if not name or again or around.open_embedder is None:
        return None
    return Meaning(around.open_embedder(name), around.clock, around.tell)


def told(
    project: Project, commands: Commands, around: Surroundings, objective: str = ""
) -> Iterator[str]:
    """What a prompt tells of the repository."""
    if "environment" in project.profile.about:
        yield from map(quote_lines, commands.about)
    if "user" in project.profile.about and (line := user_line(commands.context)):
        yield quote_lines(line)
    if "repo_map" in project.profile.about:
        yield quote_lines(repo_map(commands.context))
    if "issue" in project.profile.about:
        yield from found_lines(objective, commands.context.root, project.base.repository.name)
    if "files" in project.profile.about:
        room = project.profile.budget.window // _OF_WINDOW
        yield from text_lines(objective, commands.context.root, room)
