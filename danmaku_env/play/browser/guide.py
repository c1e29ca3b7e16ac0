"""What a newcomer has to know: the sheet of rules behind `h`, and what each agent and each option of the lobby is, in a sentence."""

from __future__ import annotations

from functools import cache
from html import escape

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME
from danmaku_env.render.faces import SEASON_SIGNS, goal, role_chip

_TURN = (
    ("Start", "what your character or role does at the start of a turn."),
    ("Incident", "without an incident in play the next one of its deck comes into play."),
    ("Draw", "draw 2 cards."),
    ("Main", "play any number of cards, but by default 1 danmaku card a round, and use 1 Spell Card a round."),
    ("Discard", "keep as many cards as your hand may have (4 by default), discard the others."),
)
_RULES = (
    (
        "Everybody has a role that the others do not know.",
        "Only the Heroine is open from the beginning. Deduce the others from what they do.",
    ),
    (
        "An attack reaches players in range.",
        "Range is 1 by default; neighbours are at distance 1. The seats in your range have a solid frame, the others a dashed one.",
    ),
    (
        "Whoever is attacked may avoid it,",
        "with a Graze, for instance; else they lose 1 life. At 0 life, with nothing left to answer, they are defeated and show their role.",
    ),
    ("Reactions are played out of turn.", "After every card everybody may react, in turn; the last card played happens first."),
    (
        "Points pay for things.",
        "They stand in the corner of a card, the season beside its sign: incidents collect cards, and many texts ask for a season.",
    ),
)
_KEYS = (
    (
        "click",
        "choose a card or a seat: what it does and costs is shown. A second click, its key again or Enter sends it; Escape leaves it",
    ),
    ("1 2 ... a c ...", "the key on a card is the card's for the whole turn; a seat has its number"),
    ("e", "end the step, pass, decline"),
    ("s", "skip what is being shown"),
    ("b", "who may have which role, as far as your seat can tell"),
    ("l", "everything that has happened, as your seat knows it"),
    ("u", "take back your last answer (at a practice table)"),
    ("h", "this sheet"),
)
AGENTS = {
    "random": "answers at random: for looking around", "heuristic": "plays by simple rules, at once: a fair first opponent",
    "deducer": "plays by rules and deduces who is who: harder", "neural": "a trained network: strong and quick",
    "search": "looks ahead in worlds it thinks likely: strong, and takes its time",
}  # fmt: skip
"""What an agent is, by the part of its name before the colon."""
BOXES = {"none": "the base game", "lunatic_extra": "with Lunatic Extra: a second deck of stronger cards, Extra Characters"}
CHARACTER_OPTIONS = {
    "choose": "everybody chooses one", "random": "dealt at random", "draft": "drafted from an open pool",
    "double_threat": "everybody chooses two and plays both (Double Threat)",
}  # fmt: skip


def about_agent(name: str) -> str:
    """What an agent is, in a few words; "" for one that is not known here."""
    return AGENTS.get(name.partition(":")[0].partition(" ")[0], "")


@cache
def rules_sheet() -> str:
    """The rules and the keys, closed, for a page with a button for `help`."""
    steps = "".join(f"<li><b>{name}</b>: {escape(words)}</li>" for name, words in _TURN)
    rules = "".join(f"<p><b>{escape(head)}</b> {escape(words)}</p>" for head, words in _RULES)
    roles = "".join(f"<li>{role_chip(role.id)} {escape(goal(role.id))}</li>" for role in BASE_GAME.all_roles if role.id in _FIRST_ROLES)
    seasons = " ".join(f'<span class="season {name}">{sign} {name}</span>' for name, sign in SEASON_SIGNS.items())
    keys = "".join(f"<p><kbd>{escape(key)}</kbd> {escape(words)}</p>" for key, words in _KEYS)
    return (
        f'<div popover role="dialog" aria-label="rules" class="printed sheet" id="help"><h2>The rules on a sheet</h2>{rules}'
        f"<h3>A turn</h3><ol>{steps}</ol>"
        f"<h3>Who wins how</h3><ul>{roles}</ul><p>{seasons}</p><h3>Keys</h3>{keys}</div>"
    )


_FIRST_ROLES = ("heroine", "partner", "stage_boss", "ex_boss", "rival")
"""One of each faction."""
assert {role.factions for role in BASE_GAME.all_roles if role.id in _FIRST_ROLES} >= {
    v.HEROINES, v.PARTNERS, v.STAGE_BOSSES, v.EXTRA_BOSSES,
}  # fmt: skip
