"""The role cards of Lunatic Extra, and what is dealt with the expansion.

Secret Boss and Lone Wolf are further Extra Bosses; the Phantasm Boss replaces the Phantom Boss of the base game (S-5).
"""

from danmaku_env.cards.roles import ADVANCED, BASIC, EXTRA_BOSS_GOAL
from danmaku_env.cards.vocabulary import (
    EXTRA_BOSSES,
    EXTRA_TEAM,
    ITS_ALL,
    MAX_LIFE,
    MINE,
    ROLE_GAINED,
    Role,
    recruit,
    trigger,
)

_REVEALS = "Every Stage Boss and the Heroine are defeated. Once somebody else is defeated: may reveal, gaining 1 life."

LUNATIC_EXTRA_ROLES: tuple[Role, ...] = (
    Role(
        id="phantasm_boss", name="Phantasm Boss", groups=EXTRA_BOSSES, team=EXTRA_TEAM, goal=EXTRA_BOSS_GOAL,
        becomes="true_phantasm_boss", text=_REVEALS),
    Role(
        id="true_phantasm_boss", name="True Phantasm Boss", groups=EXTRA_BOSSES, team=EXTRA_TEAM, goal=EXTRA_BOSS_GOAL,
        text="+1 max life.",
        modifiers={MAX_LIFE: 1}),
    Role(
        id="lone_wolf", name="Lone Wolf", groups=EXTRA_BOSSES, team=EXTRA_TEAM, goal=EXTRA_BOSS_GOAL, becomes="tag_team", text=_REVEALS),
    Role(
        id="tag_team", name="Tag Team", groups=EXTRA_BOSSES, team=EXTRA_TEAM, goal=EXTRA_BOSS_GOAL,
        text="+1 max life. With the role comes an Extra Character, with ability and Spell Card, and goes with it.",
        modifiers={MAX_LIFE: 1},
        triggers=(trigger(ROLE_GAINED, MINE, [recruit(ITS_ALL)]),)),
)  # fmt: skip

LUNATIC_EXTRA_ADVANCED = {
    players: composition._replace(extra_pool=("ex_boss", "phantasm_boss", "lone_wolf")) for players, composition in ADVANCED.items()
}
"""As in the base game, with the Extra Bosses of both boxes."""

LUNATIC_EXTRA_BASIC = BASIC
"""The first game is that of the base game."""
