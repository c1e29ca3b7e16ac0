"""The 16 role cards of the base game, and how many of which faction are dealt to how many players."""

from __future__ import annotations

from typing import NamedTuple

from danmaku_env.cards.vocabulary import *

EXTRA_BOSS_GOAL = STAGE_DEAD | HEROINE_DEAD

ROLES = (
    Role(
        id="heroine", name="Heroine", factions=HEROINES, team=HEROINE_TEAM, goal=STAGE_DEAD | EXTRA_DEAD,
        text="Every Stage Boss and Extra Boss is defeated. +1 max life, +1 max hand size, first turn.",
        modifiers={MAX_LIFE: 1, HAND_BONUS: 1}),
    Role(
        id="rival", name="Rival", factions=RIVALS, team=RIVAL_TEAM, goal=IS_HEROINE | STAGE_DEAD | EXTRA_DEAD,
        text="Take over from the defeated Heroine (and gain 1 life), then share her goal."),
    Role(
        id="partner", name="Partner", factions=PARTNERS, team=HEROINE_TEAM, goal=STAGE_DEAD | EXTRA_DEAD, shared_fate=True,
        text="Every Stage Boss and Extra Boss is defeated. When defeated, the Heroine loses all items and all but 2 hand cards."),
    Role(
        id="ex_midboss", name="EX Midboss", factions=PARTNERS | EXTRA_BOSSES, team=EXTRA_TEAM, goal=EXTRA_BOSS_GOAL,
        text="Every Stage Boss and the Heroine are defeated. Reveals when the Extra Boss is defeated."),
    Role(
        id="one_true_partner", name="One True Partner", factions=PARTNERS, team=HEROINE_TEAM,
        goal=OTHER_PARTNERS_DEAD | STAGE_DEAD | EXTRA_DEAD, shared_fate=True,
        text="Every other Partner, Stage Boss and Extra Boss is defeated. When defeated, the Heroine loses as with a Partner."),
    Role(id="stage_boss", name="Stage Boss", factions=STAGE_BOSSES, team=STAGE_TEAM, goal=HEROINE_DEAD, text="The Heroine is defeated."),
    Role(
        id="final_boss", name="Final Boss", factions=STAGE_BOSSES, team=STAGE_TEAM, goal=HEROINE_DEAD | A_PARTNER_DEAD,
        text="The Heroine and a Partner are defeated."),
    Role(
        id="challenger", name="Challenger", factions=STAGE_BOSSES, team=STAGE_TEAM, goal=HEROINE_DEAD | EXTRA_DEAD,
        text="The Heroine and the Extra Boss are defeated."),
    Role(
        id="anti_heroine", name="Anti-Heroine", factions=STAGE_BOSSES, team=STAGE_TEAM, goal=HEROINE_DEAD | ANOTHER_STAGE_DEAD,
        text="The Heroine and another Stage Boss are defeated."),
    Role(
        id="ex_boss", name="EX Boss", factions=EXTRA_BOSSES, team=EXTRA_TEAM, goal=EXTRA_BOSS_GOAL, becomes="ex_boss_revealed",
        text="Every Stage Boss and the Heroine are defeated. Once somebody else is defeated: may reveal, gaining 1 life."),
    Role(
        id="ex_boss_revealed", name="EX Boss Revealed", factions=EXTRA_BOSSES, team=EXTRA_TEAM, goal=EXTRA_BOSS_GOAL,
        text="+1 max life, +1 max hand size, one card more in the draw step.",
        modifiers={MAX_LIFE: 1, HAND_BONUS: 1, DRAWS: 1}),
    Role(
        id="phantom_boss", name="Phantom Boss", factions=EXTRA_BOSSES, team=EXTRA_TEAM, goal=EXTRA_BOSS_GOAL, becomes="true_phantom_boss",
        text="Every Stage Boss and the Heroine are defeated. Once somebody else is defeated: may reveal, gaining 1 life."),
    Role(
        id="true_phantom_boss", name="True Phantom Boss", factions=EXTRA_BOSSES, team=EXTRA_TEAM, goal=EXTRA_BOSS_GOAL,
        text="+1 max life. At the start of your turn you may resolve the incident and fetch the next one; you may skip your incident step.",
        modifiers={MAX_LIFE: 1},
        triggers=(
            trigger(TURN_START, MINE, [if_(INCIDENT_IN_PLAY, [may([resolve_incident(), search_incident()])])]),
            trigger(INCIDENT_START, MINE, [may([skip_incident_step()])]))),
)  # fmt: skip


class Composition(NamedTuple):
    """How many roles of which faction are dealt, and the physical cards they are drawn from."""

    partners: int
    stage_bosses: int
    extra_bosses: int
    rivals: int
    partner_pool: tuple[str, ...]
    stage_pool: tuple[str, ...]
    extra_pool: tuple[str, ...]

    @property
    def pools(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """How many are dealt and what from: partners, stage bosses, extra bosses, rivals."""
        rivals = ("rival",) * self.rivals
        return (
            (self.partners, self.partner_pool),
            (self.stage_bosses, self.stage_pool),
            (self.extra_bosses, self.extra_pool),
            (self.rivals, rivals),
        )


_STAGE = ("stage_boss",) * 3
_STAGE_ADVANCED = (*_STAGE, "final_boss", "challenger", "anti_heroine")
_EXTRA = ("ex_boss", "phantom_boss")
_PARTNERS = ("partner", "partner", "ex_midboss")

ADVANCED = {
    4: Composition(0, 2, 1, 0, (), _STAGE, _EXTRA),
    5: Composition(1, 2, 1, 0, _PARTNERS, _STAGE_ADVANCED, _EXTRA),
    6: Composition(1, 3, 1, 0, _PARTNERS, _STAGE_ADVANCED, _EXTRA),
    7: Composition(2, 3, 1, 0, (*_PARTNERS, "one_true_partner"), _STAGE_ADVANCED, _EXTRA),
    8: Composition(2, 3, 1, 1, (*_PARTNERS, "one_true_partner"), _STAGE_ADVANCED, _EXTRA),
}
"""Every role whose minimum player count is met."""

BASIC = {
    players: composition._replace(
        partner_pool=("partner",) * composition.partners,
        stage_pool=("stage_boss",) * composition.stage_bosses,
        extra_pool=("ex_boss",),
    )
    for players, composition in ADVANCED.items()
}
"""The rulebook's first game: plain Partners and Stage Bosses, EX Boss."""
