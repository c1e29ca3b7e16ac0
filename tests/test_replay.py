"""Replays and saved games: they play back to the same bytes, and anything damaged is refused with the reason."""

import base64
import copy
import json
import os
import pickle
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, Replay, ReplayError, Scenario
from danmaku_env.engine import state as st
from danmaku_env.game import OtherRules, RulesWarning, rules_fingerprint, saving
from danmaku_env.jit.kernels import JIT
from tests.playthroughs.record import FOLDER, fingerprint, whole_game


def played(seed=5, answers=60, players=4):
    game = Game.new(GameConfig(num_players=players), seed)
    rng = np.random.default_rng(seed)
    for _ in range(answers):
        if game.asking is None:
            break
        game.act(int(rng.choice(game.legal_actions())))
    return game


@pytest.fixture(scope="module")
def game():
    return played()


def edited(game, **changes):
    """The text of a replay with some entries changed; None removes one."""
    data = json.loads(game.replay().to_json())
    for name, value in changes.items():
        if value is None:
            del data[name]
        else:
            data[name] = value
    return json.dumps(data)


# ---------------------------------------------------------------- replays


def test_a_replay_plays_back_to_the_same_bytes(game, tmp_path):
    file = tmp_path / "game.json"
    game.replay().save(file)
    again = Replay.load(file).play()
    assert again == game
    assert again.to_bytes() == game.to_bytes()
    assert again.log == game.log


def test_a_replay_of_a_position_set_up_by_hand():
    game = Scenario(num_players=4).seat(0, role="heroine", hand=["shoot", "grimoire"]).turn(0).build(seed=2)
    game.act("play grimoire")
    assert Replay.from_json(game.replay().to_json()).play() == game


def test_positions_show_every_step(game):
    asked = [position.asking for position in game.replay().positions()]
    assert len(asked) == len(game.replay().answers) + 1
    assert asked[-1] == game.asking


def test_agents_are_kept(game):
    named = game.clone()
    named.agents = ("a", "b", "c", "d")
    assert Replay.from_json(named.replay().to_json()).agents == ("a", "b", "c", "d")
    assert Game.from_bytes(named.to_bytes()).agents == ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["a"] * 9, "must name nobody or each of the 4 seats, not 9"),
        (["\ud800", "b", "c", "d"], "must be a list of names"),
        ([1] * 4, "must be a list of names"),
    ],
)
def test_agents_are_named_for_each_seat_or_not_at_all(game, names, reason):
    with pytest.raises(ReplayError, match=f'the replay is damaged: "agents" .*{reason}'):
        Replay.from_json(edited(game, agents=names))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device without end")
def test_a_file_without_end_is_no_replay():
    with pytest.raises(ReplayError, match=r"/dev/zero is longer than \d+ MiB, so it is no replay"):
        Replay.load("/dev/zero")


def test_an_answer_that_cannot_be_is_named(game):
    answers = list(game.replay().answers)
    answers[10] = 261
    replay = Replay.from_json(edited(game, answers=answers))
    with pytest.raises(ReplayError, match="answer 10 of the replay cannot be: 'choose role:"):
        replay.play()


@pytest.mark.parametrize("wrong", ["pas", None, 1.0, True, [1]])
def test_one_bad_answer_is_named_with_its_place(wrong):
    game = played()
    answers = list(game.replay().answers)
    answers[10] = wrong
    with pytest.raises(ReplayError, match="answer 10 is "):
        Replay.from_json(edited(game, answers=answers))


def test_a_mark_that_an_editor_wrote_first_is_read_over(tmp_path):
    game = played()
    (tmp_path / "game.json").write_text(game.replay().to_json(), "utf-8-sig")
    assert Replay.load(tmp_path / "game.json") == game.replay()


def test_answers_after_the_end_are_refused():
    game = played(seed=1, answers=100_000)
    assert game.over
    with pytest.raises(ReplayError, match="the game is over"):
        Replay.from_json(edited(game, answers=[*game.replay().answers, 0])).play()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not readable JSON"),
        ("{", "not readable JSON"),
        ("[" * 100_000, "not readable JSON"),
        ("[1, 2]", "this is no replay"),
        ('{"format": "other"}', "this is no replay"),
        ('{"danmaku_replay": 99}', "a replay of version 99"),
        ('{"danmaku_replay": 2}', "the replay has no 'answers'"),
    ],
)
def test_foreign_text_is_refused(text, reason):
    with pytest.raises(ReplayError, match=reason):
        Replay.from_json(text)


@pytest.mark.parametrize(
    "changes",
    [
        {"answers": "none"},
        {"answers": [1, 2.5]},
        {"answers": [True]},
        {"answers": {"0": 1}},
        {"seed": -1},
        {"seed": "5"},
        {"seed": None},
        {"config": None},
        {"config": [4]},
        {"config": {"num_players": 12}},
        {"config": {"players": 4}},
        {"agents": 7},
        {"start": "not base64!"},
    ],
)
def test_edited_entries_are_refused(game, changes):
    with pytest.raises(ReplayError):
        Replay.from_json(edited(game, **changes))


def test_a_truncated_file_is_refused_and_says_where_it_breaks_off(game, tmp_path):
    text = game.replay().to_json()
    answers = text.index('"answers": [') + len('"answers": [')
    for size in range(0, len(text) - 1, 50):
        with pytest.raises(ReplayError) as refused:
            Replay.from_json(text[:size])
        if size >= answers:
            assert str(refused.value).endswith(f"it breaks off at answer {text[answers:size].count(',')}")
    binary = tmp_path / "game.json"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ReplayError, match="no text file"):
        Replay.load(binary)
    with pytest.raises(FileNotFoundError):
        Replay.load(tmp_path / "missing.json")


def test_an_edited_answer_is_named_or_leads_elsewhere(game):
    """Whatever number stands in for an answer: the first step that cannot be is named, and what can be is another game."""
    answers = list(game.replay().answers)
    named = 0
    for place in range(0, len(answers), 7):
        changed = [*answers[:place], (answers[place] + 1) % 262, *answers[place + 1 :]]
        try:
            assert Replay.from_json(edited(game, answers=changed)).play() != game
        except ReplayError as refused:
            step = int(str(refused).split("answer ")[1].split()[0])
            assert step >= place
            named += 1
    assert named > 3


def test_a_file_made_long_ago_plays_back_to_the_same_bytes():
    """On any machine, with the compiler on and off; a change of the rules, the rng or the record shows here, and is recorded anew."""
    game = Replay.load(FOLDER / "replay.json").play()
    assert game.over
    assert fingerprint(game) == (FOLDER / "replay.sha256").read_text().strip()
    assert game == whole_game()


@pytest.mark.skipif(not JIT, reason="the other half of the comparison runs now")
def test_the_same_file_with_the_compiler_off():
    code = f"""
from danmaku_env import Replay
from tests.playthroughs.record import fingerprint
print(fingerprint(Replay.load({str(FOLDER / "replay.json")!r}).play()))
"""
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent.parent), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, timeout=600)
    assert done.stdout == (FOLDER / "replay.sha256").read_text()


def test_an_impossible_start_is_refused(game):
    start = np.frombuffer(game.record.tobytes(), st.STATE).copy()
    start["life"][0, 0] = 9
    replay = Replay.from_json(edited(game, start=base64.b64encode(start.tobytes()).decode(), answers=[]))
    with pytest.raises(ReplayError, match="a life total outside 0 to max life"):
        replay.play()
    short = Replay.from_json(edited(game, start=base64.b64encode(b"abc").decode(), answers=[]))
    with pytest.raises(ReplayError, match="bytes, not 3"):
        short.play()


def test_a_start_for_another_table_is_refused(game):
    start = base64.b64encode(played(players=5).record.tobytes()).decode()
    with pytest.raises(ReplayError, match="a game of 5 players does not fit a configuration of 4"):
        Replay.from_json(edited(game, start=start, answers=[])).play()


@pytest.mark.parametrize(("box", "other"), [("none", "lunatic_extra"), ("lunatic_extra", "none")])
def test_a_start_or_saved_game_of_another_box_is_refused(box, other):
    """What a configuration says of a game is so: no game of both boxes goes on as one of the base game, and none the other way."""
    game = Game.new(GameConfig(num_players=5, expansion=box), seed=1)
    config = GameConfig(num_players=5, expansion=other)
    reason = "a game of (both boxes|the base game) does not fit a configuration of"
    with pytest.raises(ReplayError, match=reason):
        Replay(config, 1, (), (), game.record.tobytes()).begin()
    with pytest.raises(ReplayError, match=reason):
        Game.from_bytes(saving.pack(saving.Saved(config, (), (), None, game.records)))
    assert Replay(game.config, 1, (), (), game.record.tobytes()).begin() == game


# ---------------------------------------------------------------- files of other rules

OTHER = "9b992b469dd8"
"""As a file of earlier days may name its rules."""


@pytest.fixture(scope="module")
def ended():
    """A whole game, with winners."""
    game = played(seed=1, answers=100_000)
    assert game.winners
    return game


def test_a_replay_names_its_rules_and_who_won(game, ended):
    assert json.loads(game.replay().to_json())["rules"] == rules_fingerprint()
    assert "winners" not in json.loads(game.replay().to_json()), "it is not over"
    assert json.loads(ended.replay().to_json())["winners"] == ended.winners
    assert Replay.from_json(ended.replay().to_json()).winners == tuple(ended.winners)


@pytest.mark.parametrize("entry_point", [Replay.begin, Replay.play, lambda replay, **wish: [*replay.positions(**wish)][-1]])
def test_a_replay_of_other_rules_is_refused_unless_it_is_wished(ended, entry_point):
    replay = Replay.from_json(edited(ended, rules=OTHER))
    sentence = f"the replay was made under the rules {OTHER}, and these are the rules {rules_fingerprint()}: .* with other_rules=True$"
    with pytest.raises(OtherRules, match=sentence) as refused:
        entry_point(replay)
    assert "\n" not in str(refused.value)
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)
    assert entry_point(replay, other_rules=True) in (ended, replay.begin(other_rules=True))


@pytest.mark.parametrize(("made", "what"), [("{other}-{cards}", "another engine"), ("{engine}-0123456789ab", "other cards")])
def test_what_differs_is_said(game, made, what):
    engine, _, cards = rules_fingerprint().partition("-")
    rules = made.format(engine=engine, cards=cards, other=int(engine) + 1)
    with pytest.raises(OtherRules, match=rf" \({what}\): "):
        Replay.from_json(edited(game, rules=rules)).play()


def test_an_attempt_that_goes_astray_says_so(ended):
    """Either at the answer that cannot be, or at the end, where others have won or the game is not over: never without a word."""
    answers = list(ended.replay().answers)
    words = f"made under the rules {OTHER}, and these are {rules_fingerprint()}"
    changes = {
        "answer 3 of the replay cannot be": {"answers": [*answers[:3], 261, *answers[4:]]},
        "became another game .*, and after the last answer": {"winners": [seat for seat in range(4) if seat not in ended.winners]},
        "nobody has won, for it is not over": {"answers": answers[:-1]},
    }
    for reason, change in changes.items():
        with pytest.raises(ReplayError, match=reason) as astray:
            Replay.from_json(edited(ended, rules=OTHER, **change)).play(other_rules=True)
        assert words in str(astray.value)


def test_a_replay_that_names_no_rules_is_read_with_a_warning_and_its_winners_are_compared(ended, tmp_path):
    with pytest.warns(RulesWarning, match=f"does not say which rules made it: if they were not {rules_fingerprint()}") as warned:
        replay = Replay.from_json(edited(ended, rules=None))
    assert warned[0].filename == __file__
    assert replay.play() == ended
    assert "rules" not in json.loads(replay.to_json()), "nobody knows it better by now"
    (tmp_path / "old.json").write_text(edited(ended, rules=None, winners=[seat for seat in range(4) if seat not in ended.winners]))
    with pytest.warns(RulesWarning, match=r"old\.json does not say") as warned:
        other = Replay.load(tmp_path / "old.json")
    assert warned[0].filename == __file__
    with pytest.raises(ReplayError, match=r"became another game \(nothing says which rules made it.*and after the last answer"):
        other.play()


def test_answers_cut_short_by_hand_are_no_other_game(ended):
    answers = list(ended.replay().answers)
    assert not Replay.from_json(edited(ended, answers=answers[:-1])).play().over


@pytest.mark.parametrize(
    "changes", [{"rules": 5}, {"rules": ""}, {"rules": "x" * 1000}, {"winners": 3}, {"winners": [4]}, {"winners": [0, 0]}]
)
def test_rules_and_winners_that_cannot_be_are_refused(ended, changes):
    with pytest.raises(ReplayError, match=f'the replay is damaged: "{next(iter(changes))}" must be'):
        Replay.from_json(edited(ended, **changes))


def saved_by(game, rules):
    """The bytes of a game as other rules would have written them; None: as they were written before rules were named."""
    return saving.pack(saving.Saved(game.config, game.replay().answers, game.agents, None, game.records, rules))


def test_a_saved_game_of_other_rules_is_refused_unless_it_is_wished(game):
    assert Game.from_bytes(saved_by(game, rules_fingerprint())).to_bytes() == game.to_bytes()
    with pytest.raises(OtherRules, match=f"the saved game was made under the rules {OTHER}, and these are the rules {rules_fingerprint()}"):
        Game.from_bytes(saved_by(game, OTHER))
    again = Game.from_bytes(saved_by(game, OTHER), other_rules=True)
    assert again == game
    assert again.replay().answers == (), "its answers were those of other rules: the replay starts here"
    again.act(again.legal()[-1])
    assert Replay.from_json(again.replay().to_json()).play() == again


def test_a_saved_game_that_names_no_rules_is_read_with_a_warning(game):
    with pytest.warns(RulesWarning, match="the saved game does not say which rules made it") as warned:
        again = Game.from_bytes(saved_by(game, None))
    assert warned[0].filename == __file__
    assert again == game
    assert again.replay().play() == game


def test_a_saved_game_of_other_rules_is_told_before_its_record_is_looked_at(game):
    """A record of other rules may have another size: that is no damage."""
    blob = saved_by(game, OTHER)
    body = blob[14:] + bytes(64)
    with pytest.raises(OtherRules):
        Game.from_bytes(blob[:10] + zlib.crc32(body).to_bytes(4, "little") + body)


# ---------------------------------------------------------------- saved games


def test_saving_and_loading_changes_nothing(game):
    again = Game.from_bytes(game.to_bytes())
    assert again == game
    assert hash(again) == hash(game)
    assert again.config == game.config
    assert again.replay() == game.replay()
    assert again.legal() == game.legal()
    assert pickle.loads(pickle.dumps(game)) == game


def test_a_copy_goes_its_own_way(game):
    before = game.to_bytes()
    for one in (game.clone(), copy.deepcopy(game)):
        one.act(one.legal()[-1])
        assert one != game
        assert len(one.replay().answers) == len(game.replay().answers) + 1
    assert game.to_bytes() == before


def test_the_same_answers_give_the_same_bytes(game):
    assert played().to_bytes() == game.to_bytes()
    assert played(seed=6) != game


def test_damaged_bytes_are_refused(game):
    blob = game.to_bytes()
    for size in (0, 1, 13, 14, 100, len(blob) - 1):
        with pytest.raises(ReplayError):
            Game.from_bytes(blob[:size])
    for place in range(14, len(blob), 211):
        damaged = bytearray(blob)
        damaged[place] ^= 1
        with pytest.raises(ReplayError, match="checksum"):
            Game.from_bytes(bytes(damaged))
    with pytest.raises(ReplayError, match="do not begin with its mark"):
        Game.from_bytes(b"PK\x03\x04" + blob[4:])
    with pytest.raises(ReplayError, match="of version 7"):
        Game.from_bytes(blob[:4] + b"\x07\x00" + blob[6:])


def test_a_forged_record_with_a_good_checksum_is_refused(game):
    """Whoever recomputes the checksum still cannot bring in a position that cannot be."""
    with pytest.raises(ReplayError, match="no such game is possible: hand_size does not agree"):
        Game.from_bytes(forged(game, lambda s: s["hand_size"].__setitem__(0, s["hand_size"][0] + 1)))


def forged(game, change):
    """The bytes of a game whose record was changed, with a good checksum."""
    blob = game.to_bytes()
    record = np.frombuffer(blob[-st.STATE_BYTES :], st.STATE).copy()
    change(record[0])
    body = blob[14 : -st.STATE_BYTES] + record.tobytes()
    return blob[:10] + zlib.crc32(body).to_bytes(4, "little") + body


def set_event(s, column, value):
    s["log"][3, column] = value


def set_row_behind_the_last(s):
    s["log"][int(s["log_count"])] = 1


def set_card_known_where_none_is(s):
    row = s["log"][np.flatnonzero(s["log"][:, st.CARD_SHOWN] == 0)[0]]
    row[st.KNOWN_TO] = 3


def set_interactions(s, phase, interaction, seat, word):
    """One word of counted interactions and no other."""
    s["tallied"][phase], s["tallies"][phase] = 1 << interaction * st.SEATS + seat, 0
    s["tallies"][phase, 0] = word


IMPOSSIBLE = {
    "an event that does not exist": lambda s: set_event(s, st.EVENT, 99),
    "an event of a seat that does not exist": lambda s: set_event(s, st.ACTOR, 5),
    "an event about nothing that exists": lambda s: set_event(s, st.ABOUT, 60),
    "an event with a card that does not exist": lambda s: set_event(s, st.CARD_SHOWN, 81),
    "somebody knows the card of an event that has none": set_card_known_where_none_is,
    "events beyond their number": set_row_behind_the_last,
    "more interactions than are counted": lambda s: set_interactions(s, 0, st.ATTACKS, 1, 101),
    "an interaction of a seat that does not exist": lambda s: set_interactions(s, 0, st.HITS, 2, 1 << 40),
    "an interaction of a seat towards itself": lambda s: set_interactions(s, 0, st.HEALS, 1, 1 << 8),
    "interactions after the first defeat, but nobody is defeated": lambda s: set_interactions(s, 1, st.ATTACKS, 0, 1 << 8),
    "counted interactions that do not agree with who did any": lambda s: s["tallied"].__setitem__(0, int(s["tallied"][0]) | 1 << 39),
    "a role that is ruled out": lambda s: s["ruled_out"].__setitem__(1, 1 << int(s["role"][1])),
}


@pytest.mark.parametrize("reason", IMPOSSIBLE)
def test_a_forged_memory_is_refused(game, reason):
    """Also what the rules do not read must be possible: log and counted interactions are printed and observed."""
    with pytest.raises(ReplayError, match=f"no such game is possible: {reason}"):
        Game.from_bytes(forged(game, IMPOSSIBLE[reason]))


def test_a_saved_game_for_another_table_is_refused(game):
    blob = game.to_bytes()
    body = blob[14 : -st.STATE_BYTES] + played(players=5).record.tobytes()
    with pytest.raises(ReplayError, match="a game of 5 players does not fit a configuration of 4"):
        Game.from_bytes(blob[:10] + zlib.crc32(body).to_bytes(4, "little") + body)


def test_a_forged_head_is_refused(game):
    blob = game.to_bytes()
    head = b'{"config": {"num_players": 99}, "answers": []}'
    body = head + blob[-st.STATE_BYTES :]
    with pytest.raises(ReplayError, match="unreadable head"):
        Game.from_bytes(blob[:6] + len(head).to_bytes(4, "little") + zlib.crc32(body).to_bytes(4, "little") + body)
