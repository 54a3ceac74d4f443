"""The list of GTP commands. A command is a function with a decorator:

    @command("komi", "NUMBER")
    def komi(session: Session, args: list[str]) -> str:
        '''Set the komi.'''

The name, the arguments and the first line of the docstring are all there is to know about it:
`list_commands`, `known_command`, `miai gtp --help` and the table in `docs/play.md` use them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from engine.gtp.session import Session

Action = Callable[["Session", list[str]], str]


class GtpError(Exception):
    """A command that can't be carried out: its text is the reply, and nothing has changed."""


class Command(NamedTuple):
    """One command. `run` takes the session and the arguments and returns the reply's text.

    One that is not listed works all the same: some names make a client behave in other ways.
    """

    name: str
    arguments: str
    help: str
    run: Action
    listed: bool = True


COMMANDS: dict[str, Command] = {}


def command(name: str, arguments: str = "", *, listed: bool = True) -> Callable[[Action], Action]:
    """Register a function as a GTP command."""

    def register(action: Action) -> Action:
        if name in COMMANDS:
            raise ValueError(f"two commands are called {name}")
        summary = (action.__doc__ or "").partition("\n")[0]
        COMMANDS[name] = Command(name, arguments, summary, action, listed)
        return action

    return register


def command_table() -> list[tuple[str, str]]:
    """Each command with its arguments, and what it does, in the order of `list_commands`."""
    listed = (entry for entry in COMMANDS.values() if entry.listed)
    return [(f"{entry.name} {entry.arguments}".strip(), entry.help) for entry in listed]
