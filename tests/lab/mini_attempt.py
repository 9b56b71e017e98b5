"""One attempt of mini-swe-agent in its text mode, in its own environment.

mini_attempt.py MODEL BASE_URL KEY TEMPERATURE SEED      the issue is on standard input
"""

import json
import sys

import yaml
from minisweagent import package_dir
from minisweagent.agents.default import DefaultAgent
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.litellm_textbased_model import LitellmTextbasedModel

_UNREAD = "Expected exactly 1 action"


def main(model: str, base_url: str, key: str, temperature: str, seed: str) -> None:
    shipped = yaml.safe_load((package_dir / "config" / "mini_textbased.yaml").read_text())
    del shipped["agent"]["mode"]  # of the agent that asks a person
    asked = {"api_base": base_url, "api_key": key, "temperature": float(temperature)}
    shipped["model"]["model_kwargs"] |= {**asked, "seed": int(seed)}
    agent = DefaultAgent(
        LitellmTextbasedModel(model_name=f"openai/{model}", **shipped["model"]),
        LocalEnvironment(**shipped["environment"]),
        **shipped["agent"],
    )
    try:
        agent.run(sys.stdin.read())
    finally:
        said = [str(message.get("content")) for message in agent.messages]
        print(json.dumps({"unreadable": sum(_UNREAD in text for text in said)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
