"""Which version of ourselves plays: games of two of them may not be counted together."""

from __future__ import annotations

import hashlib
from functools import cache

from engine.jit import HOME, kernel_sources
from weights.files import FOLDER


@cache
def own_version() -> str:
    """The same as long as kernels, settings and weights are."""
    digest = hashlib.sha256()
    files = {*kernel_sources(), HOME / "engine" / "parameters.py", *FOLDER.glob("*.npz")}
    for path in sorted(files):
        digest.update(path.relative_to(HOME).as_posix().encode("utf-8"))
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:8]
