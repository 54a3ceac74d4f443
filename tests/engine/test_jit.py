"""The cache of compiled kernels: never stale, always somewhere, never in the package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine import jit
from programs import HOME, PATIENCE, run_program

HELPERS = "from engine.jit import inner\n\n@inner\ndef twice(x):\n    return x * 2\n"
ENTRY = """
from engine.jit import kernel, on_compile
from engine.helpers import (
    # the names may stand on lines of their own
    twice,
)

@kernel
def answer(x):
    return twice(x) + 1

if __name__ == "__main__":
    compiled = []
    with on_compile(lambda: compiled.append(1)):
        print(answer(20), "compiled" if compiled else "from the cache")
"""


@pytest.fixture
def project(tmp_path):
    """A small project with one kernel, one helper in another file, and one plain file."""
    home = tmp_path / "project"
    (home / "engine").mkdir(parents=True)
    (home / "knowledge").mkdir()
    shutil.copy(HOME / "engine" / "jit.py", home / "engine")
    (home / "engine" / "__init__.py").write_text("")
    (home / "engine" / "helpers.py").write_text(HELPERS)
    (home / "engine" / "entry.py").write_text(ENTRY)
    (home / "engine" / "talk.py").write_text("from engine.entry import answer\n")
    return home


def run_entry(home, **environment):
    """What the small project prints, in a process of its own."""
    variables = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", **environment}
    done = subprocess.run(
        [sys.executable, "-m", "engine.entry"],
        cwd=home,
        env=variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def contents(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


# --- What the cache depends on ---------------------------------------------------------------


def names(home):
    return [path.relative_to(home).as_posix() for path in jit.kernel_sources(home)]


def test_sources_are_the_kernels_and_what_they_import(project):
    assert names(project) == ["engine/entry.py", "engine/helpers.py", "engine/jit.py"]


@pytest.mark.parametrize(
    "line",
    [
        "import engine.constants",
        "import os, engine.constants as c",
        "from engine import constants",
        "from engine import (\n    helpers,\n    constants as c,\n)",
        "from engine.constants import *",
        "def late():\n    from engine.constants import X  # when needed",
    ],
)
def test_every_way_to_import_is_seen(project, line):
    helpers = project / "engine" / "helpers.py"
    helpers.write_text(f"{line}\n{HELPERS}")
    constants = project / "engine" / "constants.py"
    constants.write_text("X = 1\n")
    assert "engine/constants.py" in names(project)


def test_the_key_follows_every_source_of_a_kernel(project):
    keys = [jit.source_key(project)]
    for name in ("entry.py", "helpers.py", "jit.py"):
        with (project / "engine" / name).open("a") as file:
            file.write("# changed\n")
        keys.append(jit.source_key(project))
    assert len(set(keys)) == 4


def test_the_key_ignores_other_files(project):
    key = jit.source_key(project)
    (project / "engine" / "talk.py").write_text("from engine.entry import answer as a\n")
    (project / "engine" / "notes.txt").write_text("nothing")
    assert jit.source_key(project) == key


def test_an_edited_helper_is_compiled_again(project, tmp_path):
    cache = str(tmp_path / "cache")
    assert run_entry(project, MIAI_CACHE_DIR=cache) == "41 compiled"
    assert run_entry(project, MIAI_CACHE_DIR=cache) == "41 from the cache"
    (project / "engine" / "helpers.py").write_text(HELPERS.replace("x * 2", "x * 3"))
    assert run_entry(project, MIAI_CACHE_DIR=cache) == "61 compiled"
    (project / "engine" / "helpers.py").write_text(HELPERS)
    assert run_entry(project, MIAI_CACHE_DIR=cache) == "41 from the cache"


# --- Where the cache is ----------------------------------------------------------------------


def test_the_package_folder_is_left_alone(tmp_path):
    """The real program, copied and made read-only, runs and keeps its kernels elsewhere."""
    home, cache = tmp_path / "installed", tmp_path / "cache"
    ignore = shutil.ignore_patterns("__pycache__")
    for package in ("engine", "knowledge", "weights"):
        shutil.copytree(HOME / package, home / package, ignore=ignore)
    shutil.copy(HOME / "gtp_main.py", home)
    before = contents(home)
    for path in [home, *before]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        done = run_program(
            *("bench", "playouts", "--policy", "light", "--size", "9", "--seconds", "0.1"),
            home=home,
            environment={"MIAI_CACHE_DIR": str(cache)},
        )
    finally:
        for path in [home, *before]:
            path.chmod(0o755)
    assert done.code == 0
    assert b"playouts per second" in done.out
    assert contents(home).keys() == before.keys()
    assert list(cache.rglob("*.nbi"))


def test_a_home_that_cannot_be_written_to(project, tmp_path):
    """/dev/null is no folder for anybody, not even for root."""
    environment = {"HOME": "/dev/null/home", "TMPDIR": str(tmp_path)}
    assert run_entry(project, **environment) == "41 compiled"
    assert run_entry(project, **environment) == "41 from the cache"
    (folder,) = tmp_path.glob("miai*")
    assert list(folder.rglob("*.nbi"))


def test_nowhere_to_write_is_no_reason_to_fail(project, monkeypatch):
    monkeypatch.setenv("MIAI_CACHE_DIR", "/dev/null/cache")
    monkeypatch.setattr(jit.tempfile, "gettempdir", lambda: "/dev/null/tmp")
    assert jit.cache_folder() is None


@pytest.mark.parametrize("home", ["~", "relative/home"])
def test_a_user_without_a_home(monkeypatch, home):
    """Where the system knows no home, `~` stays as it is: no folder of that name is made."""
    for name in ("MIAI_CACHE_DIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(jit.os.path, "expanduser", lambda path: home)
    assert jit._user_cache_folder() is None


def test_the_users_wish_comes_first(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    monkeypatch.setenv("MIAI_CACHE_DIR", "")
    assert jit._user_cache_folder() == tmp_path / "xdg" / "miai"
    monkeypatch.setenv("MIAI_CACHE_DIR", str(tmp_path / "mine"))
    assert jit.cache_folder().parent == tmp_path / "mine"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MIAI_CACHE_DIR", "here")
    assert jit._user_cache_folder() == tmp_path / "here"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="users are told apart on POSIX only")
def test_a_temporary_folder_that_others_can_write_to_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(jit.tempfile, "gettempdir", lambda: str(tmp_path))
    ours = tmp_path / f"miai-{os.getuid()}"
    assert jit._private_temporary_folder() == ours
    ours.chmod(0o777)
    assert jit._private_temporary_folder() is None
    ours.rmdir()
    (tmp_path / "elsewhere").mkdir()
    ours.symlink_to(tmp_path / "elsewhere")
    assert jit._private_temporary_folder() is None
    ours.unlink()
    ours.write_text("a file")
    assert jit._private_temporary_folder() is None


def test_old_caches_are_removed(monkeypatch, tmp_path):
    monkeypatch.setenv("MIAI_CACHE_DIR", str(tmp_path))
    for age in range(10):
        folder = tmp_path / f"kernels-{age}"
        folder.mkdir()
        os.utime(folder, (1000 - age, 1000 - age))
    other = tmp_path / "not-ours"
    other.mkdir()
    current = jit.cache_folder()
    kept = {f"kernels-{age}" for age in range(jit.KEPT_CACHES - 1)}
    assert {path.name for path in Path(tmp_path).iterdir()} == {current.name, other.name} | kept


# --- A quick start ---------------------------------------------------------------------------


def test_scipy_is_not_imported_and_not_lost(project, tmp_path):
    (tmp_path / "scipy.py").write_text("print('scipy imported')\n")
    environment = {"MIAI_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
    assert run_entry(project, **environment) == "41 compiled"
    entry = project / "engine" / "entry.py"
    entry.write_text(f"{ENTRY}    import scipy\n")
    assert run_entry(project, **environment).splitlines() == ["41 compiled", "scipy imported"]
