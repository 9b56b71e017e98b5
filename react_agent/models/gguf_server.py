"""A program that runs llama.cpp's server for one GGUF file; gguf.py starts it.

gguf_server FILE NAME WINDOW THREADS        its key is in the environment

It prints its address, or a message that llama.cpp is not installed. All other output comes from
llama.cpp.
"""

import sys
import threading

from react_agent.tools import variables
from react_agent.tools.shell.this_process import hide_memory

KEY = "REACT_AGENT_GGUF_KEY"
LISTENING, MISSING = "react-agent:listening", "react-agent:missing"
_ADDRESS = "127.0.0.1"
_ERRORS = 1  # of the levels of its log: what went wrong, and no more


def main(path: str, name: str, window: str, threads: str) -> None:
    hide_memory()
    try:
        import xllamacpp
    except ImportError:
        print(MISSING, flush=True)
        sys.exit(1)
    wanted = xllamacpp.CommonParams()
    wanted.model.path = path
    wanted.model_alias = {name}
    wanted.hostnames = [_ADDRESS]
    wanted.port = 0  # any that is free
    wanted.api_keys = [variables.value(KEY)]
    wanted.n_ctx = int(window)
    wanted.n_parallel = 1  # a second conversation would halve the window
    wanted.cpuparams.n_threads = int(threads)
    wanted.cache_ram_mib = 0  # it would keep old prompts in gigabytes of memory
    wanted.verbosity = _ERRORS
    try:
        server = xllamacpp.Server(wanted)
    except RuntimeError:  # it has printed why
        sys.exit(1)
    print(f"{LISTENING} {server.listening_address}", flush=True)
    threading.Event().wait()  # until it is ended


if __name__ == "__main__":
    main(*sys.argv[1:])
