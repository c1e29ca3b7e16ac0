"""Every small change of a value of the card data: of a number, a flag, a program, a text, a whole card.

Each function yields pairs: the changed value and the change in words. Nothing here knows a card; what can be changed follows from the
fields and from what the vocabulary says about each word.
"""

from collections import Counter
from dataclasses import dataclass, replace

from danmaku_env.cards import vocabulary as v

# ---------------------------------------------------------------- operands


def other_number(value):
    """One more and one less; of a count the sum, and another count."""
    if isinstance(value, v.Count):
        another_count = v.Count(((value.words[0] + 1) % len(v.COUNTS),), value.plus)
        return [value - 1 if value.plus else value + 1, another_count]
    return [value - 1, value + 1]


def other_bits(value, width=12):
    """Without one of the bits, and with the next one more."""
    present = [bit for bit in range(width) if value >> bit & 1]
    more = next(bit % width for bit in range(present[-1] if present else 3, 2 * width) if not value >> bit % width & 1)
    return [type(value)(bits) for bits in [*(value & ~(1 << bit) for bit in present), value | 1 << more]]


def other_types(value):
    """Other card types; any type instead of one, danmaku cards instead of any."""
    return [v.DANMAKU] if value == v.ANY_TYPE else other_bits(value)


def another(*words):
    """Each of the other words."""
    return lambda value: [word for word in words if word != value]


def neighbours(length):
    """The word before and the word after in the vocabulary."""
    return lambda value: [type(value)(number) for number in sorted({(value - 1) % length, (value + 1) % length} - {value})]


OTHER_GROUP = another(v.EVERYONE, v.OTHERS, v.IN_RANGE)
BY_KIND = {
    v.Kind.SEAT: another(v.ME, v.CHOSEN, v.SECOND, v.ATTACKER), v.Kind.GROUP: OTHER_GROUP, v.Kind.NUMBER: other_number,
    v.Kind.TYPES: other_types, v.Kind.SEASONS: lambda value: other_bits(value, 4), v.Kind.YES_NO: lambda value: [not value],
    v.Kind.CONDITION: neighbours(len(v.CONDITIONS)), v.Kind.LASTING: neighbours(len(v.LASTING)),
    v.Kind.GIVES: lambda value: [v.Gives(other) for other in (1, 2, 3) if other != value],
    v.Kind.VALUE: lambda value: other_bits(value) if isinstance(value, v.Types) else other_number(value),
}  # fmt: skip
"""What stands in a place of a row -> its other values."""


def operand_changes(op):
    """Every operand the operation reads, changed by a little; each of its flags the other way."""
    for place, operand in zip("abc", v.OPERATIONS[op.code].operands, strict=True):
        value = getattr(op, place)
        if operand.kind is v.Kind.FLAGS:
            others = [value ^ 1 << bit for bit in range(8) if operand.flags >> bit & 1]
        else:
            others = BY_KIND.get(operand.kind, lambda value: [])(value)
        for other in others:
            yield op._replace(**{place: other})


USUAL = {v.Kind.SEAT: v.ME, v.Kind.GROUP: v.OTHERS, v.Kind.NUMBER: 1, v.Kind.TYPES: v.ANY_TYPE, v.Kind.LASTING: v.LASTING_RANGE,
         v.Kind.GIVES: v.ITS_ALL}  # fmt: skip
"""What stands in a place that the row said nothing about."""


def near_operations(op):
    """The operations before and after it in its family that flow as it does, with the same operands as far as they take them."""
    family = [code for code, operation in v.OPERATIONS.items() if code // v.FAMILY == op.code // v.FAMILY and not operation.jumps]
    if op.code in family:
        place = family.index(op.code)
        for code in sorted({family[place - 1], family[(place + 1) % len(family)]} - {op.code}):
            kept = zip(v.OPERATIONS[op.code].operands, v.OPERATIONS[code].operands, op[1:], strict=True)
            yield v.Op(code, *(value if old.kind is new.kind else USUAL.get(new.kind, 0) for old, new, value in kept))


# ---------------------------------------------------------------- programs


def said(step):
    """A step in a few words."""
    if isinstance(step, v.Op):
        operands = list(step[1:])
        while operands and not operands[-1]:
            operands.pop()
        return f"{v.OPERATIONS[step.code].name}({', '.join(map(said_operand, operands))})"
    head = {"If": "condition", "Each": "group", "Repeat": "times", "While": "condition"}.get(type(step).__name__)
    return f"{type(step).__name__.lower()} {said_operand(getattr(step, head))}" if head else said(step.op)


def said_operand(value):
    """An operand as a number, a count with what is added to it."""
    return f"count {value.words[0]} + {value.plus}" if isinstance(value, v.Count) else str(int(value))


def flat(program):
    """The steps of a program, or the one step given; those of lists among them at the same level."""
    return [program] if hasattr(program, "_fields") else list(v.plain_steps(program))


def program_changes(program):
    """A step dropped, doubled, replaced or changed; two steps in the other order."""
    steps = flat(program)
    for place, step in enumerate(steps):
        before, after = steps[:place], steps[place + 1 :]
        yield [*before, *after], f"{said(step)} dropped"
        yield [*before, step, step, *after], f"{said(step)} twice"
        if after and after[0] != step:
            yield [*before, after[0], step, *after[1:]], f"{said(step)} after {said(after[0])}"
        for changed, words in step_changes(step):
            yield [*before, *flat(changed), *after], words


def step_changes(step):
    """One step changed within."""
    if isinstance(step, v.Op):
        yield from operation_changes(step)
        return
    for name in step._fields:
        value = getattr(step, name)
        if name in ("then", "otherwise", "body"):
            for changed, words in program_changes(value):
                yield step._replace(**{name: changed}), f"in {said(step)}: {words}"
        elif name == "op":
            for changed, words in operation_changes(value):
                yield step._replace(op=changed), words
    yield from block_changes(step)


def operation_changes(op):
    """Another operation with the same operands, or the same with others."""
    for changed in [*near_operations(op), *operand_changes(op)]:
        yield changed, f"{said(op)} -> {said(changed)}"


def block_changes(step):
    """The condition, group or number of a block; its branches exchanged; its body carried out once, whatever the head says."""
    if isinstance(step, v.If):
        for condition in neighbours(len(v.CONDITIONS))(step.condition):
            yield step._replace(condition=condition), f"{said(step)} -> if {condition}"
        for operand in other_bits(step.seasons, len(v.SEASONS)) if step.condition == v.FLIPPED else ():
            yield step._replace(seasons=operand), f"{said(step)}: seasons {step.seasons} -> {operand}"
        yield step._replace(then=step.otherwise, otherwise=step.then), f"{said(step)}: branches exchanged"
        yield step.then, f"{said(step)}: always"
    elif isinstance(step, v.Branch):
        yield step._replace(body=step.otherwise, otherwise=step.body), f"{said(step)}: branches exchanged"
        yield step.body, f"{said(step)}: not asked"
    elif isinstance(step, v.Each):
        for group in OTHER_GROUP(step.group):
            yield step._replace(group=group), f"{said(step)} -> group {group}"
    elif isinstance(step, v.Repeat):
        for times in other_number(step.times):
            yield step._replace(times=times), f"{said(step)} -> {said_operand(times)}"
    else:
        yield step.body, f"{said(step)}: once"


# ---------------------------------------------------------------- texts


WRITTEN = {
    "modes": "events relation types tags cancelable counts targets_all announce resolve",
    "abilities": "events relation tags once announce resolve",
    "triggers": "events relation resolve",
    "source": "events relation announce resolve",
    "use": "events relation announce resolve",
    "spell": "events relation types tags cancelable announce resolve",
}  # fmt: skip
"""Field of a card or character -> what an author writes in a text that stands there (the rest is never read)."""


def text_changes(text, place):
    """When, how often, by whom and with what effect a text may happen, as far as that is written in such a place."""
    written = WRITTEN[place].split()
    if not has_timing_of_another(text):
        yield from moment_changes(text)
    for types in other_bits(text.types) if "types" in written else ():
        yield replace(text, types=types), f"types {text.types} -> {types}"
    for tag in (v.DANMAKU, v.ACTION, v.SPELL) if text.tags else ():
        yield replace(text, tags=text.tags ^ tag), f"tags {text.tags} -> {text.tags ^ tag}"
    attacks = bool(text.types & v.DANMAKU)
    flags = {"cancelable": "cancelable" in written, "counts": attacks, "targets_all": attacks, "resolves_last": text.events == (v.AVOIDED,)}
    for name in [name for name, read in flags.items() if read]:
        yield replace(text, **{name: not getattr(text, name)}), f"{name}: {not getattr(text, name)}"
    if "once" in written or text.once:
        for once in another(v.UNLIMITED, v.ONCE_PER_TURN, v.ONCE_PER_ROUND, v.ONCE_PER_ATTACK)(text.once):
            yield replace(text, once=once), f"once {text.once} -> {once}"
    for half in ("announce", "resolve"):
        for program, words in program_changes(getattr(text, half)):
            yield replace(text, **{half: program}), f"{half}: {words}"


def has_timing_of_another(text):
    """Whether the text has the timing of the Spell Card it activates, and none of its own."""
    picks_owner = any(isinstance(step, v.Op) and step.code == v.CHOOSE_PLAYER and step.a in v.SPELL_GROUPS for step in text.announce)
    return bool(text.types & v.INVOCATION) or picks_owner


def moment_changes(text):
    """A moment less, more or another; another relation of the moment to the owner."""
    for event in text.events:
        yield replace(text, events=tuple(other for other in text.events if other != event)), f"not at {v.EVENTS[event]}"
    others = [
        v.TimingEvent(event) for event in range(v.NUM_EVENTS) if event not in text.events and v.fits(text.relation, v.TimingEvent(event))
    ]
    if len(text.events) == 1:
        for event in sorted(others, key=lambda event: abs(event - text.events[0]))[:3]:
            yield replace(text, events=(event,)), f"at {v.EVENTS[event]} instead of {v.EVENTS[text.events[0]]}"
    else:
        for event in [event for event in others if event in v.ANY_PRIORITY]:
            yield replace(text, events=(*text.events, event)), f"also at {v.EVENTS[event]}"
    for relation in (v.Relation(number) for number in range(len(v.RELATIONS)) if number != text.relation):
        own_main_step = text.events == (v.MAIN,) and {relation, text.relation} == {v.ALWAYS, v.MY_TURN}  # the same there
        if all(v.fits(relation, event) for event in text.events) and not own_main_step:
            yield replace(text, relation=relation), f"relation {text.relation} -> {relation}"


LABELS = {"modes": "mode", "abilities": "ability", "triggers": "trigger"}


def of_texts(owner, name):
    """A field with several texts: one dropped, changed, or two in the other order."""
    texts = getattr(owner, name)
    for place, text in enumerate(texts):
        before, after = texts[:place], texts[place + 1 :]
        label = f"{LABELS[name]} {place + 1}" if len(texts) > 1 else LABELS[name]
        yield replace(owner, **{name: (*before, *after)}), f"{label} dropped"
        if after:
            yield replace(owner, **{name: (*before, after[0], text, *after[1:])}), f"{label} after {place + 2}"
        for changed, words in text_changes(text, name):
            yield replace(owner, **{name: (*before, changed, *after)}), f"{label}: {words}"


def of_text(owner, name):
    """A field with one text or none: dropped or changed."""
    text = getattr(owner, name)
    if text is not None:
        yield replace(owner, **{name: None}), f"{name} dropped"
        for changed, words in text_changes(text, name):
            yield replace(owner, **{name: changed}), f"{name}: {words}"


def of_program(owner, name):
    """A field with a program."""
    for program, words in program_changes(getattr(owner, name)):
        yield replace(owner, **{name: program}), f"{name}: {words}"


@dataclass(frozen=True)
class _Stats:
    """Modifiers that stand by themselves."""

    stats: dict


def of_stats(owner, name):
    """Modifiers: one dropped, a number changed, another stat."""
    stats = getattr(owner, name)
    for stat, amount in stats.items():
        rest = {other: value for other, value in stats.items() if other != stat}
        yield replace(owner, **{name: rest}), f"{v.STATS[stat]} dropped"
        for number in (amount - 1, amount + 1) if v.STAT_WORDS[stat].kind is not v.ModifierKind.HAS else ():
            if number:
                yield replace(owner, **{name: {**stats, stat: number}}), f"{v.STATS[stat]} {amount} -> {number}"
        near = v.Stat((stat + 1) % len(v.STATS))
        yield replace(owner, **{name: {**rest, near: amount}}), f"{v.STATS[near]} instead of {v.STATS[stat]}"


def of_circumstances(character):
    """Every modifier under a circumstance changed by little."""
    for circumstance, stats in character.circumstances.items():
        for changed, words in of_stats(_Stats(stats), "stats"):
            yield replace(character, circumstances={**character.circumstances, circumstance: changed.stats}), words


def of_values(owner, name, others):
    """A plain field with each of its other values."""
    for value in others(getattr(owner, name)):
        yield replace(owner, **{name: value}), f"{name} {getattr(owner, name)!r} -> {value!r}"


# ---------------------------------------------------------------- what is printed


def season_word(seasons):
    """A copy with the next season, a copy less, a copy more."""
    copies = Counter(seasons.split())
    for season in copies:
        rest = seasons.split()
        rest.remove(season)
        yield " ".join([*rest, v.SEASONS[(v.SEASONS.index(season) + 1) % len(v.SEASONS)]])
        yield " ".join(rest)
    if copies:
        yield f"{seasons} {seasons.split()[0]}"


def flag(value):
    """The other of two."""
    return [not value]


def season(value):
    """The next season."""
    return [type(value)((value + 1) % len(v.SEASONS))]


def other_collected_season(value):
    """The next season, or none; spring instead of none."""
    return [v.SPRING] if value == v.ANY_SEASON else [*season(value), v.ANY_SEASON]


def card_changes(card):
    """Everything on a card but its name."""
    yield from of_values(card, "points", other_number)
    yield from of_values(card, "seasons", season_word)
    yield from of_values(card, "lunatic", season_word)
    yield from of_texts(card, "modes")
    yield from of_stats(card, "in_play")
    yield from of_texts(card, "triggers")
    yield from of_text(card, "use")


def character_changes(character):
    """Everything of a character but her name."""
    yield from of_values(character, "season", season)
    yield from of_stats(character, "modifiers")
    yield from of_circumstances(character)
    yield from of_texts(character, "abilities")
    yield from of_texts(character, "triggers")
    yield from of_text(character, "source")
    yield from of_text(character, "spell")
    yield from of_values(character, "capturable", flag)


def incident_changes(incident):
    """Everything of an incident but its name."""
    yield from of_values(incident, "season", season)
    yield from of_program(incident, "enter")
    yield from of_program(incident, "step")
    yield from of_text(incident, "source")
    yield from of_values(incident, "laws", lambda laws: other_bits(laws, len(v.LAWS)))
    yield from of_values(incident, "collects_types", lambda types: other_bits(types) if types else [v.DANMAKU])
    yield from of_values(incident, "collects_season", other_collected_season)
    yield from of_values(incident, "collects_each_season", lambda value: [value - 1, value + 1] if value else [])
    yield from of_values(incident, "collects_lunatic", flag)
    yield from of_values(incident, "collects_points", lambda points: other_number(points) if points else [])
    yield from of_values(incident, "collects_incidents", flag)
    yield from of_values(incident, "needs", lambda value: [value - 1, value + 1] if value else [])
    yield from of_values(incident, "needs_per_player", flag)
    yield from of_values(incident, "resolves_on_defeat", flag)
    yield from of_values(incident, "resolves_on_reshuffle", flag)


def role_changes(role):
    """Everything of a role but its name."""
    yield from of_values(role, "factions", lambda factions: other_bits(factions, v.NUM_FACTIONS))
    yield from of_values(role, "team", neighbours(v.NUM_TEAMS))
    yield from of_values(role, "goal", lambda goal: other_bits(goal, len(v.GOALS)))
    yield from of_stats(role, "modifiers")
    yield from of_values(role, "becomes", lambda becomes: [""] if becomes else [])
    yield from of_values(role, "shared_fate", flag)
    yield from of_texts(role, "triggers")


CHANGES = {v.Card: card_changes, v.Character: character_changes, v.Incident: incident_changes, v.Role: role_changes}


def reprint_changes(reprints):
    """Copies of the base game's cards in the Lunatic deck: the changed mapping, the change, and the card."""
    for card, seasons in reprints.items():
        for other in season_word(seasons):
            yield {**reprints, card: other}, f"Lunatic copies {seasons!r} -> {other!r}", card


def composition_changes(composition):
    """How many roles of a group are dealt, and which cards they are drawn from; with the role whose slip it is."""
    groups = (("partners", "partner_pool"), ("stage_bosses", "stage_pool"), ("extra_bosses", "extra_pool"), ("rivals", None))
    for number, pool_name in groups:
        pool = getattr(composition, pool_name) if pool_name else ("rival",)
        dealt = getattr(composition, number)
        for other in (dealt - 1, dealt + 1):
            if other >= 0 and pool:
                yield composition._replace(**{number: other}), f"{number} {dealt} -> {other}", pool[0]
        for role in sorted(set(pool)) if pool_name else ():
            rest = list(pool)
            rest.remove(role)
            yield composition._replace(**{pool_name: tuple(rest)}), f"{pool_name} without a {role}", role
            yield composition._replace(**{pool_name: (*pool, role)}), f"{pool_name} with a {role} more", role
