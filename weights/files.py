"""Weight files: plain `.npz` archives that say what they are, and are refused if they aren't it.

Beside its arrays a file holds a format version, its kind, and a checksum over everything else.
Nothing is pickled. A file is written whole or not at all.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np

FORMAT = 1
FOLDER = Path(__file__).resolve().parent


class BadWeights(ValueError):
    """A file that can't be used as weights; the text says which and why."""


def _checksum(kind: str, arrays: Mapping[str, np.ndarray]) -> str:
    digest = hashlib.sha256(f"{FORMAT} {kind}".encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def save_weights(path: Path | str, kind: str, arrays: Mapping[str, np.ndarray]) -> None:
    """Write a weight file, replacing an old one only when the new one is complete."""
    path = Path(path)
    header = {
        "format": np.array(FORMAT),
        "kind": np.array(kind),
        "checksum": np.array(_checksum(kind, arrays)),
    }
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez_compressed(file, allow_pickle=False, **header, **arrays)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _read(path: Path | str, only: tuple[str, ...] = ()) -> dict[str, np.ndarray]:
    """The arrays of a file, or only those with some names."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files if not only or name in only}
    except FileNotFoundError:
        raise BadWeights(f"{path}: no such file") from None
    except (
        OSError,
        ValueError,
        EOFError,
        KeyError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise BadWeights(f"{path}: not a weight file, or cut short ({error})") from None


def kind_of(path: Path | str) -> str:
    """What kind of weights a file says it holds."""
    header = _read(path, ("kind",))
    if "kind" not in header or header["kind"].dtype.kind != "U":
        raise BadWeights(f"{path}: not a weight file of Miai")
    return str(header["kind"])


def load_weights(path: Path | str, kind: str) -> dict[str, np.ndarray]:
    """The arrays of a weight file of a kind; BadWeights says in one line what is wrong."""
    arrays = _read(path)
    try:
        version, found, checksum = (arrays.pop(name) for name in ("format", "kind", "checksum"))
    except KeyError:
        raise BadWeights(f"{path}: not a weight file of Miai") from None
    if version.dtype.kind != "i" or version.shape or int(version) > FORMAT:
        raise BadWeights(f"{path}: written by a newer version of Miai")
    if str(found) != kind:
        raise BadWeights(f"{path}: holds weights of kind {str(found)!r}, not {kind!r}")
    if str(checksum) != _checksum(kind, arrays):
        raise BadWeights(f"{path}: damaged, the checksum does not fit")
    return arrays


def nearest(kind: str, size: int) -> Path:
    """The shipped file of a kind that suits a board size best: `kind-NxN.npz`.

    Sizes halfway take the larger board's: on 13x13 games the 19x19 model predicts 43.5% of the
    moves and the 9x9 one 37.2%.
    """
    found = {}
    for path in FOLDER.glob(f"{kind}-*x*.npz"):
        number = path.stem.rpartition("x")[2]
        if number.isdigit():
            found[int(number)] = path
    if not found:
        raise BadWeights(f"no weights of kind {kind!r} are installed")
    return found[min(found, key=lambda trained: (abs(trained - size - 3), -trained))]
