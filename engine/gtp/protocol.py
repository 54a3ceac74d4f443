"""The language of GTP version 2: bytes in, replies out. What commands do is not known here.

`parse` understands a line, `carry_out` does what it says and writes the reply, at once or, for
an analysis, line by line while it goes on. The loop around them is in `server.py`.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

from engine.console import say
from engine.gtp.registry import COMMANDS, GtpError
from engine.gtp.session import Session

# Long enough for a whole game on one line; what is beyond is read and thrown away.
MAX_LINE = 1 << 18
MAX_ERROR = 200

_CONTROLS = bytes([*range(9), *range(11, 32), 127])
_REQUEST = re.compile(rb"([0-9]*)[ \t]*(.*)")

Write = Callable[[bytes], None]


class Line(NamedTuple):
    """A line as it came in, without its end; `cut` if it was longer than MAX_LINE."""

    content: bytes
    cut: bool = False


class Request(NamedTuple):
    """A command as a client wrote it: an id to repeat in the reply, a name, arguments."""

    id: str
    name: str
    args: list[str]


# --- In --------------------------------------------------------------------------------------


def read_lines(source: BinaryIO) -> Iterator[Line]:
    """The lines of a stream as they arrive, until it ends or breaks; no line fills the memory."""
    while True:
        try:
            content = source.readline(MAX_LINE)
            rest = content
            while len(rest) == MAX_LINE and not rest.endswith(b"\n"):
                rest = source.readline(MAX_LINE)
        except (OSError, ValueError):
            return
        if not content:
            return
        yield Line(content.rstrip(b"\n"), cut=rest is not content)


def parse(content: bytes) -> Request | None:
    """The command on a line, or None if there is none and no reply is due.

    Comments and control characters go, a tab is a space, and an id may touch the name.
    """
    clean = content.partition(b"#")[0].translate(None, _CONTROLS).strip()
    match = _REQUEST.fullmatch(clean)
    if match is None or not match[2]:
        return None
    # Split before decoding: beyond ASCII there are further spaces that are none in GTP.
    name, *args = (word.decode("utf-8", "replace") for word in match[2].split())
    return Request(match[1].decode("ascii"), name, args)


# --- Out -------------------------------------------------------------------------------------


def reply_bytes(ok: bool, request_id: str, text: str) -> bytes:
    """A reply on the wire: one that no client can take for two, whatever the text is.

    There is a space before the text even if it is empty, and none of its lines is empty,
    because an empty line ends a reply.
    """
    first, *others = text.split("\n")
    body = "\n".join([first, *(line if line.strip() else " " for line in others)])
    return f"{'=' if ok else '?'}{request_id} {body}\n\n".encode("utf-8", "replace")


class Stream:
    """A reply that is written line by line while its command goes on."""

    def __init__(self, request_id: str, write: Write) -> None:
        self.started = False
        self._id = request_id
        self._write = write

    def start(self) -> None:
        """Tell the client that the command was understood."""
        if not self.started:
            self.started = True
            self._write(f"={self._id}\n".encode("ascii"))

    def line(self, text: str) -> None:
        """One more line, which must not be empty."""
        self.start()
        self._write((" ".join(text.splitlines()) or " ").encode("utf-8", "replace") + b"\n")

    def end(self) -> None:
        self._write(b"\n")


# --- In between ------------------------------------------------------------------------------


def carry_out(session: Session, line: Line, write: Write) -> None:
    """Do what a line says and write the reply, if one is due."""
    request = parse(line.content)
    if request is None:
        return
    # A comment at the end of a line may well be what made it too long.
    if line.cut and b"#" not in line.content:
        write(reply_bytes(False, request.id, "line too long"))
        return
    command = COMMANDS.get(request.name)
    if command is None:
        write(reply_bytes(False, request.id, "unknown command"))
        return
    stream = session.stream = Stream(request.id, write)
    try:
        ok, text = True, command.run(session, request.args)
    except GtpError as error:
        ok, text = False, _error_text(str(error))
    except OSError as error:
        # Nobody listens any more; whatever else may fail with files is a GtpError.
        if stream.started:
            raise
        ok, text = False, _internal_error(error)
    except Exception as error:
        say(traceback.format_exc())
        ok, text = False, _internal_error(error)
    if stream.started:
        stream.end()
    else:
        write(reply_bytes(ok, request.id, text))


def answer(session: Session, line: Line) -> bytes | None:
    """The whole reply to a line, or None for a line that gets none."""
    written: list[bytes] = []
    carry_out(session, line, written.append)
    return b"".join(written) if written else None


def _internal_error(error: Exception) -> str:
    """One line about a bug, for a client that must go on."""
    return _error_text(f"internal error: {type(error).__name__}: {error}")


def _error_text(text: str) -> str:
    """A message that may quote its command: one line, not too long, that any client can read."""
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in text[:MAX_ERROR])
