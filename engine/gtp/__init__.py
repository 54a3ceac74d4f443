"""GTP, the protocol of Go programs: lines come in, commands are carried out, replies go out.

Read `protocol.py` for the language, `server.py` for the loop, `session.py` for what is
remembered between commands, and the families below for the commands. Importing the package
registers them all, in the order in which `list_commands` and the docs have them.
"""

from __future__ import annotations

from importlib import import_module

FAMILIES = (
    "core",
    "setup",
    "playing",
    "clocks",
    "counting",
    "records",
    "analysis",
    "explaining",
    "params",
    "servers",
    "search_views",
    "knowledge_views",
    "gogui",
)

for _family in FAMILIES:
    import_module(f"engine.gtp.{_family}")
