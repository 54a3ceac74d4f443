"""Game records in whatever packaging people have, unpacked to plain SGF text.

A source is one file or a folder with any number of files, nested as deep as it likes. Files may
be packed by gzip or xz, or be zip or tar archives, also inside one another. What a file is, its
content tells, since names lie. Of a folder or an archive only what is named like a game record
is looked at.
"""

from __future__ import annotations

import gzip
import io
import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

Complain = Callable[[str, str], None]  # a label, and what is wrong there
Member = tuple[str, bytes]

DAMAGED = (
    OSError,
    EOFError,
    lzma.LZMAError,
    zlib.error,
    zipfile.BadZipFile,
    tarfile.TarError,
    NotImplementedError,  # a zip file packed in some way that Python doesn't know
    RuntimeError,  # a zip file with a password
)
_MAX_DEPTH = 4
_ARCHIVES = (".zip", ".tar", ".tgz", ".txz")
_PACKED = (".gz", ".xz")


def source_files(path: Path, complain: Complain) -> list[Member]:
    """The files of a source as they are, with labels: "" for a file, else the way to it."""
    if not path.is_dir():
        return [("", path.read_bytes())]
    found = []
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if _may_hold_games(name):
                file = Path(folder, name)
                label = _printable(f"/{file.relative_to(path).as_posix()}")
                try:
                    found.append((label, file.read_bytes()))
                except OSError as error:
                    complain(label, str(error.strerror))
    return found


def sgf_texts(label: str, data: bytes, complain: Complain, depth: int = 0) -> Iterator[Member]:
    """The SGF texts in a file, with labels; what can't be unpacked is complained about."""
    unpack = _unpacker(data)
    if unpack is None:
        yield label, _without_wide_letters(data)
        return
    if depth == _MAX_DEPTH:
        complain(label, "packed too many times over")
        return
    try:
        for name, content in unpack(data):
            yield from sgf_texts(label + name, content, complain, depth + 1)
    except DAMAGED as error:
        complain(label, f"damaged or cut short: {error}")


def _printable(name: str) -> str:
    """A file's name without what UTF-8 can't hold, and on one line."""
    name = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(sign if sign.isprintable() else "?" for sign in name)


def _may_hold_games(name: str) -> bool:
    """Whether a file of a folder or an archive is named like a game record, or a pack of them."""
    path = PurePosixPath(name.lower())
    if path.name.startswith(".") or "__macosx" in path.parts:
        return False
    if path.suffix in _PACKED:
        path = path.with_suffix("")
        return path.suffix in ("", ".sgf", ".tar")
    return path.suffix == ".sgf" or path.suffix in _ARCHIVES


def _unpacker(data: bytes) -> Callable[[bytes], Iterator[Member]] | None:
    """What takes the wrapping off, or None if there is none."""
    if data.startswith(b"\xfd7zXZ\x00"):
        return lambda packed: iter([("", lzma.decompress(packed))])
    if data.startswith(b"\x1f\x8b"):
        return lambda packed: iter([("", gzip.decompress(packed))])
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_members
    if data[257:262] == b"ustar":
        return _tar_members
    return None


def _zip_members(data: bytes) -> Iterator[Member]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            if not info.is_dir() and _may_hold_games(info.filename):
                yield _printable(f"/{info.filename}"), archive.read(info)


def _tar_members(data: bytes) -> Iterator[Member]:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for info in archive:
            content = archive.extractfile(info) if _may_hold_games(info.name) else None
            if content is not None:
                yield _printable(f"/{info.name}"), content.read()


def _without_wide_letters(data: bytes) -> bytes:
    """UTF-16, which some editors write, as UTF-8; everything else as it is."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").encode("utf-8", "replace")
    return data
