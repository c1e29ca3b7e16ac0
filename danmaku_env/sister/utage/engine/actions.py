"""Action index <-> meaning: what is done, and with which slot of a deck, or place of a side.

Own cards are named by the slots of one's deck list, cards of the other seat by the order in which they were seen, or by its list if that is
open (H-4). Places are those of a side; own is the side of the seat that is asked.
"""

from danmaku_env.machine import answers
from danmaku_env.sister.utage.cards.words import PLACES, SLOTS, TEAM
from danmaku_env.sister.utage.engine import state as st

PASS, YES = range(2)
CHARACTER_BASE = 2
LEADER_BASE = CHARACTER_BASE + TEAM
"""Then: the own leader, the other's."""
USE_LEADER = LEADER_BASE + 2
PLAY_BASE = USE_LEADER + 1
ACTIVATE_BASE = PLAY_BASE + SLOTS
USE_BASE = ACTIVATE_BASE + PLACES
OWN_CARD_BASE = USE_BASE + PLACES
OTHER_CARD_BASE = OWN_CARD_BASE + SLOTS
OWN_PLACE_BASE = OTHER_CARD_BASE + SLOTS
OTHER_PLACE_BASE = OWN_PLACE_BASE + PLACES
NUM_ACTIONS = OTHER_PLACE_BASE + PLACES
ACTION_IDS = (
    "pass", "choose yes", *(f"choose character {place + 1}" for place in range(TEAM)), "choose leader own", "choose leader other",
    "use leader", *(f"play card {slot + 1}" for slot in range(SLOTS)), *(f"activate place {place + 1}" for place in range(PLACES)),
    *(f"use place {place + 1}" for place in range(PLACES)), *(f"choose card own {slot + 1}" for slot in range(SLOTS)),
    *(f"choose card other {slot + 1}" for slot in range(SLOTS)), *(f"choose place own {place + 1}" for place in range(PLACES)),
    *(f"choose place other {place + 1}" for place in range(PLACES)),
)  # fmt: skip
"""Names of all actions; a game names its cards instead: `play 0112`, `activate 0105 (place 3)`."""
ANSWERS = answers.answers_of(
    (ACTIVATE_BASE, USE_BASE, OWN_CARD_BASE, OTHER_CARD_BASE, OWN_PLACE_BASE, OTHER_PLACE_BASE, NUM_ACTIONS), ask_forced=st.ASK_FORCED
)
