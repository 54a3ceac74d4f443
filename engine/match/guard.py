"""The guard of strength: the working tree against the last state that was marked as good.

A tag `strength-*` marks a commit whose weights and settings are the ones to beat. A line
`Strength: ...` in a commit's message does the same and needs no tags to travel with a clone. The
commit's files are unpacked once into the cache and played from there, so nothing in the clone
changes.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from engine.jit import CACHE
from engine.match.players import START, Entrant

TAGS = "strength-*"
LINE = "Strength: "
# Weaker by so much, or as strong: a few hundred quick games tell one from the other.
BOUNDS = (-50.0, 0.0)
# On 9x9 there are only 20 openings of two moves.
SIMS, MOST_GAMES, MINUTES, OPENINGS = 400, 1000, 9.0, "random:4"
FAREWELL = 0.7  # minutes that the last games have, whatever their players do


class NoBaseline(ValueError):
    """There is nothing to compare with; the text says what to do."""


def home() -> Path:
    """The clone that this file belongs to."""
    return Path(__file__).resolve().parents[2]


def _git(clone: Path, *words: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(clone), *words], capture_output=True, check=True)
    except FileNotFoundError:
        raise NoBaseline("the guard needs git") from None
    except subprocess.CalledProcessError as error:
        lines = error.stderr.decode("utf-8", "replace").strip().splitlines()
        raise NoBaseline(f"git: {lines[-1] if lines else 'failed'}") from None
    return done.stdout


def last_mark(clone: Path) -> str:
    """The newest tag that marks a strength, or else the newest commit that says so."""
    names = _git(clone, "tag", "--list", TAGS, "--sort=-creatordate").decode().split()
    names += _git(clone, "log", "-1", "--format=%h", f"--grep=^{LINE}").decode().split()
    if not names:
        raise NoBaseline(
            f"no tag {TAGS} and no commit with a line '{LINE}...' in this clone: name a commit, "
            "as in --guard main, or tag one"
        )
    return names[0]


def unpack(clone: Path, commit: str) -> Path:
    """The files of a commit in a folder of the cache; what was unpacked before is used again."""
    try:
        name = f"{commit}^{{commit}}"
        answer = _git(clone, "rev-parse", "--verify", "--end-of-options", name)
    except NoBaseline as error:
        raise NoBaseline(f"no commit {commit!r} in {clone}: {error}") from None
    found = answer.decode("ascii").strip()
    if CACHE is None:
        raise NoBaseline("there is no folder to unpack files in: set MIAI_CACHE_DIR")
    target = CACHE.parent / "guard" / found[:16]
    if (target / START).exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=target.parent, prefix="part-"))
    try:
        archive = unfinished / "files.tar"
        archive.write_bytes(_git(clone, "archive", "--format=tar", found))
        with tarfile.open(archive) as tar:
            tar.extractall(unfinished / "files", filter="data")
        if not (unfinished / "files" / START).exists():
            raise NoBaseline(f"{commit} is too old: it has no {START}")
        with contextlib.suppress(OSError):  # somebody else may have been faster
            os.replace(unfinished / "files", target)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return target


def rivals(commit: str | None, sims: int, threads: int, clone: Path | None = None) -> list[Entrant]:
    """The working tree and the baseline, by the same Python with the same limits."""
    clone = clone or home()
    name = commit or last_mark(clone)
    folder = unpack(clone, name)
    words = ("gtp", "--sims", str(sims), "--threads", str(threads))
    return [
        Entrant("working-tree", (sys.executable, str(clone / START), *words)),
        Entrant(name, (sys.executable, str(folder / START), *words)),
    ]
