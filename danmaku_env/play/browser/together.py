"""Questions that people are put at the same time: in a window of reactions, and when everybody chooses a character in secret (U-2).

The rules ask one seat after the other (K-3), and a reaction begins a new round. So people who come later are asked at once what they will
be asked if all before them pass: the table looks the same to them until then. Their answer waits until the engine asks them. If somebody
before them reacts, it is dropped, because their question was never asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from danmaku_env.engine import frames as fr
from danmaku_env.game import Game

WINDOWS = ("cancel", "respond", "attacked", "step", "rescue")
"""Questions in which everybody may react."""
_IN_SECRET = ("choose", "double_threat")
"""Ways to characters in which nobody hears what others take before all have chosen."""
Round = tuple[int, ...]
"""One round of answers: as long as it is the same, nothing has happened but that seats have passed."""


def is_window(game: Game) -> bool:
    """Whether a question is asked in which everybody may react, and that can be passed."""
    return game.question in WINDOWS and game.spec.pass_action in game.legal_actions()


def asked_together(game: Game) -> Round | None:
    """The round of the question that is asked, None where it is one seat's alone."""
    if game.question == "character" and game.config.characters in _IN_SECRET:
        return (int(game.record["log_count"]),)
    top = game.record["stack"][int(game.record["depth"]) - 1]
    if not is_window(game) or top[fr.PROCEDURE] != fr.WINDOW_FRAME:
        return None
    columns = (fr.WINDOW_EVENT, fr.WINDOW_SUBJECT, fr.WINDOW_OWNER)
    return (int(game.record["log_count"]), int(game.record["depth"]), *(int(top[column]) for column in columns))


def later_questions(game: Game) -> Iterator[tuple[int, Game]]:
    """Each seat that comes later in the round, and the game where it is asked, if all before it pass."""
    around = asked_together(game)
    if around is None:
        return
    ahead, met = game.clone(), {game.asking}
    for _ in range(2 * game.config.num_players):
        ahead.act(game.spec.pass_action if is_window(ahead) else ahead.legal_actions()[0])
        if ahead.asking is None or asked_together(ahead) != around or (ahead.asking in met and is_window(ahead)):
            return
        if ahead.asking not in met:
            met.add(ahead.asking)
            yield ahead.asking, ahead.clone()
