"""The commands that every GTP client starts and ends with: who are you, what can you do, quit."""

from __future__ import annotations

import time

from engine import __version__
from engine.gtp.registry import COMMANDS, command
from engine.gtp.session import Session


@command("protocol_version")
def protocol_version(session: Session, args: list[str]) -> str:
    """The version of GTP that is spoken here: 2."""
    return "2"


@command("name")
def name(session: Session, args: list[str]) -> str:
    """The name of the engine, or the one that an option gave it."""
    return session.settings.text("engine_name") or "Miai"


@command("version")
def version(session: Session, args: list[str]) -> str:
    """The version of the engine, or the one that an option gave it."""
    return session.settings.text("engine_version") or __version__


@command("known_command", "NAME")
def known_command(session: Session, args: list[str]) -> str:
    """Whether a command exists: true or false."""
    return "true" if args and args[0] in COMMANDS else "false"


@command("list_commands")
def list_commands(session: Session, args: list[str]) -> str:
    """The names of all commands, one a line."""
    return "\n".join(entry.name for entry in COMMANDS.values() if entry.listed)


@command("quit")
def end(session: Session, args: list[str]) -> str:
    """Answer, and leave."""
    session.finished = True
    return ""


@command("cputime")
def cputime(session: Session, args: list[str]) -> str:
    """The seconds of processor time used so far, by all threads."""
    return f"{time.process_time():.3f}"


@command("gomill-cpu_time")
def gomill_cpu_time(session: Session, args: list[str]) -> str:
    """The same for gomill."""
    return cputime(session, args)


@command("gomill-describe_engine")
def gomill_describe_engine(session: Session, args: list[str]) -> str:
    """Who plays, and with which settings that are not the default."""
    settings = session.settings
    chosen = [f"{key}={settings.get(key, session.size)}" for key in sorted(settings.chosen)]
    return "\n".join([f"{name(session, [])} {version(session, [])}", *chosen])
