"""The loop of a GTP engine: one thread reads lines, another carries them out in order.

So input is noticed while the engine thinks. The reader is the thread that calls `serve`, which
must be the main one in a program: signals arrive there, and a blocking read lets them through.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import BinaryIO

from engine.gtp.protocol import Line, carry_out, read_lines
from engine.gtp.session import Session

# What a client may send ahead; then it must wait. A line costs a little even if it is empty.
MOST_WAITING = 16 << 20
LINE_COST = 128
STACK = 16 << 20
ALONE_CHECK = 0.2  # seconds


class Inbox:
    """Lines that wait for their turn. One thread puts, another takes."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._lines: deque[Line] = deque()
        self._cost = 0
        self._is_closed = False

    @property
    def waiting(self) -> bool:
        """Whether there is something to do after what is being done: a line, or the end."""
        return self._is_closed or bool(self._lines)

    def put(self, line: Line) -> bool:
        """Add a line, when there is room for it; False if nobody will take it any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._cost < MOST_WAITING)
            if self._is_closed:
                return False
            self._lines.append(line)
            self._cost += len(line.content) + LINE_COST
            self._changed.notify_all()
            return True

    def close(self) -> None:
        """Nothing more will come, or nothing more will be taken."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def take(self) -> Line | None:
        """The next line, when there is one; None after the last."""
        with self._changed:
            self._changed.wait_for(lambda: self.waiting)
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._cost -= len(line.content) + LINE_COST
            self._changed.notify_all()
            return line


def serve(
    session: Session,
    source: BinaryIO,
    sink: BinaryIO,
    leave: Callable[[], None] = lambda: None,
    is_alone: Callable[[], bool] = lambda: False,
) -> None:
    """Answer lines until `quit`, the end of the input, or nobody listens any more.

    `leave` is called from the thread that answers as soon as it is done: the reader may be
    waiting for a line that never comes, so a program ends the process there. It is called
    after the end of the input, too, once `is_alone` says that nobody will read an answer.
    """
    inbox = session.inbox = Inbox()

    def write(data: bytes) -> None:
        sink.write(data)
        sink.flush()

    def work() -> None:
        try:
            _answer_all(session, inbox, write)
        finally:
            inbox.close()
            leave()

    # The compiler may need more room than some systems give a thread.
    before = threading.stack_size(STACK)
    worker = threading.Thread(target=work, name="engine", daemon=True)
    worker.start()
    threading.stack_size(before)
    for line in read_lines(source):
        # The queue first: who is interrupted looks there for a reason.
        if not inbox.put(line):
            break
        session.attention.line_arrived(line.content)
    inbox.close()
    session.attention.input_ended()
    while worker.is_alive():
        worker.join(ALONE_CHECK)
        if is_alone():
            leave()
            return


def _answer_all(session: Session, inbox: Inbox, write: Callable[[bytes], None]) -> None:
    while (line := inbox.take()) is not None:
        session.attention.new_command()
        try:
            carry_out(session, line, write)
        except OSError:
            return  # nobody listens any more
        if session.finished:
            return
