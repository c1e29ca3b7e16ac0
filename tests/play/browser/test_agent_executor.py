"""The threads in which agents answer: networks in one batch, time shared between tables, and time that tells nothing."""

import asyncio
import random
import threading
import time
from itertools import pairwise

import numpy as np
import pytest

from danmaku_env import GameConfig, Scenario
from danmaku_env.agents.base import answer
from danmaku_env.agents.search import SearchAgent
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.play.browser import agent_executor
from danmaku_env.play.browser import room as rooms
from danmaku_env.play.browser.agent_executor import AgentExecutor
from danmaku_env.play.browser.lobby import Lobby
from danmaku_env.play.browser.pace import Pace
from danmaku_env.play.browser.room import Room
from danmaku_env.play.browser.table import ServedTable, Setting
from danmaku_env.play.browser.together import WINDOWS
from danmaku_env.play.game_in_play import GameInPlay
from tests.play.browser.telling import MOST, told_apart

SEATS = ("person", "random", "random", "random")


class Network:
    """Agents that are one network: they answer the last of the legal answers, and note how many questions came at once."""

    name = "network"

    def __init__(self, fails=False):
        self.batches, self.fails = [], fails

    def batch_key(self, config):
        return "the same"

    def act(self, observations, masks, info_states=None):
        self.batches.append(len(masks))
        if self.fails:
            raise ValueError("no")
        return np.array([mask.nonzero()[0][-1] for mask in masks])


def tables_of(count, network, seed=3):
    config = GameConfig(num_players=4, characters="random")
    found = [ServedTable(Setting(config, SEATS, seed=seed + number)) for number in range(count)]
    for table in found:
        table.in_play.agents = dict.fromkeys((1, 2, 3), network)
        while table.asked_agent() is None:
            table.in_play.game.act(table.game.legal_actions()[-1])
    return found


def held(executor):
    """Keep the one thread busy until the event is set."""
    go = threading.Event()
    executor.submit(go.wait)
    return go


def test_networks_of_many_tables_answer_in_one_batch():
    network = Network()
    tables = tables_of(5, network)
    given = [len(table.game.replay().answers) for table in tables]
    with AgentExecutor(1) as threads:
        go = held(threads)
        asked = [threads.answer(table) for table in tables]
        go.set()
        assert all(isinstance(one.result(60), bool) for one in asked)
    assert network.batches == [5]
    assert [len(table.game.replay().answers) for table in tables] == [count + 1 for count in given]


def test_a_network_that_fails_is_replaced_at_every_table():
    tables = tables_of(3, Network(fails=True))
    with AgentExecutor(1) as threads:
        go = held(threads)
        asked = [threads.answer(table) for table in tables]
        go.set()
        [one.result(60) for one in asked]
    assert all("has failed" in table.people[0].notice for table in tables)


def test_a_table_that_cannot_take_its_answer_holds_up_no_other():
    tables = tables_of(3, Network())

    def failing(action, seconds):
        raise ValueError("no")

    tables[1].agent_answers = failing
    with AgentExecutor(1) as threads:
        go = held(threads)
        asked = [threads.answer(table) for table in tables]
        go.set()
        assert [type(one.exception(60)) for one in asked] == [type(None), ValueError, type(None)]
        assert threads.submit(lambda: threads._busy).result(60) == 1, "this one alone"


def test_what_fails_at_a_table_behind_the_scenes_is_said_in_the_terminal(tmp_path, capsys):
    async def fail():
        raise ValueError("no\x1b")

    async def look():
        room = Room(tables_of(1, Network())[0], None, None, tmp_path)
        room._later(fail())
        while room._tasks:
            await asyncio.sleep(0)

    asyncio.run(look())
    assert capsys.readouterr().err == "danmaku: a table has failed: ValueError('no\\x1b')\n"


def test_drawn_answers_are_in_no_batch_and_shipped_nets_are_one_network():
    neural = pytest.importorskip("danmaku_env.agents.neural")
    config = GameConfig(num_players=4)
    assert neural.NeuralAgent(seed=1).batch_key(config) == neural.NeuralAgent(seed=2).batch_key(config)
    assert neural.NeuralAgent(greedy=False).batch_key(config) is None


def test_agents_have_one_thread_of_torch_each():
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with AgentExecutor(1) as threads:
            assert threads.submit(torch.get_num_threads).result(60) == 1
    finally:
        torch.set_num_threads(before)


class Believer:
    """Believes what the deal allows, and notes how many ask it at once."""

    name = "believer"
    inside = most = 0

    def posterior(self, observations, info_states):
        self.inside += 1
        self.most = max(self.most, self.inside)
        time.sleep(0.1)
        self.inside -= 1
        found = np.zeros((1, 8, DANMAKU_SPEC.num_labels))
        found[0, : info_states.config.num_players] = info_states.role_assignments(0).marginals()
        return found


def test_the_belief_model_of_all_tables_is_asked_by_one_thread_at_a_time(tmp_path):
    async def look(lobby):
        rooms = [lobby._open(table) for table in tables_of(2, Network())]
        for room in rooms:
            room.table.people[0].believes = True
        return await asyncio.gather(*(room.seat_blocks(room.table.people[0]) for room in rooms))

    believer = Believer()
    with AgentExecutor(2) as threads:
        pages = asyncio.run(look(Lobby(["random"], threads, believer, tmp_path)))
    assert all("What believer would believe" in page["belief"] for page in pages)
    assert believer.most == 1


class Speechless:
    """A belief model that fails."""

    name = "speechless"

    def posterior(self, observations, info_states):
        raise ValueError("no")


def test_where_the_belief_model_fails_the_page_goes_on(tmp_path, capsys):
    async def look(lobby):
        room = lobby._open(tables_of(1, Network())[0])
        room.table.people[0].believes = True
        return [await room.seat_blocks(room.table.people[0]) for _ in range(2)]

    with AgentExecutor(1) as threads:
        pages = asyncio.run(look(Lobby(["random"], threads, Speechless(), tmp_path)))
    assert [page["belief"] for page in pages] == ["<p>Nobody here can say.</p>"] * 2
    said = capsys.readouterr().err
    assert "speechless" in said
    assert said.count("\n") == 1, "once for a position"


def test_the_more_tables_wait_the_less_time_an_answer_has():
    each = []

    class Noting:
        game = tables_of(1, Network())[0].game

        def asked_agent(self):
            return None

        def agents_answer(self, seconds, limit):
            each.append(limit)
            return True

    with AgentExecutor(1) as threads:
        go = held(threads)
        asked = [threads.answer(Noting()) for _ in range(20)]
        go.set()
        [one.result(60) for one in asked]
    assert each == pytest.approx([agent_executor.SECONDS / waiting for waiting in range(20, 0, -1)])


def test_a_search_ends_when_its_time_is_up():
    game = Scenario(num_players=6).seat(0, hand=["shoot", "grimoire", "power", "party"]).turn(0).build(seed=1)
    agent = SearchAgent(1, simulations=1 << 30)
    in_play = GameInPlay(game, dict.fromkeys(range(6), agent))
    begun = time.monotonic()
    in_play._agent_answers(0, 0.2)
    assert 0.2 <= time.monotonic() - begun < 20
    assert agent.time_limit == 0.2
    assert answer(SearchAgent(1, simulations=8), game) in game.legal_actions()


def test_agents_are_slow_once_several_answers_took_long():
    table = ServedTable(Setting(GameConfig(num_players=4, characters="random"), SEATS, seed=3))
    while table.asked_agent() is None:
        table.in_play.game.act(table.game.legal_actions()[-1])
    assert table.tick == table.pace.tick
    for seconds in (0.001, 0.5, 0.001, 0.5, 0.5):
        assert table.tick == table.pace.tick
        table.in_play._seconds.append(seconds)
    assert table.tick == table.pace.slow_tick
    table.in_play._seconds.clear()
    assert table.tick == table.pace.slow_tick, "what was slow once is slow"


# ---------------------------------------------------------------- time tells nothing


class Clock:
    """Time that goes by only where somebody sleeps or thinks."""

    now = 1000.0

    def monotonic(self):
        return self.now

    time, strftime = monotonic, staticmethod(time.strftime)


class Thinker:
    """Takes as long as a search does: in a window hardly any time without a reaction in hand, elsewhere some."""

    name = "thinker"

    def __init__(self, clock, rng, reacts):
        self.clock, self.rng, self.reacts, self.asked, self.table = clock, rng, reacts, 0, None

    def act(self, observations, masks, info_states=None):
        self.asked += len(masks)
        thinks = self.reacts or self.table.game.question not in WINDOWS
        self.clock.now += self.rng.lognormvariate(0.0, 0.3) * (0.038 if thinks else 0.00015)
        return [int(mask.nonzero()[0][-1]) for mask in masks]


async def _times(monkeypatch, pace, reacts, number):
    """Seconds from a person's answers to the next frame, and between frames, with agents that have a reaction in hand or none."""
    clock, rng, found = Clock(), random.Random(2 * number + reacts), []

    async def sleep(seconds, sleep=asyncio.sleep):
        clock.now += max(0.0, seconds)
        await sleep(0)

    monkeypatch.setattr(rooms, "time", clock)
    monkeypatch.setattr("danmaku_env.play.game_in_play.time", clock)
    monkeypatch.setattr(rooms.asyncio, "sleep", sleep)
    with AgentExecutor(1) as threads:
        agent = Thinker(clock, rng, reacts)
        config = GameConfig(num_players=4, ask_everyone=True)
        game = Scenario(config=config).seat(0, hand=["grimoire", "power", "party", "shoot"]).turn(0).build(seed=number)
        table = ServedTable(Setting(game.config, SEATS), now=clock.monotonic, game=game, pace=pace)
        table.in_play.agents, agent.table = dict.fromkeys((1, 2, 3), agent), table
        table.in_play._seconds.extend([0.04] * 3)  # the agents of this table have been found to be slow
        room = Room(table, threads, None, None)
        room._end = _nothing
        frames = []
        table.reveal = lambda reveal=table.reveal: (reveal(), frames.append(clock.now))
        table.settle()
        for _ in range(40):
            if table.pending is None or table.game.over:
                break
            agent.asked = 0
            clock.now += rng.uniform(0.5, 2.0)
            person, frames[:] = table.people[0], [clock.now]
            table.answer(person, person.question, table.game.legal_actions()[-1])
            await room._play_on()
            if agent.asked:
                found += [later - frame + rng.gauss(0.0, 0.004) for frame, later in pairwise(frames)]  # the network
    return found


async def _nothing():
    pass


def waits_told_apart(monkeypatch, pace):
    """How well waits tell whether somebody had a reaction in hand."""
    with monkeypatch.context() as patched:
        runs = [[asyncio.run(_times(patched, pace, reacts, number)) for number in range(10)] for reacts in (0, 1)]
    return told_apart(*([wait for waits in one for wait in waits] for one in runs))


def test_time_between_answer_and_frame_tells_nothing_of_hands(monkeypatch):
    assert waits_told_apart(monkeypatch, Pace()) < MOST
    assert waits_told_apart(monkeypatch, Pace(tick=1e-6, slow_tick=1e-6)) > MOST, "a table that does not wait tells"
