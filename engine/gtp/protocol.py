"""The language of GTP version 2: bytes in, replies out. What commands do is not known here.

Three steps that share nothing: `read_lines` takes lines from a stream, `parse` understands one,
`answer` carries it out and writes the reply. `serve` is the loop around them.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from engine.console import say
from engine.gtp.registry import COMMANDS, GtpError
from engine.gtp.session import Session

# Long enough for a whole game on one line; what is beyond is read and thrown away.
MAX_LINE = 1 << 16
MAX_ERROR = 200

_CONTROLS = bytes([*range(9), *range(11, 32), 127])
_REQUEST = re.compile(rb"([0-9]*)[ \t]*(.*)")


class Line(NamedTuple):
    """A line as it came in, without its end; `cut` if it was longer than MAX_LINE."""

    content: bytes
    cut: bool = False


class Request(NamedTuple):
    """A command as a client wrote it: an id to repeat in the reply, a name, arguments."""

    id: str
    name: str
    args: list[str]


def read_lines(source: BinaryIO) -> Iterator[Line]:
    """The lines of a stream as they arrive, until it ends or breaks; no line fills the memory."""
    while True:
        try:
            content = source.readline(MAX_LINE)
            rest = content
            while len(rest) == MAX_LINE and not rest.endswith(b"\n"):
                rest = source.readline(MAX_LINE)
        except OSError:
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


def reply_bytes(ok: bool, request_id: str, text: str) -> bytes:
    """A reply on the wire: one that no client can take for two, whatever the text is.

    There is a space before the text even if it is empty, and none of its lines is empty,
    because an empty line ends a reply.
    """
    first, *others = text.split("\n")
    body = "\n".join([first, *(line if line.strip() else " " for line in others)])
    return f"{'=' if ok else '?'}{request_id} {body}\n\n".encode("utf-8", "replace")


def answer(session: Session, line: Line) -> bytes | None:
    """Carry out what a line says; the reply, or None for a line that gets none."""
    request = parse(line.content)
    if request is None:
        return None
    # A comment at the end of a line may well be what made it too long.
    if line.cut and b"#" not in line.content:
        return reply_bytes(False, request.id, "line too long")
    command = COMMANDS.get(request.name)
    if command is None:
        return reply_bytes(False, request.id, "unknown command")
    try:
        return reply_bytes(True, request.id, command.run(session, request.args))
    except GtpError as error:
        return reply_bytes(False, request.id, str(error))
    except Exception as error:
        say(traceback.format_exc())
        return reply_bytes(False, request.id, _internal_error(error))


def _internal_error(error: Exception) -> str:
    """One line about a bug, for a client that must go on."""
    text = f"internal error: {type(error).__name__}: {error}"
    return "".join(c if c.isprintable() else " " for c in text)[:MAX_ERROR]


def serve(session: Session, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer line by line until `quit`, the end of the input, or nobody listens any more."""
    for line in read_lines(source):
        reply = answer(session, line)
        if reply is not None:
            try:
                sink.write(reply)
                sink.flush()
            except OSError:
                return
        if session.finished:
            return
