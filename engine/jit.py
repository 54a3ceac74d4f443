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
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def _hidden(module: str) -> Iterator[None]:
    """Within this, a module that nobody has imported yet seems not to be installed."""
    hide = module not in sys.modules
    if hide:
        sys.modules[module] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if hide:
            del sys.modules[module]


# Where SciPy is installed Numba imports it, for linear algebra that no kernel here uses. Without
# that a start is a third of a second shorter.
with _hidden("scipy"):
    import numba
    import numba.np.arraymath
    from numba.core import event as numba_event

HOME = Path(__file__).resolve().parent.parent
PACKAGES = ("engine", "knowledge")
KEPT_CACHES = 4
# `import engine.a` or `from engine.a import b, c`, the names perhaps on several lines.
_IMPORT = re.compile(
    r"^[ \t]*(?:import[ \t]+([^\n#]+)|from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+))",
    re.MULTILINE,
)
_DOTTED_NAME = re.compile(r"[\w.]+")


# --- What the cache depends on ---------------------------------------------------------------


def kernel_sources(home: Path = HOME) -> list[Path]:
    """The files that hold kernels, and all project files those import, sorted."""
    imports = {
        path: _imported_files(home, path.read_text(encoding="utf-8"))
        for package in PACKAGES
        for path in (home / package).rglob("*.py")
    }
    marker = home / "engine" / "jit.py"
    waiting = [path for path, imported in imports.items() if marker in imported]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting.extend(imports.get(path, ()))
    return sorted(found)


def _imported_files(home: Path, source: str) -> set[Path]:
    """The project's files that a source imports, wherever in the file it does so."""
    modules: set[str] = set()
    for plain, package, names in _IMPORT.findall(source):
        modules.update(_DOTTED_NAME.findall(plain or package))
        modules.update(f"{package}.{name}" for name in _DOTTED_NAME.findall(names))
    files: set[Path] = set()
    for module in modules:
        if module.partition(".")[0] in PACKAGES:
            base = home.joinpath(*module.split("."))
            files.update((base.with_suffix(".py"), base / "__init__.py"))
    return {path for path in files if path.is_file()}


def source_key(home: Path = HOME) -> str:
    """A hash that changes whenever any code that can be compiled into a kernel does."""
    digest = hashlib.sha256(f"numba {numba.__version__} python {sys.version}".encode())
    for path in kernel_sources(home):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(home).as_posix()} {len(content)} ".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


# --- Where the cache is ----------------------------------------------------------------------


def _user_cache_folder() -> Path | None:
    """The folder for caches on this system, as its users expect it; MIAI_CACHE_DIR overrides.

    None if the system doesn't know one, say for a user without a home.
    """
    chosen = os.environ.get("MIAI_CACHE_DIR")
    if chosen:
        return Path(chosen).absolute()
    home = os.path.expanduser("~")  # unlike Path.home() it doesn't raise where there is none
    bases = [os.environ.get("NUMBA_CACHE_DIR"), os.environ.get("XDG_CACHE_HOME")]
    if sys.platform == "win32":
        bases.append(os.environ.get("LOCALAPPDATA"))
    elif sys.platform == "darwin":
        bases.append(f"{home}/Library/Caches")
    bases.append(f"{home}/.cache")
    return next((Path(base) / "miai" for base in bases if base and Path(base).is_absolute()), None)


def _private_temporary_folder() -> Path | None:
    """A folder for temporary files that nobody else can write to, made if need be.

    Compiled code is run as it is found, so a folder that another user made first won't do.
    """
    user = os.getuid() if hasattr(os, "getuid") else None
    try:
        folder = Path(tempfile.gettempdir()) / ("miai" if user is None else f"miai-{user}")
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return None
    if not stat.S_ISDIR(status.st_mode):
        return None
    if user is not None and (status.st_uid != user or status.st_mode & 0o022):
        return None
    return folder


def cache_folder() -> Path | None:
    """The writable folder for this version's compiled kernels, or None if there is nowhere."""
    key = source_key()
    for choose in (_user_cache_folder, _private_temporary_folder):
        base = choose()
        if base is None:
            continue
        folder = base / f"kernels-{key}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            os.utime(folder)
            with tempfile.TemporaryFile(dir=folder) as probe:
                probe.write(bytes(1 << 16))  # a full disk takes the file but not its content
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
    numba.config.CACHE_DIR = str(CACHE)


# --- The decorators --------------------------------------------------------------------------

_Function = Callable[..., Any]

# Every entry point that has been imported, so that a warm-up can tell whether it missed one.
KERNELS: list[Any] = []


def kernel(function: _Function) -> _Function:
    """Compile an entry point: cached on disk, runs without the GIL."""
    compiled = numba.njit(cache=CACHE is not None, nogil=True, boundscheck=False, _nrt=False)(
        function
    )
    KERNELS.append(compiled)
    return compiled


def inner(function: _Function) -> _Function:
    """Compile a helper that only other kernels call."""
    return numba.njit(
        nogil=True, boundscheck=False, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True
    )(function)


def inlined(function: _Function) -> _Function:
    """Compile a helper into each place that calls it: for the hottest ones.

    A call between kernels costs more than in C, as results and an error code go through
    memory. But each copy is compiled anew, so this is for what runs at every move of a playout.
    """
    return numba.njit(
        nogil=True,
        boundscheck=False,
        _nrt=False,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        forceinline=True,
    )(function)


# --- Knowing when the compiler runs ----------------------------------------------------------


class _CompileListener(numba_event.Listener):
    """Calls a function each time the compiler starts on a function."""

    def __init__(self, call: Callable[[], None]) -> None:
        self._call = call

    def on_start(self, event: Any) -> None:
        self._call()

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def on_compile(call: Callable[[], None]) -> Iterator[None]:
    """Within this, call a function whenever one is compiled rather than found in the cache."""
    with numba_event.install_listener("numba:compile", _CompileListener(call)):
        yield
