"""In the place of llama.cpp: a server whose replies stand in a file beside the model's.

MODEL.replies    replies, with a line `---` between them; or the words of an error
MODEL.served     written: this process, the port and the key, a line for each server
"""

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from fake_endpoint import FakeEndpoint
from fake_reply import Reply

WORDS = "0.00.002.640 E llama_model_load: error loading model: "


class CommonParams(SimpleNamespace):
    def __init__(self) -> None:
        super().__init__(model=SimpleNamespace(), cpuparams=SimpleNamespace())


class Server:
    def __init__(self, wanted: Any) -> None:
        place = Path(wanted.model.path)
        said = place.with_suffix(".replies").read_text()
        if said.startswith("error: "):
            print(WORDS + said.removeprefix("error: "), file=sys.stderr, flush=True)
            raise RuntimeError("Failed to init server, please check the input params.")
        if said == "killed":
            os.kill(os.getpid(), 9)
        replies = [Reply(fault="stall") if one == "stall" else one for one in said.split("\n---\n")]
        (key,) = wanted.api_keys
        self.endpoint = FakeEndpoint(replies, key=key)
        self.endpoint.__enter__()
        self.listening_address = self.endpoint.url
        facts = {"pid": os.getpid(), "url": self.endpoint.url, "key": key, "window": wanted.n_ctx}
        with place.with_suffix(".served").open("a") as served:
            served.write(f"{json.dumps(facts)}\n")
