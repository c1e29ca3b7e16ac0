"""The population: nets as opponents by name."""

import numpy as np
import pytest

from danmaku_env import Game, GameConfig
from danmaku_env.agents import make, population
from danmaku_env.agents.base import answer
from danmaku_env.agents.registry import AgentError, fingerprint, is_own, names
from danmaku_env.nets.checkpoints import load_checkpoint, load_net, save_checkpoint
from danmaku_env.nets.selfplay_nets import SeatsNet


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A population of two small nets in a folder of its own."""
    monkeypatch.setenv(population.VARIABLE, str(tmp_path))
    for number in (1, 2):
        save_checkpoint(tmp_path / f"{number}.safetensors", SeatsNet(8, 8).half(), {}, {})
    return tmp_path


def test_a_member_plays_as_its_file(folder):
    game = Game.new(GameConfig(num_players=6), seed=4)
    for _ in range(30):
        mine, named = (answer(make(spec, 0), game) for spec in ("population:2", f"neural:{folder / '2.safetensors'}"))
        assert mine == named
        game.act(mine)


def test_a_comma_in_the_name_of_the_folder_is_no_comma_between_options(tmp_path, monkeypatch):
    odd = tmp_path / "nets, all"
    odd.mkdir()
    save_checkpoint(odd / "1.safetensors", SeatsNet(8, 8).half(), {}, {})
    monkeypatch.setenv(population.VARIABLE, str(odd))
    assert make("population:1,greedy=no", 0).name == "neural"


def test_it_is_no_agent_by_its_name_alone_and_nobody_s_own_code(folder):
    assert "population" not in names()
    assert not is_own("population:1")
    assert not is_own("population:Bot")


def test_its_options_are_those_of_neural(folder):
    game, drawn = Game.new(GameConfig(num_players=6), seed=4), make("population:1,greedy=no", 7)
    rows, masks = np.tile(game.observe(game.asking), (64, 1)), np.tile(game.action_mask(), (64, 1))
    assert len(set(make("population:1", 7).act(rows, masks).tolist())) == 1
    assert len(set(drawn.act(rows, masks).tolist())) > 1


def test_a_member_is_known_by_its_weights(folder):
    before = fingerprint("population:1")
    assert before != fingerprint("population:2")
    save_checkpoint(folder / "1.safetensors", SeatsNet(8, 8).half(), {}, {})
    assert fingerprint("population:1") != before


def test_half_precision_is_widened(folder):
    assert all(tensor.dtype.is_floating_point and tensor.itemsize == 4 for tensor in load_net(folder / "1.safetensors").parameters())


@pytest.mark.parametrize("number", ["3", "0", "-1", "", "../1", "1.5", "9" * 5000])
def test_whoever_is_no_member_is_refused(folder, number):
    with pytest.raises(AgentError, match=r"the members of the population in .* are 1 to 2, not"):
        make(f"population:{number}", 0)


def test_without_a_population_a_sentence_says_where_it_comes_from(tmp_path, monkeypatch):
    monkeypatch.setenv(population.VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(AgentError, match=r"holds no population: it comes with a checkout, and --population or DANMAKU_POPULATION"):
        make("population:1", 0)


def test_the_population_of_the_checkout_has_eight_members_that_say_how_they_were_made():
    assert population.numbers() == list(range(1, 9))
    page = (population.folder() / "README.md").read_text()
    for number in population.numbers():
        about = load_checkpoint(population.member(str(number)))[2]
        assert "command" in about or "teacher" in about
        assert f"\n| {number} |" in page
