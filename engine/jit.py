"""How kernels are compiled: the two decorators, and where compiled code is kept.

`@kernel` marks an entry point that Python calls: it is cached on disk and releases the GIL.
`@inner` marks a helper that only kernels call: it needs no Python wrapper, which saves a
quarter of the compile time.

Numba notices an edit of the file a kernel lives in, but not of a helper in another file: a
cached caller would go on running the old helper. So the cache folder's name is a hash of
every source that can end up inside a kernel, and stale code can't be found at all.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

HOME = Path(__file__).resolve().parent.parent
PACKAGES = ("engine", "knowledge")
KEPT_CACHES = 4
_IMPORT = re.compile(
    r"^\s*(?:from\s+((?:engine|knowledge)[\w.]*)\s+import\s+\(?([\w, ]*)|import\s+((?:engine|knowledge)[\w.]*))",
    re.MULTILINE,
)


def kernel_sources() -> list[Path]:
    """The files that hold kernels, and all project files those import, sorted."""
    found: dict[Path, str] = {}
    waiting = []
    for package in PACKAGES:
        for path in (HOME / package).rglob("*.py"):
            if "engine.jit import" in path.read_text(encoding="utf-8"):
                waiting.append(path)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found[path] = path.read_text(encoding="utf-8")
            waiting.extend(_imported_files(found[path]))
    return sorted(found)


def _imported_files(source: str) -> list[Path]:
    files = []
    for package, names, module in _IMPORT.findall(source):
        base = HOME.joinpath(*(package or module).split("."))
        candidates = [base.with_suffix(".py"), base / "__init__.py"]
        candidates += [base / f"{name.strip()}.py" for name in names.split(",")]
        files += [path for path in candidates if path.is_file()]
    return files


def source_key() -> str:
    """A hash that changes whenever any code that can be compiled into a kernel does."""
    digest = hashlib.sha256(f"numba {numba.__version__} python {sys.version}".encode())
    for path in kernel_sources():
        digest.update(str(path.relative_to(HOME)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _user_cache_folder() -> Path:
    """The folder for caches on this system, as its users expect it; MIAI_CACHE_DIR overrides."""
    if "MIAI_CACHE_DIR" in os.environ:
        return Path(os.environ["MIAI_CACHE_DIR"])
    if "NUMBA_CACHE_DIR" in os.environ:
        return Path(os.environ["NUMBA_CACHE_DIR"]) / "miai"
    if "XDG_CACHE_HOME" in os.environ:
        return Path(os.environ["XDG_CACHE_HOME"]) / "miai"
    if sys.platform == "win32" and "LOCALAPPDATA" in os.environ:
        return Path(os.environ["LOCALAPPDATA"]) / "miai"
    home = Path(os.path.expanduser("~"))
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "miai"


def cache_folder() -> Path | None:
    """The writable folder for this version's compiled kernels, or None if there is nowhere."""
    key = source_key()
    user = f"miai-{os.getuid()}" if hasattr(os, "getuid") else "miai"
    for base in (_user_cache_folder(), Path(tempfile.gettempdir()) / user):
        folder = base / f"kernels-{key}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            os.utime(folder)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError:
            continue
        _remove_old_caches(base, folder)
        return folder
    return None


def _remove_old_caches(base: Path, current: Path) -> None:
    """Keep the caches of the few versions used last, so that the folder can't grow for ever."""

    def age(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except OSError:
            return 0.0

    others = [path for path in base.glob("kernels-*") if path != current]
    for path in sorted(others, key=age, reverse=True)[KEPT_CACHES - 1 :]:
        shutil.rmtree(path, ignore_errors=True)


CACHE = cache_folder()
if CACHE is not None:
    numba.config.CACHE_DIR = str(CACHE)  # type: ignore[attr-defined]

_Function = Callable[..., Any]


def kernel(function: _Function) -> _Function:
    """Compile an entry point: cached on disk, runs without the GIL."""
    return numba.njit(cache=CACHE is not None, nogil=True, boundscheck=False)(function)


def inner(function: _Function) -> _Function:
    """Compile a helper that only other kernels call."""
    return numba.njit(
        nogil=True, boundscheck=False, no_cpython_wrapper=True, no_cfunc_wrapper=True
    )(function)
