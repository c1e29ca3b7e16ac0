import numpy as np
import pytest
import torch

from danmaku_env import GameConfig
from danmaku_env.agents.nets import Net
from danmaku_env.agents.random import RandomAgent
from danmaku_env.agents.registry import AgentError
from danmaku_env.arena.roles import GROUPS, group_names
from danmaku_env.training import evaluate
from danmaku_env.training.evaluate import Gain, gains_by_group, play, record_game, win_rates

CONFIG = GameConfig(num_players=6)


@pytest.fixture(scope="module", params=["none", "motives"])
def net(request):
    torch.manual_seed(1)
    return Net(8, adviser=request.param)


def test_group_names_follow_the_table_size():
    assert group_names(CONFIG) == ["Heroine", "Partner", "Stage Boss", "Extra Boss"]
    assert group_names(GameConfig(num_players=4)) == ["Heroine", "Stage Boss", "Extra Boss"]
    assert group_names(GameConfig(num_players=8)) == list(GROUPS)


def test_every_group_plays_the_same_deals(net, monkeypatch):
    monkeypatch.setattr(evaluate, "_ROWS", 4)
    _, base = play(None, None, CONFIG, games=10, seed=4)
    assert base.shape == (12, 8)
    assert ((base == GROUPS["Heroine"]).sum(1) == 1).all()
    assert ((base == GROUPS["Partner"]).sum(1) == 1).all()
    assert ((base == GROUPS["Stage Boss"]).sum(1) == 3).all()
    assert (base[:, 6:] == 0).all()
    _, same = play(net, "Heroine", CONFIG, games=10, seed=4)
    np.testing.assert_array_equal(base, same)


def test_only_the_groups_seats_ask_the_net(net, monkeypatch):
    asked = []

    def spy(net, observations, masks, dice):
        asked.append(observations.copy())
        return masks.argmax(1)

    monkeypatch.setattr(evaluate, "choose_actions", spy)
    play(net, "Extra Boss", CONFIG, games=4, seed=4)
    from danmaku_env.cards.box import NUM_ROLES, ROLE_IDS
    from danmaku_env.engine.pieces import OFFSETS

    own = np.concatenate(asked)[:, OFFSETS["role"] : OFFSETS["role"] + NUM_ROLES - 1]
    roles = {ROLE_IDS[place + 1] for place in own.argmax(1)}
    assert roles <= {"ex_boss", "phantom_boss", "ex_boss_revealed", "true_phantom_boss"}


def test_results_repeat(net):
    for greedy in (True, False):
        first, second = (play(net, None, CONFIG, games=8, seed=9, greedy=greedy)[0] for _ in range(2))
        np.testing.assert_array_equal(first, second)


def test_gains_compare_random_play_with_the_net(net):
    ticks = []
    gains = gains_by_group(net, CONFIG, games=32, seed=2, threads=2, tick=ticks.append)
    assert sum(ticks) == 32 * 5
    assert [gain.group for gain in gains] == group_names(CONFIG)
    for gain in gains:
        assert gain.games == 32
        assert gain.gain == pytest.approx(gain.trained - gain.usual)
        assert 0 < gain.gain_error < 0.4
    rates = win_rates(net, CONFIG, games=32, seed=2)
    assert rates == {gain.group: pytest.approx(gain.trained) for gain in gains}


def test_others_are_asked_for_all_other_seats(net):
    """With the net in no seat they play alone; what they and the net are asked together is all there is."""

    class Counting(RandomAgent):
        asked = 0

        def act(self, observations, masks, handles=None):
            assert len(handles) == len(masks)
            assert (handles.seats == [handles[row].seat for row in range(len(masks))]).all()
            Counting.asked += len(masks)
            return super().act(observations, masks)

    base, dealt = play(None, None, CONFIG, games=4, seed=4, others=Counting(1))
    alone = Counting.asked
    assert alone > 200
    again, _ = play(None, None, CONFIG, games=4, seed=4, others=Counting(1))
    np.testing.assert_array_equal(base, again)
    play(net, None, CONFIG, games=4, seed=4, others=Counting(1))
    assert Counting.asked == 2 * alone
    _, same = play(net, "Heroine", CONFIG, games=4, seed=4, others=Counting(1))
    np.testing.assert_array_equal(dealt, same)
    assert Counting.asked > 2 * alone


def test_gains_over_an_agent_by_name(net):
    gains = gains_by_group(net, CONFIG, games=16, seed=2, others="heuristic", threads=2)
    again = gains_by_group(net, CONFIG, games=16, seed=2, others="heuristic")
    assert gains == again
    assert gains[0].usual != gains_by_group(net, CONFIG, games=16, seed=2)[0].usual
    with pytest.raises(AgentError, match="there is no agent 'shark'"):
        gains_by_group(net, CONFIG, games=16, seed=2, others="shark")


def test_the_table_says_what_is_shown():
    gains = [Gain("Heroine", 10, 0.3, 0.1, 0.5, 0.1, 0.2, 0.1), Gain("Partner", 10, 0.3, 0.1, 0.35, 0.1, 0.05, 0.1)]
    table = evaluate.gains_table(gains, "title")
    assert list(table.columns[-1].cells) == ["yes", "not shown"]
    assert next(iter(table.columns[2].cells)) == "30.0% ± 10.0%"


@pytest.mark.parametrize("games", [1, 2, 3])
def test_few_games_show_nothing_however_they_end(games, tmp_path, monkeypatch):
    """Random answers win none of them, the net all."""
    roles = np.tile([GROUPS["Heroine"], GROUPS["Stage Boss"]], (games, 1))
    monkeypatch.setattr(evaluate, "group_names", lambda config: ["Heroine"])
    monkeypatch.setattr(evaluate, "play", lambda net, *_, **__: (np.full((games, 2), 1.0 if net else -1.0), roles))
    gains = gains_by_group(Net(8), CONFIG, games=games, seed=1)
    table = evaluate.gains_table(gains, "title")
    assert (gains[0].gain, *table.columns[-1].cells) == (1, "not shown")
    assert [next(iter(column.cells)) for column in table.columns[2:5]] == ["0.0%", "100.0%", "+100.0%"]
    evaluate.save_plot(tmp_path / "plot.png", {"random": gains}, np.zeros((1, 2)), ["Heroine"])
    assert (tmp_path / "plot.png").stat().st_size > 1000


def test_the_intervals_of_few_games_hold_the_truth():
    dice = np.random.default_rng(3)
    for games in (4, 12):
        drawn = [evaluate._mean(dice.choice([-1.0, 0.0, 0.0, 1.0], size=games)) for _ in range(400)]
        assert np.mean([abs(mean) <= half for mean, half in drawn]) > 0.92


def test_a_recorded_game_plays_back(net):
    for greedy in (True, False):
        replay = record_game(net, CONFIG, seed=3, greedy=greedy)
        assert replay.agents == ("trained",) * 6
        assert replay.play().over
