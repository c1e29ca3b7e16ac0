"""A person at the table: what they are shown, what they may take back, and that it is no more than their seat may know."""

import random
import re
import signal
from collections import Counter

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, Replay, Scenario, resample
from danmaku_env.agents import by_faction
from danmaku_env.agents.base import BeliefModel, answer, play_out
from danmaku_env.agents.heuristic import HeuristicAgent
from danmaku_env.agents.random import RandomAgent
from danmaku_env.agents.seating import default_belief_model, seat_agents, split_specs
from danmaku_env.beliefs.factions import FACTIONS
from danmaku_env.cards.box import NUM_ROLES, ROLE_IDS
from danmaku_env.play.beliefs import percent
from danmaku_env.play.person import TerminalGame
from danmaku_env.render.asking import explanation, question, question_words, subject
from danmaku_env.wording import ROLE_NAMES
from tests.play.typed import Typed


def sit(*lines, players=4, seed=5, seat=0, game=None, **more):
    """A game against random seats, played with these lines at a terminal."""
    game = game or Game.new(GameConfig(num_players=players), seed)
    agents = {other: RandomAgent(other) for other in range(players) if other != seat}
    terminal = TerminalGame(game, seat, agents, Typed(*lines), **more)
    terminal.play()
    return terminal


class Certain:
    """Is sure that everybody has the role of its own number at the table, counted from the observer, and that seats beyond have none."""

    name = "certain"

    def posterior(self, observations, info_states):
        rows = np.zeros((len(observations), 8, NUM_ROLES))
        for place, role in enumerate(("heroine", "partner", "stage_boss", "ex_boss")):
            rows[:, place, ROLE_IDS.index(role)] = 1
        rows[:, 4:, 0] = 1
        return rows


# ---------------------------------------------------------------- what is shown


def test_a_question_shows_what_happened_the_table_and_explained_answers():
    text = sit("1").screen.text
    assert "You are seat 0 of 4; against you: 1 random, 2 random, 3 random." in text
    assert "You are asked: Which character do you take?" in text
    assert text.count("as seat 0 sees it") == 2
    first, second = text.split("as seat 0 sees it")[1:]
    assert "--- turn 1" in first, "what happened comes before the table"
    assert "You are asked: " in second


def test_what_was_told_is_not_told_again():
    text = sit(*["1"] * 12, seed=8).screen.text
    turns = [line.strip() for line in text.splitlines() if line.strip().startswith("--- turn")]
    assert len(turns) > 3
    assert len(turns) == len(set(turns))


def test_answers_carry_a_short_explanation():
    game = Scenario(num_players=4).seat(0, hand=["grimoire", "graze", "one_up"], items=["mini_hakkero"]).turn(0).build(seed=1)
    assert explanation(game, "play grimoire") == "Draw 2 cards."
    assert explanation(game, "play one_up").startswith("1UP: A player of your choice regains 1 life.")
    assert explanation(game, "use mini_hakkero") == "Mini-Hakkero: Discard 2 cards to activate your Spell Card."
    assert explanation(game, "pass") == "end the main step"
    assert explanation(game, "choose seat:0") == "you"
    assert explanation(game, "choose seat:2") == "seat 2, 4 life"
    assert explanation(game, "choose season:spring") == ""
    text = sit("q", game=game).screen.text
    assert [line.split() for line in text.splitlines() if "Play Grimoire" in line] == [["2", "Play", "Grimoire", "Draw", "2", "cards."]]


def test_the_question_names_the_card_that_asks():
    game = Scenario(num_players=4).seat(0, hand=["shoot", "shoot", "laser_shot"]).turn(0).build(seed=1)
    assert question_words(game).startswith("main - Your main step")
    game.act("play laser_shot")
    assert question_words(game) == "target for Laser Shot - Which player? You attack that player at any range, unavoidably."


def test_the_question_names_the_card_it_is_about():
    game = Scenario(num_players=4).seat(0, hand=["master_plan"]).deck(top=["party", "tempest", "kourindou"]).turn(0).build(seed=1)
    for name in ("play master_plan", "choose deck:main", "choose card:tempest"):
        game.act(name)
    assert question_words(game) == "end for Master Plan - On top of the deck, or at the bottom? (It is Tempest.)"


def test_a_target_out_of_range_is_chosen_only_by_who_means_it():
    """C-18: danmaku cards are discarded for the range, which cannot be declined once the target is named."""
    start = Scenario(num_players=6).seat(0, hand=["shoot", "shoot", "melee", "laser_shot"]).turn(0)
    terminal = sit("play shoot", "choose seat:3", "n", "choose seat:1", "q", game=start.build(seed=1))
    assert "Seat 3: out of range: 2 more danmaku cards of your hand must be discarded. Enter = yes, n = no > " in terminal.screen.text
    assert len(terminal.game.seat(0).hand) == 3


def test_the_table_is_printed_when_it_has_changed():
    """Between two questions of one card nothing on it changes."""
    start = Scenario(num_players=4).seat(0, hand=["master_plan"]).deck(top=["party", "tempest", "kourindou"]).turn(0).build(seed=1)

    def tables(*lines):
        return sit(*lines, game=start.clone()).screen.text.count("Danmaku!!")

    laid_aside = ("play master_plan", "choose deck:main")
    assert tables(*laid_aside, "choose card:tempest") == tables(*laid_aside)
    assert tables(*laid_aside, "choose card:tempest", "t") == tables(*laid_aside) + 1
    assert tables(*laid_aside, "choose card:tempest", "choose top") == tables(*laid_aside) + 1


@pytest.mark.parametrize("width", [24, 40, 60, 80, 100, 120])
def test_nothing_is_cut_or_split_inside_a_word(width):
    start = Scenario(num_players=6).seat(0, hand=["party", "one_up", "shoot"], items=["mini_hakkero"]).seat(1, role="heroine")
    game = start.turn(0).build(seed=1)
    agents = {seat: RandomAgent() for seat in range(1, 6)}
    screen, wide = Typed("b", "?", "h", width=width), Typed("b", "?", "h", width=1000)
    for one in (screen, wide):
        TerminalGame(game.clone(), 0, agents, one, belief_model=default_belief_model(1)).play()
    assert max(map(len, screen.text.splitlines())) <= width
    whole, parts = ({word.rstrip(";") for word in one.text.split()} for one in (wide, screen))
    assert parts <= whole
    answers = screen.text.partition("You are asked")[2].partition("> ")[0]
    assert [line[:4].strip() for line in answers.splitlines() if line[:4].strip().isdecimal()] == [
        str(number) for number in range(1, len(game.legal()) + 1)
    ]
    assert all(answer.label in " ".join(answers.split()) for answer in question(game).answers)
    assert "…" not in screen.text
    assert all(f"\nseat {seat} " in screen.text for seat in range(1, 6)), "the rows of a belief have their names"


def test_a_belief_that_is_too_wide_goes_on_below():
    screen = Typed(width=30)
    screen.belief("Who?", [("seat 0 (Reimu)", ["1 %", "20 %"]), ("seat 1", ["> 99 %", "-"])], ["Heroine", "Stage Boss"])
    lines = [line.rstrip() for line in screen.text.splitlines()]
    assert lines == [
        "Who?", "                Heroine", "seat 0 (Reimu)      1 %", "seat 1           > 99 %",
        "                Stage Boss", "seat 0 (Reimu)        20 %", "seat 1                   -",
    ]  # fmt: skip


def test_a_question_mark_explains_every_answer():
    game = Scenario(num_players=4).seat(0, hand=["party", "shoot"]).turn(0).build(seed=1)
    text = sit("?", "q", game=game).screen.text.partition("> ?")[2]
    assert "pass: end the main step" in text
    assert "Party (party)" in text
    assert "Shoot (shoot)" in text
    game.act("play shoot")
    text = sit("?", "q", game=game).screen.text.partition("> ?")[2]
    assert all(f"{name}: seat " in text for name in game.legal() if name.startswith("choose seat"))


@pytest.mark.parametrize(("name", "key"), [("play bomb", "bomb"), ("choose card:bomb", "bomb"), ("pass", ""), ("choose yes", "yes")])
def test_the_subject_of_an_answer(name, key):
    assert subject(name) == key


def test_every_answer_of_many_games_can_be_explained():
    """No question of random play leaves the words without an answer, and every card named is explained."""
    asked = set()
    for seed in range(6):
        game, agent = Game.new(GameConfig(num_players=4 + seed % 5), seed), RandomAgent(seed)
        while game.asking is not None:
            asked.add(game.question)
            assert question_words(game)
            for name in game.legal():
                _, _, what = name.partition(" ")
                assert explanation(game, name) or what.partition(":")[0] in (
                    "season", "type", "deck", "number", "yes", "top", "bottom"), name  # fmt: skip
            game.act(answer(agent, game))
    assert {"main", "attacked", "target", "discard", "cancel", "card"} <= asked


def test_commands_print_and_ask_again():
    terminal = sit("h", "t", "l", "?", "? 1", "? graze", "? nothing like it", "", "99", "hello", "1", "q")
    text = terminal.screen.text
    assert "take back your last answer" in text
    assert text.count("Ibuki Suika (ibuki_suika)") == 4  # twice with the question, by "?" and by "? 1"
    assert "Avoid an attack on you" in text
    assert "There is no card 'nothing like it'" in text
    assert text.count("That is no answer here") == 2
    assert len(terminal.game.replay().answers) > 1
    assert text.endswith("You leave the table.\n")


@pytest.mark.parametrize("words", ["9" * 5000, "? " + "9" * 5000, "b now", "u 2", "quit it", "t t", "h ?"])
def test_words_that_are_no_answer_are_refused_where_they_are_typed(words):
    terminal = sit(words, "q")
    said = terminal.screen.text.replace("\n", "").partition(f"> {words}")[2]  # what is too long for a line goes on in the next
    assert said.startswith(("That is no answer here", "There is no card", "That takes no more words."))
    assert terminal.game == sit("q").game


def test_answers_that_are_no_card_are_explained():
    scenario = Scenario(config=GameConfig(num_players=4, expansion="lunatic_extra")).seat(0, hand=["shoot"] * 5)
    text = sit("? exchange", "? 1", "? pass", "? reveal", "t", game=scenario.turn(0, step="discard").build(seed=1)).screen.text
    told = " ".join(text.split())
    assert told.count("exchange: give Main-deck cards worth 5 points or more") == 1
    assert "pass: do nothing" in told
    assert "reveal: show your role to all: your maximum of life becomes 5" in told
    assert "2 Trade for a Lunatic card give Main-deck cards" in told, "the list says it too"


def test_an_answer_without_words_of_its_own_shows_what_it_answers():
    game = Scenario(num_players=4).seat(0, hand=["master_plan"]).deck(top=["party", "tempest", "kourindou"]).turn(0).build(seed=1)
    text = sit("play master_plan", "? 1", game=game).screen.text
    assert "choose deck:main: answers the question: Master Plan: Which deck?" in text


def test_what_passing_costs_is_on_the_screen():
    game = Scenario(num_players=4).seat(0, hand=["shoot"]).incident("great_fairy_wars").turn(0, step="incident").build(seed=1)
    assert "discard a danmaku card or lose 1 life" in sit("q", game=game).screen.text


@pytest.mark.parametrize("name", ["/", "nowhere/game.json", "a\0b"])
def test_a_replay_that_cannot_be_written_is_said_and_the_game_goes_on(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    terminal = sit(f"s {name}", "1")
    said = " ".join(terminal.screen.text.partition("The replay is not saved: nothing can be written to ")[2].split())
    assert said
    assert "None" not in said.partition("You are asked")[0]
    assert len(terminal.game.replay().answers) > 1


def test_a_replay_is_saved_at_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    terminal = sit("s ~/game.json")
    assert Replay.load(tmp_path / "game.json") == terminal.game.replay()


def test_the_log_is_that_of_the_seat():
    game = Game.new(GameConfig(num_players=4, characters="none"), 5)
    while game.asking != 1:
        game.act(game.legal_actions()[0])
    text = sit("l", seat=1, game=game).screen.text.rpartition("> l")[2]
    drawn = [line.strip() for line in text.splitlines() if " draws " in line]
    assert len(drawn) >= 4
    assert all((":" in line) == line.startswith("seat 1 ") for line in drawn)
    assert {line.startswith("seat 1 ") for line in drawn} == {True, False}


def test_the_end_is_told():
    terminal = sit(*["1"] * 3000)
    assert terminal.game.over
    lines = terminal.screen.text.splitlines()
    assert lines[-1] in ("You have won.", "You have not won.")
    assert (lines[-1] == "You have won.") == (0 in terminal.game.winners)
    assert lines[-2].startswith(("The winners:", "Nobody is left", "The turn limit"))


# ---------------------------------------------------------------- secrecy


@pytest.mark.parametrize("seed", range(4))
def test_a_person_is_told_nothing_hidden(seed):
    """Deal everything the seat has not seen anew: not a letter of table, answers, log or belief may change."""

    def told(world):
        agents = {other: RandomAgent() for other in range(game.config.num_players) if other != seat}
        terminal = TerminalGame(world, seat, agents, Typed("b", "l", "t"), belief_model=Certain())
        terminal._told = 0
        terminal.play()
        return terminal.screen.text

    game, machine = Game.new(GameConfig(num_players=4 + seed), seed), RandomAgent(seed)
    asked = 0
    while (seat := game.asking) is not None and asked < 40:
        text = told(game.clone())
        for other in range(2):
            assert told(resample(game, seat, 10 * asked + other)) == text
        asked += 1
        game.act(answer(machine, game))


def test_the_hand_of_another_is_never_printed():
    """Seat 1 holds the only copies of some cards; they are nowhere in what seat 0 is told."""
    scenario = Scenario(num_players=4).seat(0, role="heroine", hand=["shoot"]).seat(1, hand=["voile", "party", "tempest"])
    text = sit("b", "l", "t", "?", game=scenario.turn(0).build(seed=1)).screen.text
    assert "Shoot (" in text
    assert not any(name in text for name in ("Voile", "Party", "Tempest", "voile", "party", "tempest"))


# ---------------------------------------------------------------- taking back


def test_undo_restores_the_previous_question_to_the_byte():
    start = sit().game
    after = sit("1", "2", practice=True).game
    assert after != start
    back = sit("1", "2", "u", "undo", practice=True)
    assert back.game == start
    assert back.game.replay() == start.replay()
    assert back.game.legal() == start.legal()
    assert back.screen.text.count("Taken back.") == 2
    once = sit("1", "2", "u", practice=True).game
    assert once == sit("1", practice=True).game
    assert once not in (start, after)


def test_the_same_answers_after_an_undo_lead_to_the_same_game():
    """The others draw the random numbers they drew the first time."""
    straight = sit(*["1"] * 12, practice=True)
    answers = list(straight.game.replay().answers)
    assert len(answers) > 24, "the others answer in between"
    astray = sit(*["1"] * 9, *["u"] * 6, *["1"] * 9, practice=True)
    assert astray.game == straight.game


def test_after_an_undo_the_question_looks_as_it_did_the_first_time():
    """What had happened before it is told again, and so is the table."""
    first = sit(*["1"] * 8, practice=True).screen.text
    last_screen = first[first.rindex("Since your last question") :]
    assert "Danmaku!!" in last_screen
    assert sit(*["1"] * 9, "u", practice=True).screen.text.endswith(f"Taken back.\n{last_screen}")


def test_undo_is_refused_outside_practice():
    refused, plain = sit("1", "1", "u", "1"), sit("1", "1", "1")
    assert "Answers are taken back only in practice: start with --practice." in refused.screen.text
    assert refused.game == plain.game


def test_there_is_nothing_before_the_first_question():
    terminal = sit("u", "1", "u", "u", practice=True)
    assert terminal.screen.text.count("There is nothing to take back: this is your first question.") == 2
    assert terminal.game == sit().game


def test_the_last_answer_of_a_game_can_be_taken_back():
    ones = ["1"] * 3000
    over = sit(*ones, practice=True)
    assert over.game.over
    answers = len([line for line in over.screen.text.splitlines() if line == "> 1"])
    back = sit(*ones[:answers], "u", practice=True)
    assert back.game.asking == 0
    assert not back.game.over
    assert back.screen.text.endswith("You leave the table.\n")


# ---------------------------------------------------------------- belief


def probable(seat, players=6, seed=3, decisions=60):
    game, agent = Game.new(GameConfig(num_players=players), seed), RandomAgent(seed)
    for _ in range(decisions):
        if game.asking is None:
            break
        game.act(answer(agent, game))
    return game, by_faction.prior(game, seat)


@pytest.mark.parametrize("players", [4, 5, 6, 7, 8])
def test_the_prior_sums_to_one_and_is_certain_of_what_is_known(players):
    for seat in range(players):
        game, prior = probable(seat, players)
        assert prior.shape == (players, len(by_faction.COLUMNS))
        assert np.allclose(prior.sum(axis=1), 1)
        heroine = next(other for other in range(players) if game.seat(other).role == "heroine")
        assert prior[heroine, by_faction.COLUMNS.index("Heroine")] == pytest.approx(1)
        assert np.count_nonzero(prior[seat]) == 1
        assert np.allclose(prior[:, 0].sum(), 1), "there is one Heroine"
        hidden = [other for other in range(players) if other not in (seat, heroine) and not game.seat(other).role_revealed]
        assert not hidden or (prior[hidden] < 1).any(), "who is hidden is not known"


def test_the_prior_agrees_with_dealing_the_roles_again():
    game, prior = probable(1)
    counts = np.zeros_like(prior)
    for number in range(600):
        world = resample(game, 1, number)
        roles = np.eye(NUM_ROLES)[[ROLE_IDS.index(seat.role) for seat in world.seats]]
        counts += by_faction.by_faction(roles)
    assert abs(counts / 600 - prior).max() < 0.08


def test_what_a_belief_model_thinks_is_turned_to_the_seats_of_the_table():
    game = Game.new(GameConfig(num_players=4), 5)
    thought = by_faction.deduced(game, 1, Certain())
    assert np.allclose(thought.sum(axis=1), 1)
    believed = [by_faction.COLUMNS[int(row.argmax())] for row in thought]
    assert believed == ["Extra Boss", "Heroine", "Partner", "Stage Boss"]


def test_the_belief_view():
    game, _ = probable(1, 5, decisions=30)
    while game.asking != 1:
        game.act(game.legal_actions()[0])
    text = sit("b", players=5, seat=1, game=game, belief_model=Certain()).screen.text.partition("> b")[2]
    deal, thought = text.split("What certain would believe in your place")
    heroine = next(other for other in range(5) if game.seat(other).role == "heroine")
    rows = {int(line.split()[1]): line for line in deal.splitlines() if line.startswith("seat")}
    assert list(rows) == [0, 1, 2, 3, 4]
    head = next(line for line in deal.splitlines() if "Heroine" in line)
    cells = re.split(r"\s{2,}", rows[heroine].strip())
    assert cells[1] == "100 %"
    assert set(cells[2:]) == {"-"}
    assert [word for word in FACTIONS if word in head] == [word for word in FACTIONS if word != "Rival"]
    assert "100 %" in thought
    hidden = {ROLE_NAMES[seat.role] for seat in game.seats if seat.index != 1 and not seat.role_revealed} - set(by_faction.COLUMNS)
    assert not any(name in text for name in hidden)


@pytest.mark.parametrize(
    ("probability", "words"), [(0, "-"), (1, "100 %"), (0.5, "50 %"), (0.001, "< 1 %"), (0.999, "> 99 %"), (1 - 1e-12, "100 %")]
)
def test_percents_claim_no_certainty_that_is_not_there(probability, words):
    assert percent(probability) == words


# ---------------------------------------------------------------- replays, seats


def test_the_replay_can_be_saved_at_any_time(tmp_path):
    file = tmp_path / "mine.json"
    terminal = sit("1", f"s {file}", "1", "s", "q")
    assert f"Replay saved to {file}." in terminal.screen.text
    assert "Say where: s FILE." in terminal.screen.text
    replay = Replay.load(file)
    assert replay.agents == ("person", "random", "random", "random")
    assert replay.play() == sit("1").game
    other = tmp_path / "other.json"
    sit("1", "save", replay=other)
    assert Replay.load(other).answers == replay.answers
    text = sit(f"s {tmp_path / 'no' / 'folder.json'}").screen.text
    assert "its folder does not exist." in " ".join(text.split())


def test_what_is_no_replay_is_not_lost_to_one(tmp_path):
    file = tmp_path / "thesis.txt"
    file.write_text("Much work.")
    text = " ".join(sit(f"s {file}").screen.text.split())
    assert "The replay is not saved: nothing can be written to" in text
    assert "a file that is no replay is there and would be lost." in text
    assert file.read_text() == "Much work."


def test_agents_sit_clockwise_from_the_person_and_over_again():
    table = seat_agents(["random", "tests.play.test_person:Passer"], 6, 1, person=2)
    assert [table[seat].name for seat in (3, 4, 5, 0, 1)] == ["random", "passer", "random", "passer", "random"]
    assert 2 not in table
    everybody = seat_agents(["tests.play.test_person:Passer", "random"], 4, 1)
    assert [everybody[seat].name for seat in range(4)] == ["passer", "random"] * 2


@pytest.fixture
def ctrl_c_is_heard():
    """As in a terminal: a shell starts what runs in the background deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_an_interruption_while_others_think_leaves_the_table():
    class Interrupted(RandomAgent):
        def act(self, observations, masks, info_states=None):
            raise KeyboardInterrupt

    terminal = TerminalGame(Game.new(GameConfig(num_players=4), 5), 0, dict.fromkeys((1, 2, 3), Interrupted()), Typed("1"))
    terminal.play()
    assert terminal.screen.text.endswith("You leave the table.\n")
    assert len(terminal.game.replay().answers) == 1


class Passer:
    """Gives the first legal answer."""

    name = "passer"

    def reset(self, seed):
        pass

    def act(self, observations, masks, info_states=None):
        return masks.argmax(axis=1)


def test_random_seats_have_generators_of_their_own():
    def answers(seed):
        table = seat_agents(["random"], 4, seed)
        return list(play_out(Game.new(GameConfig(num_players=4), 1), [table[seat] for seat in range(4)]).replay().answers)

    assert answers(3) == answers(3)
    assert answers(3) != answers(4)
    table = seat_agents(["random"], 8, 1)
    masks = np.ones((1, 200), np.uint8)
    assert len(Counter(int(table[seat].act(masks, masks)[0]) for seat in range(8))) > 4


def test_lists_of_agents():
    assert split_specs("heuristic, random") == ["heuristic", "random"]
    assert split_specs("random,search:simulations=200,worlds=8,random") == ["random", "search:simulations=200,worlds=8", "random"]
    assert split_specs("neural:a=b.pt,neural:c") == ["neural:a=b.pt", "neural:c"]
    for bad in ("", ",", "random,", "random,,random"):
        with pytest.raises(ValueError, match="leaves a place empty"):
            split_specs(bad)


def test_somebody_says_what_to_believe():
    agent = default_belief_model(1)
    assert isinstance(agent, BeliefModel)
    game = Game.new(GameConfig(num_players=6), 1)
    thought = by_faction.deduced(game, 3, agent)
    assert np.allclose(thought.sum(axis=1), 1)
    heroine = next(seat.index for seat in game.seats if seat.role == "heroine")
    assert thought[3].max() == pytest.approx(1), "one's own role is known"
    assert game.turn_number == 0 or thought[heroine, 0] == pytest.approx(1)


# ---------------------------------------------------------------- a terminal that somebody sits before


class Live(Typed):
    """Draws anew in place; counts how often."""

    is_live = True
    drawn_anew = 0

    def anew(self):
        self.drawn_anew += 1


class Small(Typed):
    """A terminal of 24 rows of 80 columns, at which somebody answers anything: every frame is kept."""

    is_live = True

    def __init__(self, seed):
        super().__init__(width=80)
        self.console.height = 24
        self.rng, self.frames, self.terminal = random.Random(seed), [], None

    def anew(self):
        self.console.file.seek(0)
        self.console.file.truncate()

    def read(self, prompt):
        rows = f"{self.text}{prompt}".split("\n")
        self.frames.append((sum(max(1, -(-len(row.rstrip()) // 80)) for row in rows), self.text))
        return str(self.rng.randrange(len(self.terminal.game.legal())) + 1) if prompt == "> " else ""


@pytest.mark.parametrize("characters", ["draft", "double_threat"])
def test_a_game_of_eight_fits_24_rows_of_80_columns(characters):
    """With everything that can be on a table: both boxes, many characters."""
    screen = Small(5)
    game = Game.new(GameConfig(num_players=8, expansion="lunatic_extra", characters=characters), 5)
    screen.terminal = TerminalGame(game, 0, {seat: HeuristicAgent(seat) for seat in range(1, 8)}, screen)
    screen.terminal.play()
    assert screen.terminal.game.over
    assert len(screen.frames) > 20
    tallest, text = max(screen.frames)
    assert tallest <= 24, text
    asked = [text for _, text in screen.frames if "You are asked" in text]
    assert sum("your goal" in text for text in asked) == len(asked)
    assert all("…" not in text for text in asked)


def test_an_answer_may_be_typed_as_it_is_written():
    game = Scenario(num_players=4).seat(0, hand=["grimoire", "graze"]).turn(0).build(seed=1)
    assert "grimoire" not in " ".join(sit("play Grimoire", "q", game=game).game.seat(0).hand)


def defeated_early(lines):
    """Seat 0 is shot by an agent at once, and the others play on."""
    start = Scenario(num_players=4).seat(0, role="stage_boss", life=1).seat(1, role="heroine", hand=["shoot", "shoot"])
    game = start.seat(2, role="ex_boss").seat(3, role="stage_boss").turn(1).build(seed=3)
    screen = Live(*lines)
    agents = {seat: HeuristicAgent(seat) for seat in (1, 2, 3)}
    agents[1] = Shooter()
    terminal = TerminalGame(game, 0, agents, screen)
    terminal.play()
    return terminal


class Shooter(HeuristicAgent):
    """Shoots seat 0."""

    def act(self, observations, masks, info_states=None):
        for wanted in ("play shoot", "choose seat:0"):
            for action in np.flatnonzero(masks[0]):
                if info_states[0].name(int(action)) == wanted:
                    return np.array([action])
        return super().act(observations, masks, info_states)


def test_after_ones_defeat_the_game_goes_on_a_turn_at_a_time():
    slow = defeated_early([""] * 300)
    assert slow.game.seat(0).defeated
    assert slow.game.over
    asked = slow.screen.text.count("You are defeated. Enter = the next turn")
    assert asked > 2
    assert slow.screen.drawn_anew >= asked
    quick = defeated_early(["e"])
    assert quick.game.over
    assert quick.screen.text.count("You are defeated.") == 1
    gone = defeated_early(["q"])
    assert not gone.game.over


def test_what_may_be_typed_is_offered_for_completion():
    offered = []

    class Offered(Typed):
        def offer(self, words):
            offered.append(list(words))

    game = Scenario(num_players=4).seat(0, hand=["grimoire", "graze"]).turn(0).build(seed=1)
    TerminalGame(game, 0, {seat: RandomAgent(seat) for seat in (1, 2, 3)}, Offered("q")).play()
    assert {"play grimoire", "pass", "? grimoire", "belief"} <= set(offered[0])
