"""The role cards of Lunatic Extra, and what is dealt with the expansion.

Secret Boss and Lone Wolf are further Extra Bosses; the Phantasm Boss replaces the Phantom Boss of the base game (S-5).
"""

from danmaku_env.cards.roles import ADVANCED, BASIC, EXTRA_BOSS_GOAL
from danmaku_env.cards.vocabulary import *

_REVEALS = "Every Stage Boss and the Heroine are defeated. Once somebody else is defeated: may reveal, gaining 1 life."

LUNATIC_EXTRA_ROLES: tuple[Role, ...] = (
    Role(
        id="phantasm_boss", name="Phantasm Boss", factions=EXTRA_BOSSES, team=EXTRA_TEAM, goal=EXTRA_BOSS_GOAL,
        becomes="true_phantasm_boss", text=_REVEALS),
    Role(
        id="true_phantasm_boss", name="True Phantasm Boss", factions=EXTRA_BOSSES, team=EXTRA_TEAM, goal=EXTRA_BOSS_GOAL,
        text="+1 max life. At the start of your turn you may resolve the incident; then you order the next three of the incident deck "
             "and this turn has no incident step.",
        modifiers={MAX_LIFE: 1},
        triggers=(
            trigger(TURN_START, MINE, [if_(INCIDENT_IN_PLAY, [may(
                [resolve_incident(), name_incident_deck(), look(3, chosen_deck=True), arrange(), skip_incident_step()])])]),)),
    Role(
        id="secret_boss", name="Secret Boss", factions=EXTRA_BOSSES, team=EXTRA_TEAM, goal=EXTRA_BOSS_GOAL,
        becomes="secret_boss_discovered", text=_REVEALS),
    Role(
        id="secret_boss_discovered", name="Secret Boss Discovered", factions=EXTRA_BOSSES, team=EXTRA_TEAM, goal=EXTRA_BOSS_GOAL,
        text="+1 max life. A card of your draw step may come from the Lunatic deck.",
        modifiers={MAX_LIFE: 1, LUNATIC_DRAWS: 1}),
    Role(
        id="lone_wolf", name="Lone Wolf", factions=EXTRA_BOSSES, team=EXTRA_TEAM, goal=EXTRA_BOSS_GOAL, becomes="tag_team", text=_REVEALS),
    Role(
        id="tag_team", name="Tag Team", factions=EXTRA_BOSSES, team=EXTRA_TEAM, goal=EXTRA_BOSS_GOAL,
        text="+1 max life. The role brings an Extra Character, with ability and Spell Card, which leaves with it.",
        modifiers={MAX_LIFE: 1},
        triggers=(trigger(ROLE_GAINED, MINE, [recruit(ITS_ALL)]),)),
)  # fmt: skip

LUNATIC_EXTRA_ADVANCED = {
    players: composition._replace(extra_pool=("ex_boss", "phantasm_boss", "secret_boss", "lone_wolf"))
    for players, composition in ADVANCED.items()
}
"""As in the base game, with the Extra Bosses of both boxes."""

LUNATIC_EXTRA_BASIC = BASIC
"""The first game is that of the base game."""
