"""Check the settings and the model for a hook's run, with as few imports as possible."""

from react_agent.errors import UsageError
from react_agent.models.endpoint import find_endpoint, is_replay
from react_agent.places import settings_file
from react_agent.profiles.settings import keys_of, read_settings
from react_agent.tools import variables


def main() -> int:
    """Raise ConfigError or UsageError if no run can begin. The hook's script calls this."""
    settings = read_settings(settings_file())
    if not settings.model:
        raise UsageError("no model: name one in your settings, or find one with `react-agent init`")
    if not is_replay(settings.model):
        variables_and_keys = {**keys_of(settings), **variables.all_of_them()}
        find_endpoint(settings.model, settings.models, variables_and_keys)
    return 0
