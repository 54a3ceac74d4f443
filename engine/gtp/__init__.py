"""GTP, the protocol of Go programs: lines come in, commands are carried out, replies go out.

Read `protocol.py` for the language, `session.py` for what is remembered between commands, and
`core.py` for the commands. Importing the package registers every family of commands.
"""

from __future__ import annotations

from engine.gtp import core

__all__ = ["core"]
