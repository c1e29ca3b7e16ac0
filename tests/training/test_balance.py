import math
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from danmaku_env import Game, GameConfig
from danmaku_env.agents.registry import fingerprint
from danmaku_env.beliefs.factions import FACTIONS
from danmaku_env.cards.box import NUM_BASE_CHARACTERS, ROLE_IDS
from danmaku_env.console.errors import Stopped
from danmaku_env.training import balance
from danmaku_env.training.balance import BalanceArgs, faction_rate, main, measure, page, play, wilson
from tests.command import exit_status


@pytest.fixture(autouse=True)
def elsewhere(tmp_path_factory, monkeypatch):
    """Games lie in runs/ meanwhile."""
    monkeypatch.chdir(tmp_path_factory.mktemp("here"))


@pytest.fixture(scope="module")
def games():
    return play("", 6, games=24, seed=3)


def test_the_interval_is_wilsons():
    rate = wilson(0.1, 50)
    assert (rate.low, rate.high) == (pytest.approx(0.0435, abs=1e-3), pytest.approx(0.2136, abs=1e-3))
    assert (wilson(0, 10).low, wilson(1, 10).high) == (0, 1)
    assert 0 < wilson(0, 10).high < 0.3
    assert math.isnan(wilson(0, 0).share)
    assert str(wilson(0, 0)) == "–"


def test_a_single_game_says_nothing_of_how_far_games_differ():
    assert balance._mean(np.array([12])) == "12.0"
    assert balance._mean(np.array([1, 3])) == f"2.0 ± {12.706 * np.std([1, 3], ddof=1) / np.sqrt(2):.1f}", "Student's, of two games"


def test_games_are_counted_as_the_engine_plays_them(monkeypatch):
    """The same games one by one with `Game`: what was dealt, who won, how long it took."""
    monkeypatch.setattr(balance, "_ROWS", 4)
    answers = []
    make = balance.make_vec

    def spying(rows, config):
        vec = make(rows, config)
        step = vec.step

        def remember(actions):
            answers.append(actions.copy())
            step(actions)

        vec.step = remember
        return vec

    monkeypatch.setattr(balance, "make_vec", spying)
    counted = play("", 4, games=8, seed=11)
    assert len(counted.won) == 8
    game = Game.new(GameConfig(num_players=4, characters="random"), 11)
    assert counted.roles[0].tolist() == game.record["role"].tolist()
    assert counted.characters[0].tolist() == game.record["character"].tolist()
    turns = 0
    for actions in answers:
        turns = game.record["turn_number"]
        game.act(int(actions[0]))
        if game.over:
            break
    assert counted.won[0].nonzero()[0].tolist() == list(game.winners)
    assert (counted.decisions[0], counted.turns[0]) == (game.record["decisions"], turns)


def test_every_game_ends_in_one_way(games):
    assert ((games.won.any(1)).astype(int) + games.drawn + games.truncated == 1).all()
    assert not games.won[games.roles == 0].any()
    assert ((games.factions == FACTIONS["Stage Boss"]).sum(1) == 3).all()
    assert {"heroine", "stage_boss"} <= {ROLE_IDS[role] for role in games.roles.ravel()}
    assert games.characters.max() <= NUM_BASE_CHARACTERS
    assert (games.decisions > games.turns).all()


def test_truncated_games_are_told_from_drawn_ones(monkeypatch):
    monkeypatch.setattr(balance, "GameConfig", lambda **given: GameConfig(**given, max_turns=3))
    cut = play("", 4, games=8, seed=3)
    assert cut.truncated.sum() >= 6
    assert (cut.turns <= 3).all()


def test_seats_of_one_game_count_as_one_draw(games):
    policy = balance.PolicyGames("random", {6: games})
    rate = faction_rate(policy, "Stage Boss", 6)
    assert rate.number == 24
    assert rate.share == pytest.approx(games.won[games.factions == FACTIONS["Stage Boss"]].mean())
    assert faction_rate(policy, "Rival", 6).number == 0
    assert faction_rate(policy, "Heroine", 4).number == 0
    seats = sum(balance.character_rate(policy, character).number for character in range(NUM_BASE_CHARACTERS))
    assert seats == 24 * 6


def test_both_policies_play_the_same_deals(games):
    first, second = (play("heuristic", 5, games=6, seed=3) for _ in range(2))
    base = play("", 5, games=6, seed=3)
    for name in first._fields:
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    for name in ("roles", "characters"):
        np.testing.assert_array_equal(getattr(first, name), getattr(base, name))
    assert first.decisions.tolist() != base.decisions.tolist()


@pytest.mark.slow
def test_processes_change_nothing():
    pages = [page(args := BalanceArgs(agent="deducer", games=2, processes=processes), measure(args)) for processes in (1, 3)]
    assert pages[0] == pages[1]
    assert not Path("runs").exists() or not [*Path("runs").iterdir()], "games that nobody needs any more are not kept"


def test_an_interrupted_page_goes_on_where_it_was(monkeypatch):
    """What had been played is not played again, and the page is that of a command that was not interrupted."""
    args, played, whole = BalanceArgs(games=2, processes=1), [], balance._play

    def interrupted(*given):
        played.append(given[:2])
        if len(played) == 4:
            raise KeyboardInterrupt
        yield from whole(*given)

    monkeypatch.setattr(balance, "_play", interrupted)
    console = Console(record=True, width=200)
    with pytest.raises(Stopped):
        measure(args, console)
    assert "6 of 10 games are finished and kept. To go on: python -m danmaku_env.training.balance --games 2" in console.export_text()
    found = page(args, measure(args))
    assert [players for _, players in played] == [8, 7, 6, 5, 5, 4]
    assert found == page(args, measure(args))


def test_the_page_and_the_picture(tmp_path, capfd):
    assert exit_status(main, "--agent", "heuristic:style=fitted", "--games", "4", "--processes", "1", "--out", str(tmp_path / "new")) == 0
    assert (tmp_path / "new" / "balance.png").read_bytes().startswith(b"\x89PNG")
    text = (tmp_path / "new" / "balance.md").read_text("utf-8")
    assert str(tmp_path) not in text
    assert "`python -m danmaku_env.training.balance --agent heuristic:style=fitted --games 4 --seed 7`" in text
    assert f"The bot: `heuristic:style=fitted` ([agents.md](agents.md)), fingerprint `{fingerprint('heuristic:style=fitted')}`" in text
    assert "Too few games to judge characters by" in text
    for name in (*FACTIONS, "EX Midboss", "Hakurei Reimu"):
        assert f"| {name} |" in text
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["balance.md", "balance.png"]


def test_the_page_of_the_expansion(tmp_path):
    """Its own file, with the characters and roles of both boxes."""
    assert exit_status(main, "--games", "4", "--expansion", "lunatic_extra", "--processes", "1", "--out", str(tmp_path)) == 0
    text = (tmp_path / "balance_lunatic_extra.md").read_text("utf-8")
    assert "(balance_lunatic_extra.png)" in text
    assert "--expansion lunatic_extra" in text
    assert "were the 48 characters all alike, about 2 would be bold by chance" in text
    for name in ("Hakurei Reimu", "Junko", "Yakumo Ran"):
        assert f"| {name} |" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["balance_lunatic_extra.md", "balance_lunatic_extra.png"]


def test_an_agent_that_answers_wrongly_is_named_and_nothing_is_written(tmp_path, capfd):
    assert exit_status(main, "--agent", "tests.arena.bots:Cheating", "--games", "2", "--out", str(tmp_path / "new")) == 2
    assert "balance: the agent 'first' gave an answer that is not legal" in capfd.readouterr().err
    assert not list((tmp_path / "new").iterdir())


def test_bad_input_is_one_sentence(tmp_path, capfd):
    (tmp_path / "file").write_text("no checkpoint", "utf-8")
    for words, reason in (
        (["--agent", f"neural:{tmp_path / 'nowhere'}"], "there is no checkpoint to read"),
        (["--agent", f"neural:{tmp_path / 'file'}"], "is no checkpoint"),
        (["--agent", "nobody"], "there is no agent 'nobody'"),
        (["--games", "0"], "games must be at least 1"),
        (["--seed", "-1"], "a seed is"),
        (["--out", str(tmp_path / "file")], f"nothing can be written to {tmp_path / 'file'}: Not a directory"),
    ):
        assert exit_status(main, *words, *([] if "--out" in words else ["--out", str(tmp_path / "out")])) == 2
        shown = capfd.readouterr().err
        assert reason in shown
        assert shown.count("\n") == 1
    assert not (tmp_path / "out").exists()
