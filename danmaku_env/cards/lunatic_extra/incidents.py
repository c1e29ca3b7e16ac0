"""The 4 incidents of Lunatic Extra, in box order."""

from danmaku_env.cards.vocabulary import *

LUNATIC_EXTRA_INCIDENTS: tuple[Incident, ...] = (
    Incident(
        id="dream_world", name="Dream World", season=WINTER,
        text="Abilities of characters, also of Extra Characters, have no effect; Spell Cards do. 5 cards worth 4 points or more are "
             "collected.",
        laws=NO_ABILITIES, collects_points=4, needs=5),
    Incident(
        id="lunar_wars", name="Lunar Wars", season=SPRING,
        text="On entering everybody draws a Lunatic card. A card of the draw step may come from the Lunatic deck. 8 Lunatic cards are "
             "collected.",
        enter=[Each(EVERYONE, [draw_lunatic(1, EACH)])], laws=LUNATIC_DRAW, collects_lunatic=True, needs=8),
    Incident(
        id="shining_needle_castle", name="Shining Needle Castle", season=SUMMER,
        text="On entering everybody discards all Lunatic cards and draws as many from the Main deck; nobody draws from the Lunatic deck. "
             "The top card of each incident step is collected, one more than there are active players.",
        enter=[Each(EVERYONE, [discard_lunatic(EACH), draw(AMOUNT, EACH)])], laws=NO_LUNATIC, step=[collect_top()],
        needs=1, needs_per_player=True),
    Incident(
        id="urban_legend_outbreak", name="Urban Legend Outbreak", season=AUTUMN,
        text="On entering, the incident deck is shuffled and two more incidents enter play; another does before each incident step. "
             "2 resolved incidents are collected; then all others are over too.",
        enter=[shuffle_incidents(), bring_incident(), bring_incident()], laws=MORE_INCIDENTS, collects_incidents=True, needs=2),
)  # fmt: skip
