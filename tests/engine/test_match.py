"""The flat player, matches, and the commands `match` and `train`."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from engine.arena import FlatOpponent, GnuGo, GnuGoMissing, Played, Tally, play_game, play_match
from engine.commands.main import main
from engine.flat import FlatPlayer
from engine.game import Game
from engine.geometry import BLACK, PASS, WHITE, point
from engine.playout.policy import Gammas, named_policy
from tests.diagrams import Diagram

GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"


def flat(policy: str, playouts: int, seed: int = 1) -> FlatOpponent:
    return FlatOpponent(f"flat:{policy}", FlatPlayer(named_policy(policy, 7), playouts, seed))


def test_the_flat_player_takes_what_decides_the_game() -> None:
    game = Diagram(
        """
        . X O . O
        X X O O O
        a O O O .
        X X O . O
        . X O O O
        """
    ).game(Game().rules, BLACK)
    game.komi = 0.5
    choice = FlatPlayer(named_policy("light", 5), 2000).consider(game, BLACK)
    assert choice.point == point(2, 0)


def test_the_flat_player_passes_when_only_eyes_are_left() -> None:
    game = Diagram(". X . X\nX X X X\nX X X X\nO . O .\n".replace("O . O .", "X X X X")).game(
        Game().rules, BLACK
    )
    assert FlatPlayer(named_policy("light", 4), 10).consider(game, BLACK).point == PASS


def test_more_playouts_beat_fewer() -> None:
    strong, weak = flat("rules", 600), flat("light", 25, seed=2)
    *_, tally = play_match(strong, weak, games=8, size=7, komi=6.5)
    assert tally.games == 8
    assert tally.wins >= 6


def test_a_game_is_played_to_an_end() -> None:
    played = play_game(flat("light", 30), flat("light", 30, seed=4), 5, 0.5)
    assert played.by in ("count", "resignation")
    assert 0 < played.moves <= 75


def test_with_a_handicap_the_first_player_is_always_black() -> None:
    played: list[Played] = []
    first, second = (
        flat("light", 30),
        FlatOpponent("other", FlatPlayer(named_policy("light", 7), 30)),
    )
    *_, tally = play_match(first, second, 2, 7, 0.5, played.append, handicap=4)
    assert [game.black for game in played] == ["flat:light", "flat:light"]
    assert tally.games == 2


def test_intervals_are_wilsons() -> None:
    low, high = Tally(100, 90).interval()
    assert (round(low, 3), round(high, 3)) == (0.826, 0.945)
    assert Tally(0, 0).interval()[0] >= 0


def test_against_gnu_go() -> None:
    try:
        gnugo = GnuGo(level=0)
    except GnuGoMissing as error:
        pytest.skip(str(error))
    try:
        played = play_game(flat("light", 100), gnugo, 7, 6.5)
        given = play_game(flat("light", 100), gnugo, 7, 0.5, handicap=4)
    finally:
        gnugo.close()
    assert "illegal" not in played.by
    assert "illegal" not in given.by
    assert played.moves > 5


def test_match_command(capsys: pytest.CaptureFixture) -> None:
    words = ["match", "flat:rules", "flat:light", "--games", "2", "--playouts", "60", "--size", "5"]
    assert main([*words, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["games"], figures["size"]) == (2, 5)
    assert 0 <= figures["wins"] <= 2
    assert main(["match", "flat:wise", "flat:light"]) == 2
    assert "unknown player 'flat:wise'" in capsys.readouterr().err


def test_train_command(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = tmp_path / "playout-9x9.npz"
    words = ["train", "playout", "--games", str(GAMES), "--valid", str(GAMES), "--out", str(out)]
    assert main([*words, "--size", "9", "--rounds", "2"]) == 0
    assert "validation:" in capsys.readouterr().out
    assert Gammas.load(out).factors["capture"] > 1
    card = out.with_suffix(".md").read_text()
    assert "Command: `miai train playout --games gnugo.sgf" in card
    assert str(tmp_path) not in card
    assert main([*words, "--size", "25"]) == 2
    assert "no games that pass the filters" in capsys.readouterr().err
    words[3] = str(tmp_path / "nowhere.sgf")
    assert main(words) == 2
    assert "cannot read" in capsys.readouterr().err
    cut_short = tmp_path / "cut.sgf.xz"
    cut_short.write_bytes(lzma.compress(GAMES.read_bytes())[:500])
    words[3] = str(cut_short)
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_white_plays_too() -> None:
    game = Game(5)
    game.play(BLACK, point(2, 2))
    assert FlatPlayer(named_policy("light", 5), 50).consider(game, WHITE).point != PASS
