"""One run of mini-swe-agent, from its own environment, as its documents call it from Python.

mini_main.py MODEL BASE_URL    in its text mode, with the settings that it ships for that
"""

import sys

import yaml
from minisweagent import package_dir
from minisweagent.agents.default import DefaultAgent
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.litellm_textbased_model import LitellmTextbasedModel


def main(model: str, base_url: str) -> None:
    shipped = yaml.safe_load((package_dir / "config" / "mini_textbased.yaml").read_text())
    del shipped["agent"]["mode"]  # of the agent that asks a person
    shipped["model"]["model_kwargs"] |= {"api_base": base_url, "api_key": "none"}
    agent = DefaultAgent(
        LitellmTextbasedModel(model_name=f"openai/{model}", **shipped["model"]),
        LocalEnvironment(**shipped["environment"]),
        **shipped["agent"],
    )
    agent.run("Mend the functions.")


if __name__ == "__main__":
    main(*sys.argv[1:])
