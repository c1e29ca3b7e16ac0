"""Stable-Baselines3's environments over the batch: shapes, masks, and every payoff where it belongs."""

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import DQN
from stable_baselines3.common.torch_layers import FlattenExtractor

from danmaku_env import ConfigError, GameConfig, Scenario, make_vec
from danmaku_env.agents import registry
from danmaku_env.engine.actions import NUM_ACTIONS
from danmaku_env.envs.aec import DanmakuAEC
from danmaku_env.nets.checkpoints import CHECKPOINT, read_tensors
from danmaku_env.training import sb3_maskable
from danmaku_env.training.sb3 import OneSeatVecEnv, SelfPlayBuffer, SelfPlayVecEnv, save_model
from tests.command import exit_status, told

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
GAMES = 12
PLAYERS = 6
SMALL = ["--games", "4", "--window", "8", "--batch", "8", "--hidden", "8"]


def any_legal(table, rng):
    """A random legal answer in every column."""
    masks = table.action_masks()
    wanted = (rng.random(len(masks)) * masks.sum(1)).astype(np.int64)
    return (masks.cumsum(1) <= wanted[:, None]).sum(1)


def learner(table, **settings):
    """A small model that trains in a self-play table."""
    buffer = {"rollout_buffer_class": SelfPlayBuffer, "rollout_buffer_kwargs": {"table": table}}
    return MaskablePPO("MlpPolicy", table, n_steps=32, batch_size=64, n_epochs=1, gamma=1.0, device="cpu", seed=1,
                       policy_kwargs={"net_arch": [8]}, **buffer, **settings)  # fmt: skip


@pytest.mark.parametrize("make", [lambda: OneSeatVecEnv(3, num_players=4), lambda: SelfPlayVecEnv(3, GameConfig(num_players=4))])
def test_columns_are_what_stable_baselines_expects(make):
    table = make()
    rng = np.random.default_rng(1)
    observations = table.reset()
    assert is_masking_supported(table)
    for _ in range(30):
        assert observations.shape == (3, *table.observation_space.shape)
        assert all(table.observation_space.contains(row) for row in observations)
        masks = get_action_masks(table)
        assert masks.shape == (3, NUM_ACTIONS)
        assert masks.any(1).all()
        observations, rewards, dones, infos = table.step(any_legal(table, rng))
        assert rewards.shape == dones.shape == (3,)
        assert len(infos) == 3
    with pytest.raises(AttributeError, match="no method 'reset_game'"):
        table.env_method("reset_game")
    with pytest.raises(AttributeError, match="share their attributes"):
        table.set_attr("seed", 1)
    table.close()


@pytest.mark.filterwarnings("error")
def test_evaluation_finds_the_statistics_of_a_monitor():
    model = MaskablePPO("MlpPolicy", OneSeatVecEnv(4, num_players=4, learner="any"), n_steps=32, batch_size=32, device="cpu")
    table = OneSeatVecEnv(4, num_players=4, learner="any", seed=6, max_turns=4)
    returns, lengths = evaluate_policy(model, table, n_eval_episodes=4, return_episode_rewards=True)
    assert set(returns) <= {-1.0, 0.0, 1.0}
    assert min(lengths) >= 1


def test_tables_are_drawn():
    table = OneSeatVecEnv(2, num_players=4, render_mode="rgb_array")
    table.reset()
    assert (table.render_mode, table.get_attr("render_mode")) == ("rgb_array", ["rgb_array"] * 2)
    height, width, _ = table.get_images()[0].shape
    assert table.render().shape == (2 * height, width, 3)
    table = OneSeatVecEnv(2, num_players=4, render_mode="ansi")
    table.reset()
    assert all("as seat 0 sees it" in text for text in table.env_method("render"))


def test_seeds_and_positions_are_those_of_the_next_reset():
    table = OneSeatVecEnv(2, num_players=4, learner=0)
    assert table.seed(5) == [5, 6]
    first = table.reset()
    assert not np.array_equal(first, table.reset())
    table.seed(5)
    assert np.array_equal(first, table.reset())
    scene = Scenario(num_players=4)
    game = scene.seat(0, role="heroine", hand=["shoot"]).turn(0, step="main").build(seed=1)
    table.set_options({"game": game})
    assert all((row == game.observe(0)).all() for row in table.reset())
    assert [info["opponents"].tolist() for info in table.reset_infos] == [[-1, 0, 0, 0]] * 2
    assert not any((row == game.observe(0)).all() for row in table.reset())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"autoreset_mode": "NextStep"}, "leave autoreset_mode out: in OneSeatVecEnv the next game begins in the same step"),
        ({"copy": True}, "leave copy out"),
    ],
)
def test_what_columns_cannot_be_is_said_when_they_are_made(options, words):
    with pytest.raises(ConfigError, match=words):
        OneSeatVecEnv(2, num_players=4, **options)


@pytest.mark.parametrize("given", [{"gmae": 1}, [{}], [1, 2], 5])
def test_options_that_nobody_would_look_at_are_refused(given):
    one, every = OneSeatVecEnv(2, num_players=4), SelfPlayVecEnv(2, GameConfig(num_players=4))
    with pytest.raises(ConfigError, match="takes the option game: a mapping, or a list of 2 of them, not"):
        one.set_options(given)
    with pytest.raises(ConfigError, match="takes no option: a mapping"):
        every.set_options(given)


@pytest.mark.parametrize("make", [lambda seed: OneSeatVecEnv(2, seed=seed), lambda seed: SelfPlayVecEnv(2, seed=seed)])
def test_a_bad_seed_is_refused_before_the_reset(make):
    table = make(3)
    for call in (make, table.seed):
        with pytest.raises(ConfigError, match=r"a seed is a whole number from 0, not 0\.5"):
            call(0.5)
    table.close()


class TutorialWrapper(DanmakuAEC):
    """An AEC environment as a single Gymnasium one, in the way PettingZoo's tutorial shows it: what `last()` says after a step."""

    def step(self, action):
        super().step(action)
        _, reward, terminated, truncated, _ = self.last()
        return reward, terminated or truncated


def test_every_payoff_reaches_the_seat_it_belongs_to():
    """Whole games of random answers: the tutorial's way pays one seat a game; self-play columns pay every seat what the game pays it."""
    rng = np.random.default_rng(2)
    paid = 0
    env = TutorialWrapper(num_players=PLAYERS)
    for game in range(GAMES):
        env.reset(seed=game)
        over = False
        while not over:
            reward, over = env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
            paid += reward != 0
    assert paid <= GAMES < GAMES * PLAYERS

    table = SelfPlayVecEnv(4, GameConfig(num_players=PLAYERS), seed=3)
    buffer = SelfPlayBuffer(64, table.observation_space, table.action_space, "cpu", gae_lambda=0, n_envs=4, table=table)
    observations, expected, delivered, high = table.reset(), [], [], torch.full((4,), 1000.0)
    while len(expected) < GAMES * PLAYERS:
        buffer.reset()
        for _ in range(64):
            masks = table.action_masks()
            answers = any_legal(table, rng)
            after, _, dones, infos = table.step(answers)
            buffer.add(observations, answers, None, None, high, torch.zeros(4), masks)
            observations = after
            expected += [payoff for row in np.flatnonzero(dones) for payoff in infos[row]["payoffs"][:PLAYERS].tolist()]
        buffer.compute_returns_and_advantage(None, None)
        # with a lambda of zero a return is what the game pays, after a seat's last decision, or else the value of its next position
        delivered += buffer.returns[buffer.returns < 500].tolist()
    assert sorted(delivered) == sorted(expected)


def test_decisions_are_trained_on_once_with_what_was_seen():
    """Over several rollouts each decision comes out of the buffer once, with the observation it was made on."""
    table = SelfPlayVecEnv(3, GameConfig(num_players=4, max_turns=8), seed=5)
    buffer = SelfPlayBuffer(16, table.observation_space, table.action_space, "cpu", n_envs=3, table=table)
    rng, observations, zeros = np.random.default_rng(1), table.reset(), torch.zeros(3)
    put, got = [], []
    for _ in range(12):
        buffer.reset()
        for _ in range(16):
            masks, answers = table.action_masks(), any_legal(table, rng)
            put += [(row.tobytes(), int(answer)) for row, answer in zip(observations, answers, strict=True)]
            after, *_ = table.step(answers)
            buffer.add(observations, answers, None, None, zeros, zeros, masks)
            observations = after
        buffer.compute_returns_and_advantage(None, None)
        for batch in buffer.get(20):
            for row, action, mask in zip(batch.observations.numpy(), batch.actions.numpy(), batch.action_masks.numpy(), strict=True):
                assert mask[int(action[0])]
                got.append((row.tobytes(), int(action[0])))
    assert len(got) > 0.8 * len(put)
    left = sorted(put)
    for decision in got:
        left.remove(decision)


def test_what_a_reset_breaks_off_is_not_continued_by_the_games_after_it():
    """`learn` resets its environment: other games are dealt then, and decisions of the old ones have no successor among theirs."""
    table = SelfPlayVecEnv(4, GameConfig(num_players=4), seed=3)
    model = learner(table)
    model.learn(4 * 32)
    buffer, dealt, running = model.rollout_buffer, table._vec.games["seed"].tolist(), table.games.copy()
    waiting, in_front = buffer._waiting.sum(), 4 * buffer._carried
    model.learn(4 * 32, reset_num_timesteps=False)
    assert (buffer._rows < in_front).sum() > waiting / 2, "a run that goes on has no reset"
    model.learn(4 * 32)
    assert len(buffer._rows)
    assert (buffer._rows >= in_front).all()
    assert set(table._vec.games["seed"].tolist()).isdisjoint(dealt)
    assert (table.games > running).all()
    again = SelfPlayVecEnv(4, GameConfig(num_players=4), seed=3)
    first, second = again.reset(), again.reset()
    assert (first != second).any()
    again.seed(3)
    assert (again.reset() == first).all()
    assert (again.reset() == second).all()


@pytest.mark.slow
def test_maskable_ppo_trains_in_both():
    learner(SelfPlayVecEnv(4, GameConfig(num_players=4), seed=1)).learn(4 * 32 * 3)
    one = MaskablePPO("MlpPolicy", OneSeatVecEnv(4, num_players=4, learner="any"), n_steps=32, batch_size=64, n_epochs=1, device="cpu")
    assert one.learn(4 * 32 * 2).num_timesteps == 256


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--self-play",), ("--self-play", "--expansion", "lunatic_extra")])
def test_the_command_trains_and_reports(more, tmp_path, capsys):
    words = ["--seconds", "1", "--players", "4", "--games", "8", "--window", "16", "--batch", "64", "--final-games", "6"]
    assert exit_status(sb3_maskable.main, *words, "--folder", str(tmp_path / "run"), *more) == 0
    said = capsys.readouterr().out
    assert "games won in one seat, 6 games, the others random" in said
    assert (tmp_path / "run" / "model.zip").exists()


def test_ctrl_c_keeps_what_was_learned(tmp_path, capsys, monkeypatch):
    def pressed(clock):
        if clock.num_timesteps == 4 * 8 * 3:  # two updates and a window
            raise KeyboardInterrupt
        return True

    monkeypatch.setattr(sb3_maskable.Clock, "_on_step", pressed)
    words = [*SMALL, "--players", "4", "--folder", str(tmp_path / "run")]
    assert exit_status(sb3_maskable.main, *words) == 130
    assert f"stopped; {tmp_path / 'run' / 'model.zip'} is what it had learned in 96 decisions" in capsys.readouterr().out
    assert MaskablePPO.load(tmp_path / "run" / "model.zip").num_timesteps == 96


def test_a_run_is_resumed_and_plays_as_an_agent(tmp_path, capsys):
    run, agent = tmp_path / "run", f"policy:{tmp_path / 'run'}"
    words = [*SMALL, "--folder", str(run), "--seconds", "0", "--report-deals", "0", "--final-games", "2"]
    assert exit_status(sb3_maskable.main, *words, "--self-play", "--players", "6", "--decisions", "60", "--seed", "3") == 0
    vec = make_vec(16, 6)
    vec.reset(1)
    model = MaskablePPO.load(run / sb3_maskable.MODEL)
    likeliest = model.predict(vec.observations, action_masks=vec.action_masks != 0, deterministic=True)[0]
    assert registry.make(agent, 0).act(vec.observations, vec.action_masks).tolist() == likeliest.tolist()
    before = read_tensors(run / CHECKPOINT)
    assert before[1]["decisions"] == 64
    assert exit_status(sb3_maskable.main, *words, "--resume", "--decisions", "64") == 0, "nothing is left to do"
    assert torch.equal(read_tensors(run / CHECKPOINT)[0]["action_net.weight"], before[0]["action_net.weight"])
    assert exit_status(sb3_maskable.main, *words, "--resume", "--decisions", "100") == 0
    tensors, about = read_tensors(run / CHECKPOINT)
    assert about["decisions"] == 128
    assert about["args"]["self_play"]
    assert tensors["adam.0.step"] > before[0]["adam.0.step"]
    assert exit_status(sb3_maskable.main, *words, "--resume", "--learning-rate", "0.1") == 2
    assert "learning_rate is 0.001 in the run to resume" in capsys.readouterr().err


def test_the_policy_of_any_such_model_is_written(tmp_path):
    table = SelfPlayVecEnv(2, GameConfig(num_players=4))
    model = MaskablePPO("MlpPolicy", table, n_steps=8, batch_size=8, device="cpu", policy_kwargs={"net_arch": {"pi": [5, 6], "vf": [7]}})
    save_model(model, tmp_path / "mine.safetensors")
    rows, masks = table.reset(), table.action_masks()
    chances = registry.make(f"policy:{tmp_path / 'mine.safetensors'},greedy=no", 0).probabilities(rows, masks)
    wanted = model.policy.get_distribution(torch.from_numpy(rows), action_masks=masks).distribution.probs
    np.testing.assert_allclose(chances, wanted.detach().numpy(), atol=1e-5)
    for kwargs, why in (({"activation_fn": torch.nn.ELU}, "not ELU"), ({"features_extractor_class": Twice}, "more than its layers")):
        odd = MaskablePPO("MlpPolicy", table, n_steps=8, batch_size=8, device="cpu", policy_kwargs=kwargs)
        with pytest.raises(ValueError, match=why):
            save_model(odd, tmp_path / "odd.safetensors")
    with pytest.raises(ValueError, match="an MlpPolicy of PPO, A2C or MaskablePPO can be written, not DQNPolicy"):
        save_model(DQN("MlpPolicy", OneSeatVecEnv(2, num_players=4), buffer_size=8, device="cpu"), tmp_path / "odd.safetensors")


class Twice(FlattenExtractor):
    def forward(self, observations):
        return 2 * super().forward(observations)


def test_a_folder_is_looked_at_before_anything_is_trained(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sb3_maskable, "train", None)
    (tmp_path / "file").touch()
    (tmp_path / CHECKPOINT).touch()
    held = "already holds a run: resume it, or name another folder"
    for folder, message in ((tmp_path / "file", "nothing can be written to"), (tmp_path, held)):
        assert exit_status(sb3_maskable.main, "--folder", str(folder)) == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            ["--opponents", "tests.arena.bots:Raising:seldom=97"],
            "sb3_maskable: the agent 'first' failed while it played: ValueError: <b>$no$</b>\n",
        ),
        (["--opponents", "tests.arena.bots:Leaving:seldom=97"], "sb3_maskable: the agent 'first' failed while it played: SystemExit: 3\n"),
        (
            ["--learning-rate", "1e6"],
            "sb3_maskable: training stopped: the network has become NaN; a smaller --learning-rate than 1e+06 may help\n",
        ),
    ],
)
def test_what_ends_training_is_a_sentence(more, said, tmp_path, capsys):
    words = ["--seconds", "600", "--players", "4", "--games", "4", "--window", "8", "--batch", "8", "--hidden", "8"]
    assert exit_status(sb3_maskable.main, *words, "--folder", str(tmp_path / "run"), *more) == 2
    assert capsys.readouterr().err.endswith(said)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("games", [1, 5, 7])
def test_as_many_games_are_played_at_the_end_as_are_said(games, monkeypatch):
    monkeypatch.setattr(sb3_maskable, "_ROWS", 3)
    assert len(sb3_maskable.payoffs(None, told(sb3_maskable.SB3Args, players=4, final_games=games))) == games


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--players", "3"), "num_players must be a whole number from 4 to 8"),
        (("--self-play", "--opponents", "heuristic"), "in self-play every seat learns"),
        (("--expansion", "lunatic"), "--expansion"),
        (("--batch", "1"), "batch must be at least 2"),
        (("--games", "1", "--window", "1"), "of 1 times 1 decisions, batches of 1024 leave a single one"),
        (("--self-play", "--games", "9", "--window", "6"), "in self-play window must be at least 8, not 6"),
        (("--learning-rate", "nan"), "learning_rate must be above 0, not nan"),
        (("--seconds", "-1"), "seconds must not be negative or infinite"),
        (("--seconds", "inf"), "seconds must not be negative or infinite"),
        (("--learning-rate", "inf"), "learning_rate must be from 0 to 1e+06, not inf"),
        (("--opponents", "nobody"), "opponents: there is no agent 'nobody'"),
    ],
)
def test_bad_options_are_one_sentence(words, message, capsys):
    assert exit_status(sb3_maskable.main, *words) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_model_is_there_whole_or_as_it_was(tmp_path):
    """What an interrupted save leaves is the model before, and nothing else."""

    class Torn:
        def save(self, room):
            room.write(b"half")
            raise KeyboardInterrupt

    path = tmp_path / sb3_maskable.MODEL
    path.write_bytes(b"whole")
    with pytest.raises(KeyboardInterrupt):
        sb3_maskable.save(Torn(), path)
    assert path.read_bytes() == b"whole"
    assert [file.name for file in tmp_path.iterdir()] == [sb3_maskable.MODEL]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"games": "8"}, "games must be a whole number, not '8'"), ({"seconds": None}, "seconds must be a number, not None"),
        ({"self_play": 1}, "self_play must be True or False, not 1"), ({"opponents": 3}, "opponents must be a text, not 3"),
        ({"folder": 3}, "folder must be a path, not 3"), ({"folder": "x "}, "folder must not begin or end with a blank, as in 'x '"),
        ({"expansion": "other"}, "expansion must be"),
    ],
)  # fmt: skip
def test_options_of_another_type_are_refused_in_a_sentence(given, why):
    with pytest.raises(ValueError, match=why):
        told(sb3_maskable.SB3Args, **given)


def test_numbers_of_numpy_and_texts_are_taken_as_what_they_say(tmp_path):
    args = sb3_maskable.SB3Args(games=np.int64(8), seconds=np.float32(2), folder=str(tmp_path))
    assert (type(args.games), args.games, type(args.seconds), args.folder) == (int, 8, float, tmp_path)
