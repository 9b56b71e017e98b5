"""What the agent of a run has beside its tools: a sub-agent, and a memory to look back with."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from react_agent.loop.agent import Agent
from react_agent.loop.sub_transcript import sub_name
from react_agent.loop.transcript import Transcript
from react_agent.models.contract import Model
from react_agent.models.endpoint import REPLAY
from react_agent.profiles.profile_file import shipped
from react_agent.runs.looking_back import looking_back, meaning_for, memory_for
from react_agent.runs.project import Project
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.surroundings import Surroundings


def fitted(
    agent: Agent, folder: RunFolder, project: Project, around: Surroundings
) -> tuple[Agent, Memory | None]:
    """And the memory, where there is one, to be closed."""
    memory = memory_for(folder, agent.transcript, project)
    meaning = meaning_for(agent.transcript, around)
    return looking_back(_with_helper(agent, folder, around), memory, meaning), memory


def _with_helper(agent: Agent, folder: RunFolder, around: Surroundings) -> Agent:
    sub_model = partial(_sub_model, agent.transcript, around)
    helper = Helper(folder, shipped(SUB_PROFILE), sub_model)
    return replace(
        agent, context=replace(agent.context, delegate=partial(delegated, agent, helper))
    )


def _sub_model(transcript: Transcript, around: Surroundings, step: int) -> Model:
    """The same for a sub-agent; when a run is done again, its own recorded words."""
    return around.open_model(sub_spec(transcript.state.header["model"], step))


def sub_spec(spec: str, step: int) -> str:
    """The model of the run within a step."""
    if not spec.startswith(REPLAY):
        return spec
    recorded = Path(spec.removeprefix(REPLAY))
    folder = recorded if recorded.is_dir() else recorded.parent
    return f"{REPLAY}{folder / sub_name(step)}"
