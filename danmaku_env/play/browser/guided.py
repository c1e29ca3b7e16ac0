"""A first game with a coach: a position set up by hand, and what the coach says at each of the first questions.

The coach names the answer that the next lesson builds on. Any other may be given: then the coach is silent until the game is back where a
lesson fits. A test plays what the coach names.
"""

from __future__ import annotations

from typing import NamedTuple

from danmaku_env.game import Game, Scenario
from danmaku_env.play.game_in_play import PERSON

OPPONENT = "heuristic"
GUIDED_SEATS = (PERSON, OPPONENT, OPPONENT, OPPONENT)
_SEED = 1


class Lesson(NamedTuple):
    """What is said at a question, and the answer it leads to."""

    answer: str
    words: str


LESSONS = (
    Lesson(
        "play grimoire",
        "You are the Heroine: defeat every Stage Boss and the Extra Boss. It is your main step, and Grimoire draws two cards. Click it: "
        "what it does stands below. Click it again to play it.",
    ),
    Lesson(
        "play power",
        "The band of a card says what it is. Power is an item: it stays in play before you, and gives you more range. Play it.",
    ),
    Lesson("play shoot", "Now attack. Shoot is a danmaku card, red: your seat says how many of those you may play in a round. Play it."),
    Lesson(
        "choose seat:1",
        "Whom? A solid frame is in your range, with Power all of them; a dashed one would cost cards. Nobody knows yet who is who, so take "
        "the neighbour: click seat 1 twice. Then watch: what happens is shown one event at a time.",
    ),
    Lesson(
        "pass",
        "A hit: a Graze would have avoided it. You have no danmaku card left, so end your main step with e, and keep 1UP.",
    ),
    Lesson(
        "play graze", "You are attacked. The question says by whom and with what. You hold a Graze: play it, and the attack is avoided."
    ),
    Lesson("play graze", "And again. Reactions like this are why it pays to keep some cards for the turns of the others."),
)
_AFTER = "From here on you play by yourself. h shows the rules, b what one may believe about the roles, u takes an answer back."


def guided_game() -> Game:
    """The position in which the coach begins."""
    table = Scenario(num_players=len(GUIDED_SEATS))
    table.seat(0, role="heroine", character="hakurei_reimu", life=4, hand=["shoot", "graze", "grimoire", "power"])
    table.seat(1, role="stage_boss", character="cirno", hand=["shoot", "melee"])
    table.seat(2, role="stage_boss", character="kirisame_marisa", hand=["graze", "party"])
    table.seat(3, role="ex_boss", character="ibuki_suika", hand=["shoot", "focus"])
    return table.deck(top=["graze", "one_up", "shoot", "bomb"]).turn(0).build(seed=_SEED)


def lesson(game: Game, given: int) -> str:
    """What the coach says to the person, who is asked and has given `given` answers; "" for nothing."""
    if given == len(LESSONS):
        return _AFTER
    if given > len(LESSONS) or LESSONS[given].answer not in game.legal():
        return ""
    return LESSONS[given].words
