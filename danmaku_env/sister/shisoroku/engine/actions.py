"""Action index <-> meaning, and how a question is put: what is done, and the place of the card it is done with."""

from danmaku_env.machine import answers
from danmaku_env.sister.shisoroku.cards import box
from danmaku_env.sister.shisoroku.cards.words import CHIREI, KINGDOM, PLACES, PRIZES
from danmaku_env.sister.shisoroku.engine import state as st

PASS, PLAY_RESOURCES = range(2)
OPTION_BASE = 2
OPTIONS = 5
PLAY_BASE = OPTION_BASE + OPTIONS
BUY_BASE = PLAY_BASE + PLACES
REVEAL_BASE = BUY_BASE + PLACES
CHOOSE_BASE = REVEAL_BASE + PLACES
NUM_ACTIONS = CHOOSE_BASE + PLACES
PLACE_IDS = (
    *box.BASIC_IDS, *(f"kingdom-{place - KINGDOM + 1}" for place in range(KINGDOM, CHIREI)), *box.CHIREI_IDS, *box.PRIZE_IDS,
)  # fmt: skip
"""What a place is called where no game says which card lies there."""
assert PLACE_IDS.index(box.PRIZE_IDS[0]) == PRIZES == PLACES - len(box.PRIZE_IDS)
VERBS = ("play", "buy", "reveal", "choose")
ACTION_IDS = (
    "pass", "play resources", *(f"choose option {number + 1}" for number in range(OPTIONS)),
    *(f"{verb} {place}" for verb in VERBS for place in PLACE_IDS),
)  # fmt: skip
"""Names of all actions; a game names the cards of its kingdom instead."""
ANSWERS = answers.answers_of((PLAY_BASE + PLACES, REVEAL_BASE, NUM_ACTIONS), ask_forced=st.ASK_FORCED)
