"""What GoGui asks for beyond playing: its menu of views, and words for its window."""

from __future__ import annotations

from engine import __version__
from engine.gtp.knowledge_views import KINDS
from engine.gtp.registry import command
from engine.gtp.session import Session
from engine.parameters import FAMILIES

# The type tells GoGui how to show the reply; %p and %c are a point and a colour it asks for.
_MENU = (
    "hstring/Why this move/explain",
    "hstring/Why not that one/explain %p",
    *(f"cboard/{kind.upper()} move colours/miai-probability_colors {kind}" for kind in KINDS),
    *(f"sboard/{kind.upper()} move probabilities/miai-probabilities {kind}" for kind in KINDS),
    "hstring/Features of a move/miai-features %p",
    "sboard/Pattern sizes/miai-pattern_sizes",
    "sboard/Playout policy/miai-playout_policy",
    "gfx/Search/miai-search",
    "sboard/Search visits/miai-visits",
    "sboard/Search values/miai-values",
    "sboard/Search RAVE values/miai-rave",
    "sboard/Search lower bounds/miai-lower_bounds",
    "varc/Search principal variation/miai-variation %c",
    "gfx/Search principal variation (drawn)/miai-line",
    "hstring/Search variations/miai-variations",
    "dboard/Ownership/miai-owners",
    "gfx/Ownership with spread/miai-owners_spread",
    "dboard/Criticality/miai-criticality",
    "string/Score histogram/miai-histogram",
    "gfx/Ladders/miai-ladders",
    "plist/Dead stones/miai-dead_stones",
    "plist/Safe stones/miai-safe_stones",
    "sboard/Common-fate distance/miai-distances %p",
    "hstring/Time plan/miai-time_plan",
    "hstring/Tree and memory/miai-tree",
    *(f"param/{family.capitalize()} settings/gogui-param_{family}" for family in FAMILIES),
    "param/Rules/gogui-param_rules",
    "none/Forget the tree/clear_cache",
)


@command("gogui-analyze_commands")
def gogui_analyze_commands(session: Session, args: list[str]) -> str:
    """GoGui's menu of what the engine can show."""
    return "\n".join(_MENU)


@command("gogui-title")
def gogui_title(session: Session, args: list[str]) -> str:
    """A title for the window."""
    name = session.settings.text("engine_name") or "Miai"
    return f"{name}, level {session.settings.integer('level', session.size)}"


@command("gogui-version")
def gogui_version(session: Session, args: list[str]) -> str:
    """The version of the engine, which an option does not change."""
    return __version__
