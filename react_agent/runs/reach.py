"""What a run can reach beyond its folder: a line of its transcript, for whoever audits it.

%% reach: endpoint=https://api.openai.com/v1 commands=off web=docs.python.org
"""

from react_agent.errors import ConfigError, UsageError
from react_agent.loop.noted import COMMANDS, EMBEDDINGS, ENDPOINT, OFF, ON, REACH, WEB
from react_agent.models.endpoint import find_endpoint
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import write_facts, write_list
from react_agent.runs.commands import Commands
from react_agent.runs.surroundings import Surroundings
from react_agent.tools.sandbox.sandbox import NONE


def reach_event(spec: str, commands: Commands, around: Surroundings) -> Event:
    settings = around.settings
    is_open = commands.chosen.name == NONE or commands.places.network
    facts = {ENDPOINT: _address(spec, around)}
    facts[EMBEDDINGS] = _address(settings.embeddings or "", around)
    facts = {name: value for name, value in facts.items() if value}
    facts |= {COMMANDS: ON if is_open else OFF}
    facts |= {WEB: write_list(settings.web)} if settings.web else {}
    return Event(REACH, write_facts(facts))


def _address(spec: str, around: Surroundings) -> str:
    """Empty of a replay, and of what else is no endpoint."""
    try:
        found = find_endpoint(spec, around.settings.models, around.environment) if spec else None
    except (UsageError, ConfigError):
        return ""
    return found.base_url if found else ""
