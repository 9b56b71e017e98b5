"""atheris on one function: `guided.py NAME SECONDS SEED FOLDER`. What it found is in the folder."""

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["react_agent.parsers"]):
    from fuzz_targets import read

CORPUS = Path(__file__).with_name("corpus")
MOST = 20_000  # bytes of a text
SLOW_S = 10


def main() -> None:
    name, seconds, seed, folder = sys.argv[1:]

    def once(data: bytes) -> None:
        text = data.decode(errors="surrogateescape")
        if name == "planted":  # what it has to find, or it finds nothing
            assert not text.startswith("Fz")
        else:
            read(name, text)

    limits = (f"-max_total_time={seconds}", f"-max_len={MOST}", f"-timeout={SLOW_S}")
    grown = Path(folder, "grown")
    grown.mkdir()
    known = [str(CORPUS / name)] if (CORPUS / name).is_dir() else []
    options = (*limits, f"-seed={seed}", f"-artifact_prefix={folder}/", "-verbosity=0")
    atheris.Setup([sys.argv[0], *options, str(grown), *known], once)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
