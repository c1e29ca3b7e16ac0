"""Texts, cards, characters, incidents and roles -> English, so that they can be proof-read: our paraphrase and what the program says.

`sentences.py` puts programs into words. This module says when a text may happen, how often, what is special about it, and what else is
printed on a card. `docs.py` and `encyclopedia.py` decide what goes onto which page.
"""

from __future__ import annotations

from collections.abc import Mapping

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.sentences import Narrator, bit_words, capital, describe_program, listed, of_types, sentences

_MOMENTS = {
    ((v.MAIN,), v.ALWAYS): "in your main step",
    ((v.MAIN,), v.MY_TURN): "in your main step",
    ((v.MAIN, v.TURN_ZERO), v.ALWAYS): "in your main step or in turn zero",
    ((v.GAME_START,), v.MINE): "at the start of the game",
    (v.ANY_PRIORITY, v.ALWAYS): "whenever you have priority",
    (v.ANY_PRIORITY, v.MY_TURN): "whenever you have priority in your own turn",
    (v.ANY_PRIORITY, v.EMPTY_HAND): "whenever you have priority and no card in hand",
    (v.ANY_WINDOW, v.SOMEONE_AT_ZERO): "in any window, while a player is at 0 life and can still be brought back",
    ((v.CANCEL,), v.OTHERS_CARD): "when another player has announced {tags}",
    ((v.CANCEL,), v.ANYONES_CARD): "when anybody has announced {tags}",
    (v.AT_ANY_TIME, v.ALWAYS): "at almost any time",
    (v.AT_ANY_TIME, v.MY_TURN): "at almost any time in your own turn",
    ((v.MAIN, v.DISCARD_STEP), v.ALWAYS): "in your main step, or in anybody's discard step",
    ((v.CANCEL, v.RESPONSE), v.ANOTHERS_PLAY): "when another player has played {cards}",
    ((v.CANCEL,), v.AT_ME): "when another player has announced {tags} that targets you",
    ((v.ATTACKED,), v.ALWAYS): "when anybody is attacked",
    ((v.ATTACKED,), v.MINE): "when you are attacked",
    ((v.ATTACKED,), v.MINE_AVOIDABLE): "when you are attacked by an attack that can be avoided",
    ((v.ATTACKED,), v.PROTECTABLE): "when anybody is attacked by an attack that can be avoided",
    ((v.ATTACKED,), v.BY_ANOTHER): "when another player attacks anybody",
    ((v.ATTACK_DECLARED,), v.MINE): "as soon as an attack on you is declared",
    ((v.ATTACK_DECLARED,), v.BY_ANOTHER): "as soon as an attack of another player is declared",
    ((v.PLAYED,), v.OWN_DANMAKU): "when a danmaku card of yours is past its cancel window",
    ((v.AVOIDED,), v.MINE): "when you have avoided an attack",
    ((v.AVOIDED,), v.BY_ME): "when an attack of yours has been avoided",
    ((v.DAMAGED,), v.BY_ME): "when you have made another player lose life",
    ((v.LOST_LIFE,), v.MINE): "when you have lost life",
    ((v.LOSS_DRAW,), v.MINE): "when you are about to draw cards for life you have lost",
    ((v.SKIP_CHECK,), v.MINE): "when your turn begins and may be skipped",
    ((v.SKIPPED,), v.MINE): "when you skip a turn",
    ((v.TURN_START,), v.MINE): "at the start of your turn",
    ((v.TURN_START,), v.ALWAYS): "at the start of every turn",
    ((v.TURN_END,), v.ALWAYS): "at the end of every turn",
    ((v.ROLE_GAINED,), v.MINE): "when this role comes to you in the course of the game",
    ((v.SPELL_ACTIVATED,), v.OWN_EXTRA_SPELL): "when you activate the Spell Card of an Extra Character you have from this",
    ((v.INCIDENT_START,), v.MINE): "before your incident step",
    ((v.DRAW_STEP,), v.MINE): "before you draw in your draw step",
    ((v.DREW_STEP,), v.MINE): "after you have drawn in your draw step",
    ((v.RESPONSE,), v.ANOTHERS_PLAY): "when another player has played {cards}, past its cancel window",
    ((v.SPELL_ACTIVATED,), v.OWN_SPELL): "when you have activated your own Spell Card",
    ((v.CARD_DONE,), v.OWN_PLAY): "when {cards} of yours has been carried out and goes nowhere else",
    ((v.AVOIDING,), v.ALWAYS): "when anybody is about to avoid an attack",
    ((v.AVOIDING,), v.MINE): "when you are about to avoid an attack",
    ((v.ATTACKED, v.LIFE_GONE), v.MINE): "when you are attacked or have lost life",
    ((v.DREW,), v.SOMEBODY_ELSES): "when another player has drawn cards",
    ((v.DRAWING,), v.MINE): "when you have drawn cards",
    ((v.SPRING_GONE,), v.ALWAYS): "after a spring card was discarded, when everything has resolved",
    ((v.DEFEATED,), v.ALWAYS): "when another player is defeated",
    ((v.HIT,), v.MINE): "when an attack is about to hit you",
    ((v.STRUCK,), v.MINE): "when an attack has hit you",
    ((v.STRUCK,), v.BY_ME): "when an attack of yours has hit another player",
    ((v.ITEM_GAINED,), v.MINE): "when you gain control of this",
    ((v.ITEM_LOST,), v.MINE): "when you lose control of this",
    ((v.GAINED_ITEM,), v.MINE): "when you have gained control of an item",
    ((v.DAMAGED,), v.BY_MY_ATTACK): "when an attack of yours has made a player lose life",
    ((v.CANCEL,), v.OTHERS_PLAYED): "when another player has announced {cards}",
    (v.AT_ANY_TIME, v.ROLE_HIDDEN): "at almost any time, as long as your role does not lie open",
}
"""Events and relation of a text -> when it may happen; others are composed of the words for the event and the relation."""

_OFTEN = ("", ", once per turn", ", once per round", ", once per attack", ", offered once per turn")
_ONCE_PER_CARD = ", once per card or Spell Card"
"""An avoided attack counts for the card it came from (H-13)."""


def _tags(tags: int) -> str:
    action = "an action card" if tags & v.SPELL else "an action card or a Spell Card of kind action"
    words = {v.DANMAKU: "a danmaku card", v.ACTION: action, v.SPELL: "a Spell Card"}
    return listed([word for bit, word in words.items() if tags & bit], "or") if tags else "a card"


def describe_moment(text: v.Text) -> str:
    """When a text may happen, and how often."""
    words = _MOMENTS.get((tuple(text.events), text.relation))
    if words is None:
        relation = v.RELATIONS[text.relation]
        words = f"at: {listed([v.EVENTS[event] for event in text.events] or ['no event'], 'or')}{f' ({relation})' if relation else ''}"
    often = _ONCE_PER_CARD if text.once == v.ONCE_PER_ATTACK and v.AVOIDED in text.events else _OFTEN[text.once]
    cards = of_types(text.tags, "card")
    return words.format(tags=_tags(text.tags), cards=f"{'an' if cards[0] in 'aeiou' else 'a'} {cards}") + often


def describe_text(text: v.Text) -> str:
    """A whole text: when, what is announced or paid first, what then happens, and what is special about it."""
    narrator = Narrator()
    announced, resolved = sentences(text.announce, narrator), sentences(text.resolve, narrator)
    parts = [f"first {'; '.join(announced)}"] if announced else []
    parts += [f"{'then ' if announced else ''}{'; '.join(resolved)}"] if resolved else []
    when = describe_moment(text) if text.events else ""
    words = "; ".join(parts) or "nothing happens at once"
    return capital(f"{when}: {words}." if when else f"{words}.") + _notes(text)


def _notes(text: v.Text) -> str:
    notes = ["Carried out at once: nobody can cancel or answer it."] if text.types & v.INSTANT else []
    if text.counts:
        notes.append("Counts toward the danmaku limit.")
    elif text.types & v.DANMAKU and text.types & v.ACTION:
        notes.append("Does not count toward the danmaku limit.")
    if text.types & (v.SPELL | v.ACTION) and not text.cancelable:
        notes.append("Cannot be cancelled.")
    if text.resolves_last:
        notes.append("After the attacks that the same event brings others.")
    if any(isinstance(step, v.Op) and step.code == v.ACTIVATE for step in text.resolve):
        at_once = text.relation == v.EMPTY_HAND
        notes.append("The Spell Card's own timing does not matter." if at_once else "Only in the Spell Card's own timing.")
    return "".join(f" {note}" for note in notes)


def describe_modifiers(modifiers: Mapping[v.Stat, int]) -> str:
    """Static modifiers: "+3 range, +1 danmaku cards per round"."""
    words = []
    for stat, amount in modifiers.items():
        word = v.STAT_WORDS[stat]
        if word.kind is v.ModifierKind.HAS:
            words.append(word.english)
        elif word.kind is v.ModifierKind.SETS:
            words.append(f"{word.english} {amount}")
        else:
            words.append(f"{amount:+} {word.english if amount > 1 else word.english.replace('cards', 'card')}")
    return f"{capital('; '.join(words))}." if words else ""


def describe_types(types: int) -> str:
    """The types of a text or card: "action, danmaku"."""
    return ", ".join(bit_words(types, v.TYPES)) or "none"


def describe_card(card: v.Card) -> list[tuple[str, str, str]]:
    """Rows (part, paraphrase, program in words) of a Main-deck card: each half, then what it does in play."""
    rows = []
    for mode in card.modes:
        rows.append((describe_types(mode.types), mode.text, describe_text(mode)))
    if card.in_play:
        rows.append(("in play", "", describe_modifiers(card.in_play)))
    rows += [("in play", text.text, describe_text(text)) for text in card.triggers]
    if card.use:
        rows.append(("in play", card.use.text, describe_text(card.use)))
    return rows


def describe_character(character: v.Character) -> list[tuple[str, str, str]]:
    """Rows (part, paraphrase, program in words) of a character: everything of the ability, then the Spell Card."""
    words = [describe_modifiers(character.modifiers)] if character.modifiers else []
    words += [f"{capital(v.CIRCUMSTANCES[when])}: {describe_modifiers(stats)}" for when, stats in character.circumstances.items()]
    words += [describe_text(text) for text in (*character.abilities, *character.triggers)]
    words += [describe_text(character.source)] if character.source else []
    rows = [("ability", character.text, " ".join(words))]
    if character.spell:
        kind = describe_types(character.spell.types & ~v.SPELL)
        captured = "" if character.capturable else " Nobody else can activate it."
        part = "Spell Card" if kind == "none" else f"Spell Card, {kind}"
        rows.append((part, character.spell.text, describe_text(character.spell) + captured))
    return rows


def _collects(incident: v.Incident) -> str:
    if incident.collects_types:
        return f"collects {of_types(incident.collects_types, 'cards')}"
    if incident.collects_season >= 0:
        return f"collects {v.SEASONS[incident.collects_season]} cards"
    if incident.collects_each_season:
        return f"collects {incident.collects_each_season} cards of every season"
    if incident.collects_lunatic:
        return "collects Lunatic cards"
    if incident.collects_points:
        return f"collects cards worth {incident.collects_points} points or more"
    if incident.collects_incidents:
        return "collects incidents that are resolved"
    return ""


def describe_incident(incident: v.Incident) -> str:
    """Laws, programs and end of an incident."""
    parts = [f"In force: {law}." for law in bit_words(incident.laws, v.LAWS)]
    if incident.source:
        parts.append(describe_text(incident.source))
    if incident.enter:
        parts.append(f"On entering: {describe_program(incident.enter, incident=True)}.")
    if incident.step:
        parts.append(f"In each incident step: {describe_program(incident.step, incident=True)}.")
    if words := _collects(incident):
        parts.append(f"{capital(words)}.")
    if incident.needs:
        more = " and one more for every active player" if incident.needs_per_player else ""
        others = ", and every other incident with it" if incident.collects_incidents else ""
        parts.append(f"Over with {incident.needs}{more} collected{others}.")
    if incident.resolves_on_defeat:
        parts.append("Over when somebody is defeated.")
    if incident.resolves_on_reshuffle:
        parts.append("Over when the discard pile becomes a new deck.")
    return " ".join(parts)


def describe_role(role: v.Role) -> str:
    """Goal and powers of a role."""
    parts = [f"Goal: {listed(bit_words(role.goal, v.GOALS), 'and')}."]
    if role.modifiers:
        parts.append(describe_modifiers(role.modifiers))
    if role.shared_fate:
        parts.append("When defeated, the Heroine discards all items and then all but 2 hand cards.")
    if role.becomes:
        parts.append(f"Once another player is defeated: may reveal, becoming {role.becomes} and gaining 1 life.")
    return " ".join([*parts, *(describe_text(text) for text in role.triggers)])
