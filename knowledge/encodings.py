"""The encoding of a game record: the one it names, if that can be, or else what fits.

Many records name none, or a wrong one. Moves are plain ASCII, but in some encodings of Chinese
and Japanese the second byte of a letter can look like a bracket or a backslash, so the encoding
must be known before the record can be taken apart.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

_DECLARED = re.compile(rb"CA\s*\[\s*([\w.:-]+)\s*\]")
_FOREIGN_VALUE = re.compile(rb"\[([^\]]*[\x80-\xff][^\]]*)\]")
_HIGH, _LETTERS = bytes(range(128, 256)), bytes(range(65, 91)) + bytes(range(97, 123))
# What people name, and the larger encoding that they often use.
_LARGER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "big5": "cp950",
    "euc_kr": "cp949",
}
_EAST_ASIAN = ("gb2312", "cp932", "gb18030")
# A letter whose second byte looks like a sign of the format.
_LOOKS_LIKE_A_SIGN = re.compile(rb"[\x81-\xfe][\[\\\]]")


@lru_cache(maxsize=64)
def _codec(name: str) -> str | None:
    """Python's name of an encoding that keeps ASCII as it is, or None."""
    try:
        found = codecs.lookup(name).name
        keeps_ascii = b"(;B[aa])".decode(found) == "(;B[aa])"
    except (LookupError, ValueError):
        return None
    return _LARGER.get(found, found) if keeps_ascii else None


def encoding_of(text: bytes) -> str:
    """The encoding of a game that is not plain ASCII; its whole text can be decoded with it."""
    named = _DECLARED.search(text)
    declared = _codec(named[1].decode("ascii", "replace")) if named else None
    # Latin-1 is what records say that say nothing: any bytes can be it.
    candidates = [declared] if declared not in (None, "iso8859-1") else []
    candidates.append("utf-8")
    foreign = b"".join(_FOREIGN_VALUE.findall(text))
    high = len(foreign) - len(foreign.translate(None, _HIGH))
    letters = len(foreign) - len(foreign.translate(None, _LETTERS))
    if high > letters:  # in European names the foreign letters are the fewer ones
        candidates += _EAST_ASIAN
    for candidate in candidates:
        if candidate is not None and _decodes(text, candidate):
            return candidate
    return "latin-1"


def _decodes(text: bytes, encoding: str) -> bool:
    try:
        text.decode(encoding)
    except ValueError:
        return False
    return True


def readings(text: bytes) -> list[tuple[bytes, str]]:
    """The ways to read a game: bytes to take apart, and the encoding of their values.

    There are two if letters look like signs of the format: some programs escaped these letters'
    second bytes, as if they were such signs, and some did not.
    """
    if text.isascii():
        return [(text, "ascii")]
    encoding = encoding_of(text)
    if encoding in ("utf-8", "latin-1"):
        return [(text, encoding)]
    result = [(text.decode(encoding).encode("utf-8"), "utf-8")]
    if _LOOKS_LIKE_A_SIGN.search(text):
        result.append((text, encoding))
    return result
