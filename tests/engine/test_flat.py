"""The flat player, and training of playout gammas."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from engine.commands.main import main
from engine.flat import FlatPlayer
from engine.game import Game
from engine.geometry import BLACK, PASS, WHITE, point
from engine.playout.policy import Gammas, named_policy
from tests.diagrams import Diagram

GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"


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


def test_white_plays_too() -> None:
    game = Game(5)
    game.play(BLACK, point(2, 2))
    assert FlatPlayer(named_policy("light", 5), 50).consider(game, WHITE).point != PASS


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
