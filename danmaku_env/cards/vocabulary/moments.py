"""When a text may happen: the events of a game, how an event must concern the text's owner, and how often.

What then happens is a program (`words.py`). How English says these moments stands in `describe.py`.
"""

# The first six are moments at which a seat is offered something; the others push triggered texts.

MAIN = 0  # own main step, empty stack
CANCEL = 1  # a card or Spell Card has been announced (cancel window)
RESPONSE = 2  # its effects are on the stack (response window)
ATTACKED = 3  # an attack is on top of the stack
RESCUE = 4  # somebody is at 0 life and the stack is empty
STEP = 5  # a boundary between steps of a turn
WINDOWS = (MAIN, CANCEL, RESPONSE, ATTACKED, RESCUE, STEP)
ATTACK_DECLARED = 6  # an attack was put on the stack (automatic answers)
PLAYED = 7  # a card got through its cancel window
AVOIDED = 8  # an attack was avoided
DAMAGED = 9  # an attack took life
LOST_LIFE = 10  # life went down for any reason
SKIP_CHECK = 11  # a turn begins and may be skipped
SKIPPED = 12  # a turn is being skipped
TURN_START = 13
INCIDENT_START = 14  # before a turn's incident step
DRAW_STEP = 15  # before the draw of the draw step
DREW_STEP = 16  # after the draw of the draw step
NUM_EVENTS = 17
EVENTS = (
    "main step", "cancel window", "response window", "attack", "rescue", "step boundary", "attack declared", "card played",
    "attack avoided", "attack hits", "life lost", "skip check", "turn skipped", "turn start", "incident step", "draw step",
    "after draw step",
)  # fmt: skip
ANY_WINDOW = (CANCEL, RESPONSE, ATTACKED, RESCUE, STEP)
ANY_PRIORITY = (MAIN, *ANY_WINDOW)

# relations: how the event must concern the seat that owns the text
ALWAYS = 0
MINE = 1  # the attack is on me, I lost the life, I avoided, it is my turn's step
MINE_AVOIDABLE = 2  # an attack on me that can be avoided
PROTECTABLE = 3  # an avoidable attack on me, or on another while I can pay for protecting them (C-2)
BY_ANOTHER = 4  # another player attacks somebody
BY_ME = 5  # I attacked, I played the card
SOMEONE_AT_ZERO = 6  # an undefeated player is at 0 life and can still be brought back
MY_TURN = 7
EMPTY_HAND = 8  # my hand is empty
OTHERS_CARD = 9  # somebody else announced something that carries one of the text's tags
ANYONES_CARD = 10  # anybody announced something that carries one of the text's tags
OWN_DANMAKU = 11  # I played a danmaku card
RELATIONS = (
    "", "you", "you, avoidably", "you, or somebody you can pay to protect", "another attacks", "yours", "somebody at 0 life",
    "own turn", "empty hand", "somebody else's card", "anybody's card", "your danmaku card",
)  # fmt: skip

# how often a text may be used
UNLIMITED, ONCE_PER_TURN, ONCE_PER_ROUND, ONCE_PER_ATTACK = range(4)
